import { type Scope } from '../scope.ts'
import { ratio } from '../statistics.ts'
import { defineColumns } from './column.ts'
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
export const serverColumns = defineColumns(ofServer, {
  cpuPercent: {
    ...ofHost,
    title: 'CPU Usage (%)',
    meaning:
      "CPU time of the primary's host that was neither idle nor waiting for I/O, divided by all CPU time of its cores.",
    ...share('hostCpuBusyMs', 'hostCpuTotalMs'),
  },
  ioWaitPercent: {
    ...ofHost,
    title: 'Time waiting for I/O (%)',
    meaning:
      "CPU time of the primary's host that was idle because it waited for I/O, divided by all CPU time of its cores.",
    ...share('hostCpuIoWaitMs', 'hostCpuTotalMs'),
  },
  stealPercent: {
    ...ofHost,
    title: 'CPU stolen (%)',
    meaning: "CPU time that a hypervisor took from the primary's host, divided by all CPU time of its cores.",
    digits: 1,
    ...share('hostCpuStealMs', 'hostCpuTotalMs'),
  },
  serverCpuPercent: {
    title: 'Server CPU (% of a core)',
    meaning:
      'CPU time of the primary’s process, in a sharded cluster the sum of the primaries of all shards, divided by the length of the timed window; 100 is one core.',
    ...cpuOfOneCore,
  },
  serverCpuOfLimitPercent: {
    title: 'Server CPU (% of its cores)',
    meaning:
      'CPU time of the primary’s process, in a sharded cluster the sum of the primaries of all shards, divided by the length of the timed window and by the cores that it may use: as limited or pinned, otherwise all cores of its host.',
    value: (scope) => ofItsCores(scope, cpuOfOneCore.value(scope)),
    perSecond: (scope) => cpuOfOneCore.perSecond?.(scope)?.map((value) => ofItsCores(scope, value)) ?? null,
    metrics: cpuOfOneCore.metrics,
  },
  serverCpuUsPerOperation: {
    title: 'Server CPU (µs/op)',
    meaning:
      'CPU time of the primary’s process, in a sharded cluster the sum of the primaries of all shards, divided by all operations of the phase.',
    better: 'lower',
    ...perOperation('processCpuUs'),
  },
  serverMemoryMB: {
    title: 'Server Memory (MB)',
    meaning:
      'Resident memory of the primary’s process, in a sharded cluster the sum of the primaries of all shards, at the end of the timed window.',
    value: (scope) => total(scope, ['residentMB']),
    metrics: ['residentMB'],
  },
  openFiles: {
    title: 'Open Files',
    unit: 'files',
    meaning:
      'Files that the storage engine of the primary has open at the end of the timed window: one for each collection and index in use, and its own.',
    value: (scope) => total(scope, ['openFiles']),
    metrics: ['openFiles'],
  },
  serverLatencyMs: {
    title: 'Server Latency (ms)',
    meaning:
      'Time that the primary spent in reads and writes (opLatencies) divided by their number; without the network and the client.',
    better: 'lower',
    ...meanMs(['readLatencyUs', 'writeLatencyUs'], ['readOps', 'writeOps']),
  },
  chunkMigrations: {
    title: 'Chunk Migrations',
    meaning: 'Chunks moved between the shards of a cluster within the timed window; empty without shards.',
    better: 'lower',
    ...count('chunkMigrations'),
  },
  writeConflicts: {
    title: 'writeConflicts',
    meaning: 'Write conflicts that the primary retried (metrics.operation.writeConflicts).',
    better: 'lower',
    ...count('writeConflicts'),
  },
  ttlDeletes: {
    title: 'TTL Deletions',
    unit: 'docs',
    meaning: 'Documents, or buckets, that the primary deleted by age (metrics.ttl.deletedDocuments), once a minute.',
    ...count('ttlDeletes'),
  },
  pagesReadPerSecond: {
    title: 'Read into Cache (Pages/s)',
    unit: 'pages/s',
    meaning: 'Pages that WiredTiger read into its cache, divided by the length of the timed window.',
    ...rate(['pagesReadIntoCache']),
  },
  pagesReadPerOperation: {
    title: 'Read into Cache (Pages/op)',
    unit: 'pages/op',
    meaning: 'Pages that WiredTiger read into its cache, divided by all operations of the phase.',
    digits: 2,
    better: 'lower',
    ...perOperation('pagesReadIntoCache'),
  },
  cacheWrittenKBps: {
    title: 'Write from Cache (KB/s)',
    meaning:
      'Bytes that the block manager wrote (collections, indexes, oplog, checkpoints), divided by the length of the timed window.',
    ...rate(['blockManagerBytesWritten'], bytesPerKB),
  },
  cacheEvictedKBps: {
    title: 'Evicted from Cache (KB/s)',
    meaning: 'Bytes written from the cache, before compression, divided by the length of the timed window.',
    ...rate(['bytesWrittenFromCache'], bytesPerKB),
  },
  journalKBps: {
    title: 'Write to WAL (KB/s)',
    meaning: 'Bytes written to the journal (log bytes written), divided by the length of the timed window.',
    ...rate(['journalBytes'], bytesPerKB),
  },
  journalBytesPerOperation: {
    title: 'Write to WAL (B/op)',
    meaning: 'Bytes written to the journal, divided by all operations of the phase.',
    better: 'lower',
    ...perOperation('journalBytes'),
  },
  journalSyncsPerSecond: {
    title: 'WAL Syncs (1/s)',
    meaning: 'Syncs of the journal to disk, divided by the length of the timed window.',
    digits: 1,
    ...rate(['journalSyncs']),
  },
  diskIops: {
    ...ofHost,
    title: 'O/S IOPS',
    unit: 'IOPS',
    meaning: "Reads and writes of the disks of the primary's host, divided by the length of the timed window.",
    ...rate(['diskReads', 'diskWrites']),
  },
  diskWriteMBps: {
    ...ofHost,
    title: 'O/S Write (MB/s)',
    meaning: "Bytes written to the disks of the primary's host, divided by the length of the timed window.",
    digits: 1,
    ...rate(['diskWriteBytes'], bytesPerMB),
  },
  diskReadMBps: {
    ...ofHost,
    title: 'O/S Read (MB/s)',
    meaning: "Bytes read from the disks of the primary's host, divided by the length of the timed window.",
    digits: 1,
    ...rate(['diskReadBytes'], bytesPerMB),
  },
  networkOutKBps: {
    title: 'KB/s Network out',
    unit: 'KB/s',
    meaning:
      'Bytes that the primary sent, including replication and excluding samples of mongo-perf, divided by the length of the timed window.',
    ...rate(['networkBytesOut'], bytesPerKB),
  },
  networkInKBps: {
    title: 'KB/s Network in',
    unit: 'KB/s',
    meaning:
      'Bytes that the primary received, including replication and excluding samples of mongo-perf, divided by the length of the timed window.',
    ...rate(['networkBytesIn'], bytesPerKB),
  },
  docsExaminedPerOperation: {
    title: 'Documents examined (1/op)',
    unit: 'docs/op',
    meaning: 'Documents that the primary examined for queries, divided by all operations of the phase.',
    digits: 2,
    better: 'lower',
    ...perOperation('docsExamined'),
  },
  keysExaminedPerOperation: {
    title: 'Keys examined (1/op)',
    unit: 'keys/op',
    meaning: 'Index keys that the primary examined for queries, divided by all operations of the phase.',
    digits: 2,
    better: 'lower',
    ...perOperation('keysExamined'),
  },
})
