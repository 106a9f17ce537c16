import { type Scope } from '../scope.ts'
import { ratio } from '../statistics.ts'
import { type Columns } from './column.ts'
import { count, meanMs, perOperation, rate, share, total } from './from-metrics.ts'

const bytesPerKB = 1024
const bytesPerMB = 1024 * 1024

const ofHost = { source: 'getDiagnosticData', of: ['phase'] } as const
const ofServer = { source: 'serverStatus', of: ['phase'] } as const

const cpuOfOneCore = rate(['processCpuUs'], 10_000)

/** Null for secondaries, because only the cores of the primary are known. */
function ofItsCores({ variant, phase, member: wanted }: Scope, percent: number | null): number | null {
  const isOther = phase.members.some(({ member, role }) => member === wanted && role === 'secondary')
  return isOther ? null : ratio(percent, variant.server?.cores ?? null)
}

/**
 * Columns for counters of the server: of the member that takes the writes (the primary or the standalone server), in a sharded
 * cluster of the primaries of all shards together, or in a table of members of the row's member.
 */
export const serverColumns = {
  cpuPercent: {
    ...ofHost,
    title: 'CPU Usage (%)',
    unit: '%',
    meaning:
      "CPU time of the primary's host that was neither idle nor waiting for I/O, divided by all CPU time of its cores.",
    digits: 0,
    ...share('hostCpuBusyMs', 'hostCpuTotalMs'),
  },
  ioWaitPercent: {
    ...ofHost,
    title: 'Time waiting for I/O (%)',
    unit: '%',
    meaning:
      "CPU time of the primary's host that was idle because it waited for I/O, divided by all CPU time of its cores.",
    digits: 0,
    ...share('hostCpuIoWaitMs', 'hostCpuTotalMs'),
  },
  stealPercent: {
    ...ofHost,
    title: 'CPU stolen (%)',
    unit: '%',
    meaning: "CPU time that a hypervisor took from the primary's host, divided by all CPU time of its cores.",
    digits: 1,
    ...share('hostCpuStealMs', 'hostCpuTotalMs'),
  },
  serverCpuPercent: {
    ...ofServer,
    title: 'Server CPU (% of a core)',
    unit: '% of a core',
    meaning:
      'CPU time of the primary’s process, in a sharded cluster the sum of the primaries of all shards, divided by the length of the timed window; 100 is one core.',
    digits: 0,
    ...cpuOfOneCore,
  },
  serverCpuOfLimitPercent: {
    ...ofServer,
    title: 'Server CPU (% of its cores)',
    unit: '% of its cores',
    meaning:
      'CPU time of the primary’s process, in a sharded cluster the sum of the primaries of all shards, divided by the length of the timed window and by the cores that it may use: the cores of its limits, or that it is pinned to, otherwise all of its host.',
    digits: 0,
    value: (scope) => ofItsCores(scope, cpuOfOneCore.value(scope)),
    perSecond: (scope) => cpuOfOneCore.perSecond?.(scope)?.map((value) => ofItsCores(scope, value)) ?? null,
    metrics: cpuOfOneCore.metrics,
  },
  serverCpuUsPerOperation: {
    ...ofServer,
    title: 'Server CPU (µs/op)',
    unit: 'µs/op',
    meaning:
      'CPU time of the primary’s process, in a sharded cluster the sum of the primaries of all shards, divided by all operations of the phase.',
    digits: 0,
    better: 'lower',
    ...perOperation('processCpuUs'),
  },
  serverMemoryMB: {
    ...ofServer,
    title: 'Server Memory (MB)',
    unit: 'MB',
    meaning:
      'Resident memory of the primary’s process, in a sharded cluster the sum of the primaries of all shards, at the end of the timed window.',
    digits: 0,
    value: (scope) => total(scope, ['residentMB']),
    metrics: ['residentMB'],
  },
  openFiles: {
    ...ofServer,
    title: 'Open Files',
    unit: 'files',
    meaning:
      'Files that the storage engine of the primary has open at the end of the timed window: one for each collection and index in use, and its own.',
    digits: 0,
    value: (scope) => total(scope, ['openFiles']),
    metrics: ['openFiles'],
  },
  serverLatencyMs: {
    ...ofServer,
    title: 'Server Latency (ms)',
    unit: 'ms',
    meaning:
      'Time that the primary spent in reads and writes (opLatencies) divided by their number; without the network and the client.',
    digits: 2,
    better: 'lower',
    ...meanMs(['readLatencyUs', 'writeLatencyUs'], ['readOps', 'writeOps']),
  },
  chunkMigrations: {
    ...ofServer,
    title: 'Chunk Migrations',
    unit: '',
    meaning: 'Chunks that the shards of a cluster gave to each other within the timed window; empty without shards.',
    digits: 0,
    better: 'lower',
    ...count('chunkMigrations'),
  },
  writeConflicts: {
    ...ofServer,
    title: 'writeConflicts',
    unit: '',
    meaning: 'Write conflicts that the primary retried (metrics.operation.writeConflicts).',
    digits: 0,
    better: 'lower',
    ...count('writeConflicts'),
  },
  ttlDeletes: {
    ...ofServer,
    title: 'TTL Deletions',
    unit: 'docs',
    meaning: 'Documents, or buckets, that the primary deleted by age (metrics.ttl.deletedDocuments), once a minute.',
    digits: 0,
    ...count('ttlDeletes'),
  },
  pagesReadPerSecond: {
    ...ofServer,
    title: 'Read into Cache (Pages/s)',
    unit: 'pages/s',
    meaning: 'Pages that WiredTiger read into its cache, divided by the length of the timed window.',
    digits: 0,
    ...rate(['pagesReadIntoCache']),
  },
  pagesReadPerOperation: {
    ...ofServer,
    title: 'Read into Cache (Pages/op)',
    unit: 'pages/op',
    meaning: 'Pages that WiredTiger read into its cache, divided by all operations of the phase.',
    digits: 2,
    better: 'lower',
    ...perOperation('pagesReadIntoCache'),
  },
  cacheWrittenKBps: {
    ...ofServer,
    title: 'Write from Cache (KB/s)',
    unit: 'KB/s',
    meaning:
      'Bytes that the block manager wrote (collections, indexes, oplog, checkpoints), divided by the length of the timed window.',
    digits: 0,
    ...rate(['blockManagerBytesWritten'], bytesPerKB),
  },
  cacheEvictedKBps: {
    ...ofServer,
    title: 'Evicted from Cache (KB/s)',
    unit: 'KB/s',
    meaning: 'Bytes written from the cache, before compression, divided by the length of the timed window.',
    digits: 0,
    ...rate(['bytesWrittenFromCache'], bytesPerKB),
  },
  journalKBps: {
    ...ofServer,
    title: 'Write to WAL (KB/s)',
    unit: 'KB/s',
    meaning: 'Bytes written to the journal (log bytes written), divided by the length of the timed window.',
    digits: 0,
    ...rate(['journalBytes'], bytesPerKB),
  },
  journalBytesPerOperation: {
    ...ofServer,
    title: 'Write to WAL (B/op)',
    unit: 'B/op',
    meaning: 'Bytes written to the journal, divided by all operations of the phase.',
    digits: 0,
    better: 'lower',
    ...perOperation('journalBytes'),
  },
  journalSyncsPerSecond: {
    ...ofServer,
    title: 'WAL Syncs (1/s)',
    unit: '1/s',
    meaning: 'Syncs of the journal to disk, divided by the length of the timed window.',
    digits: 1,
    ...rate(['journalSyncs']),
  },
  diskIops: {
    ...ofHost,
    title: 'O/S IOPS',
    unit: 'IOPS',
    meaning: "Reads and writes of the disks of the primary's host, divided by the length of the timed window.",
    digits: 0,
    ...rate(['diskReads', 'diskWrites']),
  },
  diskWriteMBps: {
    ...ofHost,
    title: 'O/S Write (MB/s)',
    unit: 'MB/s',
    meaning: "Bytes written to the disks of the primary's host, divided by the length of the timed window.",
    digits: 1,
    ...rate(['diskWriteBytes'], bytesPerMB),
  },
  diskReadMBps: {
    ...ofHost,
    title: 'O/S Read (MB/s)',
    unit: 'MB/s',
    meaning: "Bytes read from the disks of the primary's host, divided by the length of the timed window.",
    digits: 1,
    ...rate(['diskReadBytes'], bytesPerMB),
  },
  networkOutKBps: {
    ...ofServer,
    title: 'KB/s Network out',
    unit: 'KB/s',
    meaning:
      'Bytes that the primary sent, including replication and excluding samples of mongo-perf, divided by the length of the timed window.',
    digits: 0,
    ...rate(['networkBytesOut'], bytesPerKB),
  },
  networkInKBps: {
    ...ofServer,
    title: 'KB/s Network in',
    unit: 'KB/s',
    meaning:
      'Bytes that the primary received, including replication and excluding samples of mongo-perf, divided by the length of the timed window.',
    digits: 0,
    ...rate(['networkBytesIn'], bytesPerKB),
  },
  docsExaminedPerOperation: {
    ...ofServer,
    title: 'Documents examined (1/op)',
    unit: 'docs/op',
    meaning: 'Documents that the primary examined for queries, divided by all operations of the phase.',
    digits: 2,
    better: 'lower',
    ...perOperation('docsExamined'),
  },
  keysExaminedPerOperation: {
    ...ofServer,
    title: 'Keys examined (1/op)',
    unit: 'keys/op',
    meaning: 'Index keys that the primary examined for queries, divided by all operations of the phase.',
    digits: 2,
    better: 'lower',
    ...perOperation('keysExamined'),
  },
} as const satisfies Columns
