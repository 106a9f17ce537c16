/** A value computed from fields of a reply: `times` x the sum over the paths. Absent when a path is missing. */
export type Reading = {
  /** Dotted, starting with the section: `serverStatus.…` or `systemMetrics.…`. `*` sums over all entries of a document. */
  readonly paths: readonly string[]
  readonly times: number
}

/** A metric of a server, under one name for all server versions. */
export type Metric = {
  readonly unit: string
  /** Counters only rise, and are reported as the increase over the window; gauges are reported as sampled. */
  readonly kind: 'counter' | 'gauge'
  readonly meaning: string
  /** Tried in order, because names differ between server versions. The first that exists counts. */
  readonly readings: readonly Reading[]
}

const sum = (...paths: readonly string[]): Reading => ({ paths, times: 1 })
const scaled = (times: number, ...paths: readonly string[]): Reading => ({ paths, times })

function metric(kind: Metric['kind'], unit: string, meaning: string, readings: readonly (string | Reading)[]): Metric {
  return { unit, kind, meaning, readings: readings.map((read) => (typeof read === 'string' ? sum(read) : read)) }
}

const counter = (unit: string, meaning: string, ...readings: readonly (string | Reading)[]): Metric =>
  metric('counter', unit, meaning, readings)
const gauge = (unit: string, meaning: string, ...readings: readonly (string | Reading)[]): Metric =>
  metric('gauge', unit, meaning, readings)

const cpu = (...names: readonly string[]): Reading => sum(...names.map((name) => `systemMetrics.cpu.${name}_ms`))
const disks = (name: string): string => `systemMetrics.disks.*.${name}`
const cache = (name: string): string => `serverStatus.wiredTiger.cache.${name}`
const blocks = (name: string): string => `serverStatus.wiredTiger.block-manager.${name}`
const journal = (name: string): string => `serverStatus.wiredTiger.log.${name}`
const latencies = (name: string): string => `serverStatus.opLatencies.${name}`
const network = (name: string): string => `serverStatus.network.${name}`
const queries = (name: string): string => `serverStatus.metrics.queryExecutor.${name}`
const transactions = (name: string): string => `serverStatus.transactions.${name}`

const busy = ['user', 'nice', 'system', 'irq', 'softirq', 'steal'] as const
const bytesPerSector = 512
const physicalDisks =
  "Summed over the host's physical disks (no LVM, md or device-mapper volumes), not only the one that holds the data."

export const metrics = {
  hostCpuBusyMs: counter(
    'ms',
    'CPU time of the whole host that was not idle and not waiting for I/O, summed over its cores. Includes stolen time.',
    cpu(...busy),
  ),
  hostCpuProcessesMs: counter(
    'ms',
    'CPU time that all processes of the host used, summed over its cores: neither interrupts nor stolen time.',
    cpu('user', 'nice', 'system'),
  ),
  hostCpuIoWaitMs: counter('ms', 'CPU time of the whole host spent idle while I/O was outstanding.', cpu('iowait')),
  hostCpuStealMs: counter('ms', 'CPU time that the hypervisor gave to other machines.', cpu('steal')),
  hostCpuTotalMs: counter(
    'ms',
    'All CPU time of the host, idle time included: the base of percentages. Cores x time.',
    cpu(...busy, 'idle', 'iowait'),
  ),
  processCpuUs: counter(
    'us',
    'CPU time of the mongod itself, user and system. Linux only.',
    sum('serverStatus.extra_info.user_time_us', 'serverStatus.extra_info.system_time_us'),
  ),
  pageFaults: counter('count', 'Page faults of the mongod that needed I/O.', 'serverStatus.extra_info.page_faults'),

  diskReads: counter('count', `Reads that reached a disk. ${physicalDisks}`, disks('reads')),
  diskWrites: counter('count', `Writes that reached a disk. ${physicalDisks}`, disks('writes')),
  diskReadBytes: counter(
    'bytes',
    `Read from disk, sectors of 512 bytes. ${physicalDisks}`,
    scaled(bytesPerSector, disks('read_sectors')),
  ),
  diskWriteBytes: counter(
    'bytes',
    `Written to disk, sectors of 512 bytes. ${physicalDisks}`,
    scaled(bytesPerSector, disks('write_sectors')),
  ),
  diskIoMs: counter('ms', `Time in which a disk had work. ${physicalDisks}`, disks('io_time_ms')),

  pagesReadIntoCache: counter('count', 'Pages read into the WiredTiger cache.', cache('pages read into cache')),
  bytesReadIntoCache: counter('bytes', 'Bytes read into the WiredTiger cache.', cache('bytes read into cache')),
  bytesWrittenFromCache: counter(
    'bytes',
    'Bytes written from the WiredTiger cache.',
    cache('bytes written from cache'),
  ),
  pagesEvictedByApplication: counter(
    'count',
    'Pages that operations had to evict themselves, because the cache was too full to wait. Servers of 8.0.16 and newer count attempts.',
    cache('pages evicted by application threads'),
    cache('eviction pages evicted by application threads'),
    cache('page evict attempts by application threads'),
  ),
  blockManagerBytesWritten: counter(
    'bytes',
    'Blocks written to files: collections, indexes, oplog and checkpoints. Not the journal.',
    blocks('bytes written'),
  ),
  blockManagerBytesRead: counter('bytes', 'Blocks read from files, as stored (compressed).', blocks('bytes read')),
  journalBytes: counter(
    'bytes',
    'Written to the journal (write-ahead log), padding included.',
    journal('log bytes written'),
  ),
  journalSyncs: counter('count', 'Times the journal was synced to disk.', journal('log sync operations')),
  checkpoints: counter(
    'count',
    'WiredTiger checkpoints.',
    'serverStatus.wiredTiger.checkpoint.total succeed number of checkpoints',
    'serverStatus.wiredTiger.transaction.transaction checkpoints',
  ),

  networkBytesIn: counter(
    'bytes',
    'Received by the mongod, as on the wire (compressed where compression is on), including replication, without the sampling of mongo-perf.',
    network('physicalBytesIn'),
    network('bytesIn'),
  ),
  networkBytesOut: counter(
    'bytes',
    'Sent by the mongod, as on the wire (compressed where compression is on), including replication, without the sampling of mongo-perf.',
    network('physicalBytesOut'),
    network('bytesOut'),
  ),

  writeConflicts: counter(
    'count',
    'Plain writes that had to be tried again. Conflicts that abort a transaction are not in it: see transactionsAborted.',
    'serverStatus.metrics.operation.writeConflicts',
  ),
  readLatencyUs: counter('us', 'Time spent on reads, as the server saw it.', latencies('reads.latency')),
  readOps: counter(
    'count',
    'Read commands that readLatencyUs covers: from clients, getMore from members that copy the oplog of this one, and reads that a primary mirrors to its secondaries.',
    latencies('reads.ops'),
  ),
  writeLatencyUs: counter('us', 'Time spent on writes, as the server saw it.', latencies('writes.latency')),
  writeOps: counter(
    'count',
    'Write commands that writeLatencyUs covers: from clients, not what is applied from the oplog.',
    latencies('writes.ops'),
  ),
  commandLatencyUs: counter(
    'us',
    'Time spent on other commands, as the server saw it; includes the sampling of mongo-perf.',
    latencies('commands.latency'),
  ),
  commandOps: counter('count', 'Other commands, without the sampling of mongo-perf.', latencies('commands.ops')),
  docsExamined: counter('count', 'Documents that queries and their plans looked at.', queries('scannedObjects')),
  keysExamined: counter('count', 'Index keys that queries and their plans looked at.', queries('scanned')),
  collectionScans: counter('count', 'Queries that read a whole collection.', queries('collectionScans.total')),
  transactionsCommitted: counter('count', 'Multi-document transactions committed.', transactions('totalCommitted')),
  transactionsAborted: counter('count', 'Multi-document transactions aborted.', transactions('totalAborted')),
  chunkMigrations: counter(
    'count',
    'Chunks that a shard has given to another, as its primary counted them when they were committed.',
    'serverStatus.shardingStatistics.countDonorMoveChunkCommitted',
    'serverStatus.shardingStatistics.countDonorMoveChunkStarted',
  ),
  ttlDeletes: counter('count', 'Documents, or buckets, deleted by age.', 'serverStatus.metrics.ttl.deletedDocuments'),
  flowControlWaitUs: counter(
    'us',
    'Time that writes waited because secondaries lagged. Means something on a primary only.',
    'serverStatus.flowControl.timeAcquiringMicros',
  ),

  cacheBytes: gauge('bytes', 'Bytes in the WiredTiger cache.', cache('bytes currently in the cache')),
  cacheDirtyBytes: gauge(
    'bytes',
    'Bytes in the cache that are not yet in a data file.',
    cache('tracked dirty bytes in the cache'),
  ),
  cacheMaxBytes: gauge('bytes', 'Configured size of the WiredTiger cache.', cache('maximum bytes configured')),
  residentMB: gauge('MB', 'Resident memory of the mongod.', 'serverStatus.mem.resident'),
  openFiles: gauge(
    'count',
    'Files that WiredTiger has open: one for each collection and index that is in use, and its own.',
    'serverStatus.wiredTiger.connection.files currently open',
  ),
  connections: gauge('count', 'Open connections.', 'serverStatus.connections.current'),
  ticketsReadOut: gauge(
    'count',
    'Reads inside of the storage engine.',
    'serverStatus.queues.execution.read.out',
    'serverStatus.wiredTiger.concurrentTransactions.read.out',
  ),
  ticketsWriteOut: gauge(
    'count',
    'Writes inside of the storage engine.',
    'serverStatus.queues.execution.write.out',
    'serverStatus.wiredTiger.concurrentTransactions.write.out',
  ),
  /** Without paths: it is computed from two members, see `replication-lag.ts`. */
  replicationLagMs: gauge(
    'ms',
    'How far this member has applied the oplog behind the primary, as the primary knows it.',
  ),
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics
export const metricNames = Object.keys(metrics) as [MetricName, ...MetricName[]]
export const metricEntries = Object.entries(metrics) as readonly (readonly [MetricName, Metric])[]

/** Whether a metric is one of the whole host, which every server on it reports alike. */
export const isOfHost = ({ readings }: Metric): boolean =>
  readings.every(({ paths }) => paths.every((path) => path.startsWith('systemMetrics.')))
