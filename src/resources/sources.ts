import { openDocument, type Fields } from './path-reader.ts'
import { type Sample, type SourceName, toSample } from './sample.ts'

/** A command that tells how a server is doing. */
export type Source = {
  readonly name: SourceName
  readonly command: Fields
  /** Null: the server answered, but has nothing to tell (yet). */
  readonly read: (reply: Fields) => Sample | null
}

/** Everything at once and cheaply, but as of the server's own last look, up to a second ago. The only source for host CPU and disks. */
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

/** Sections that nothing here reads: a seventh of the reply. A server ignores names that it does not know. */
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

/** As of this very moment: what the edges of a window are read with. */
export const serverStatus: Source = {
  name: 'serverStatus',
  command: { serverStatus: 1, ...Object.fromEntries(unread.map((section) => [section, 0])) },
  read(reply) {
    const at = reply['localTime']
    return at instanceof Date ? toSample('serverStatus', at.getTime(), { serverStatus: reply }) : null
  },
}

/** Members of sharded clusters split the document by role from 8.0 on. Where a section is there twice, the one of the shard counts. */
function diagnosticSections(reply: Fields): Fields {
  const data = openDocument(reply['data']) ?? {}
  const [common, router, shard] = ['common', 'router', 'shard'].map((block) => openDocument(data[block]))
  return { ...common, ...router, ...shard, ...data }
}
