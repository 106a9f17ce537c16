import { openDocument, type Fields, type Sample, type SourceName, toSample } from './sample.ts'

/** A command that returns metrics. */
export type Source = {
  readonly name: SourceName
  readonly command: Fields
  /** Null where the reply has no data (yet). */
  readonly read: (reply: Fields) => Sample | null
}

/** All metrics at once and cheaply, but up to a second old: the server collects them once a second. The only source for host CPU and disks. */
export const diagnosticData: Source = {
  name: 'getDiagnosticData',
  command: { getDiagnosticData: 1 },
  read(reply) {
    const sections = diagnosticSections(reply)
    const start = sections['start']
    const end = sections['end']
    if (!(start instanceof Date) || !sections['serverStatus']) return null
    const atMs = end instanceof Date ? (start.getTime() + end.getTime()) / 2 : start.getTime()
    return toSample('getDiagnosticData', atMs, sections)
  },
}

/** Sections that are not read: a seventh of the reply. A server ignores unknown names. */
const unread = [
  'asserts',
  'catalogStats',
  'electionMetrics',
  'encryptionAtRest',
  'globalLock',
  'hedgingMetrics',
  'indexBulkBuilder',
  'indexStats',
  'locks',
  'logicalSessionRecordCache',
  'oplogTruncation',
  'readConcernCounters',
  'scramCache',
  'security',
  'shardSplits',
  'storageEngine',
  'tcmalloc',
  'tenantMigrations',
  'trafficRecording',
  'twoPhaseCommitCoordinator',
]

/** The current values: read at the start and the end of a window. */
export const serverStatus: Source = {
  name: 'serverStatus',
  command: { serverStatus: 1, ...Object.fromEntries(unread.map((section) => [section, 0])) },
  read(reply) {
    const at = reply['localTime']
    return at instanceof Date ? toSample('serverStatus', at.getTime(), { serverStatus: reply }) : null
  },
}

/** From 8.0 on, members of sharded clusters split the document by role. Of a section in several roles, that of the shard counts. */
function diagnosticSections(reply: Fields): Fields {
  const data = openDocument(reply['data']) ?? {}
  const [common, router, shard] = ['common', 'router', 'shard'].map((block) => openDocument(data[block]))
  return { ...common, ...router, ...shard, ...data }
}
