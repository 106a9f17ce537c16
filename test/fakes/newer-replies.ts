/** `serverStatus` of a primary of 8.2, cut down to what we read: declared by hand, with the names and places that its documentation and WiredTiger have. */
export const statusOf82 = {
  process: 'mongod',
  pid: 4242,
  version: '8.2.0',
  uptimeMillis: 2000,
  localTime: new Date('2026-11-27T20:25:55.061Z'),
  repl: { setName: 'rs', me: '127.0.0.1:1', isWritablePrimary: true, secondary: false },
  extra_info: { page_faults: 0, system_time_us: 100_000, user_time_us: 200_000 },
  wiredTiger: {
    cache: {
      'maximum bytes configured': 268_435_456,
      'tracked dirty bytes in the cache': 160_000,
      'bytes currently in the cache': 190_000,
      'page evict attempts by application threads': 3,
      'page evict failures by application threads': 1,
      'modified page evict attempts by application threads': 1,
      'bytes written from cache': 90_000,
      'bytes read into cache': 0,
      'pages read into cache': 0,
    },
    'block-manager': { 'bytes read': 16_384, 'bytes written': 250_000 },
    log: { 'log sync operations': 20, 'log bytes written': 30_000 },
    checkpoint: { 'total succeed number of checkpoints': 2, 'number of checkpoints started by api': 2 },
    connection: { 'files currently open': 47 },
  },
  queues: {
    execution: {
      read: { out: 1, available: 127, totalTickets: 128, normalPriority: { queueLength: 0 } },
      write: { out: 2, available: 126, totalTickets: 128, normalPriority: { queueLength: 0 } },
    },
    ingress: { out: 0, available: 1_000_000, totalTickets: 1_000_000 },
    ingressSessionEstablishment: { addedToQueue: 0 },
  },
  network: { bytesOut: 5000, physicalBytesOut: 5000, bytesIn: 4000, physicalBytesIn: 4000 },
  metrics: {
    operation: { writeConflicts: 0 },
    queryExecutor: { scanned: 0, scannedObjects: 10, collectionScans: { total: 1 } },
    ttl: { deletedDocuments: 0 },
  },
  opLatencies: {
    reads: { ops: 1, latency: 100 },
    writes: { ops: 1, latency: 200 },
    commands: { ops: 1, latency: 300 },
  },
  opWorkingTime: { reads: { ops: 1, latency: 90 } },
  transactions: { totalAborted: 0, totalCommitted: 0 },
  flowControl: { timeAcquiringMicros: 0 },
  mem: { resident: 132 },
  connections: { current: 2 },
}

/**
 * `serverStatus` of the primary of a set of 8.0.4 on macOS, recorded, cut down to what we read; numbers of 32 and 64 bits are numbers here, as
 * the driver makes them. From mongodb-ps/ce-mongo-x-ray (MIT, Yaoxing Zhang), misc/getMongoData-rs.json of commit 3688b93.
 */
export const statusOf804 = {
  process: 'mongod',
  version: '8.0.4',
  pid: 48_589,
  uptimeMillis: 821_475_059,
  localTime: new Date(1_765_658_234_976),
  repl: { setName: 'replset', me: 'localhost:27017', isWritablePrimary: true, secondary: false },
  connections: { current: 24 },
  extra_info: { page_faults: 2436 },
  flowControl: { timeAcquiringMicros: 0 },
  network: {
    bytesIn: 1_235_310_614,
    bytesOut: 1_367_579_335,
    physicalBytesIn: 578_376_216,
    physicalBytesOut: 958_559_723,
  },
  opLatencies: {
    commands: { latency: 342_089_985, ops: 2_157_415 },
    reads: { latency: 146_616_296, ops: 493_699 },
    writes: { latency: 3_321_817, ops: 204 },
  },
  queues: {
    execution: {
      write: { out: 0, available: 10, totalTickets: 10 },
      read: { out: 0, available: 10, totalTickets: 10 },
    },
    ingress: { out: 0, available: 1_000_000, totalTickets: 1_000_000 },
  },
  transactions: { totalAborted: 0, totalCommitted: 0 },
  wiredTiger: {
    'block-manager': { 'bytes read': 293_724_160, 'bytes written': 7_921_061_888 },
    cache: {
      'bytes currently in the cache': 21_668_877,
      'bytes read into cache': 1_901_504,
      'bytes written from cache': 34_738_777_855,
      'maximum bytes configured': 1_073_741_824,
      'modified pages evicted by application threads': 0,
      'pages evicted by application threads': 0,
      'pages read into cache': 3175,
      'tracked dirty bytes in the cache': 8_420_933,
    },
    checkpoint: {
      'number of checkpoints started by api': 13_670,
      'total succeed number of checkpoints': 13_670,
      'transaction checkpoints due to obsolete pages': 13_697,
    },
    connection: { 'files currently open': 45 },
    log: { 'log bytes written': 63_536_256, 'log sync operations': 130_888 },
    transaction: { 'transaction begins': 6_819_933 },
  },
  mem: { resident: 186 },
  metrics: {
    operation: { writeConflicts: 0 },
    queryExecutor: { scanned: 215, scannedObjects: 165_145, collectionScans: { nonTailable: 12, total: 14 } },
    ttl: { deletedDocuments: 10 },
  },
}

/** The same of a 7.0.37 on Linux, from the same file at commit 1b50d9e. */
export const statusOf7037 = {
  process: 'mongod',
  version: '7.0.37',
  pid: 3_980_904,
  uptimeMillis: 124_386,
  localTime: new Date(1_782_202_736_506),
  repl: { setName: 'rs_7', me: 'localhost:27017', isWritablePrimary: true, secondary: false },
  connections: { current: 13 },
  extra_info: { user_time_us: 1_096_468, system_time_us: 345_755, page_faults: 0 },
  flowControl: { timeAcquiringMicros: 0 },
  network: { bytesIn: 278_012, bytesOut: 421_208, physicalBytesIn: 176_827, physicalBytesOut: 293_382 },
  opLatencies: {
    reads: { latency: 18_247, ops: 126 },
    writes: { latency: 0, ops: 0 },
    commands: { latency: 126_665, ops: 518 },
  },
  queues: { ingressSessionEstablishment: { addedToQueue: 0 } },
  transactions: { totalAborted: 0, totalCommitted: 0 },
  wiredTiger: {
    'block-manager': { 'bytes read': 57_344, 'bytes written': 962_560 },
    cache: {
      'bytes currently in the cache': 202_603,
      'bytes read into cache': 0,
      'bytes written from cache': 369_020,
      'maximum bytes configured': 1_073_741_824,
      'modified pages evicted by application threads': 0,
      'pages evicted by application threads': 0,
      'pages read into cache': 0,
      'tracked dirty bytes in the cache': 10_947,
    },
    'checkpoint-cleanup': { 'pages removed': 0 },
    connection: { 'files currently open': 54 },
    log: { 'log bytes written': 126_976, 'log sync operations': 85 },
    transaction: { 'transaction checkpoints': 6, 'transaction checkpoints due to obsolete pages': 0 },
    concurrentTransactions: {
      write: { out: 0, available: 24, totalTickets: 24 },
      read: { out: 0, available: 24, totalTickets: 24 },
    },
  },
  mem: { resident: 141 },
  metrics: {
    operation: { writeConflicts: 0 },
    queryExecutor: { scanned: 1, scannedObjects: 75, collectionScans: { nonTailable: 10, total: 13 } },
    ttl: { deletedDocuments: 0 },
  },
}
