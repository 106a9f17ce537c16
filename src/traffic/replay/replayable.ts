import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { bsonType, fieldAt, int32At } from '../../protocol/bson/types.ts'
import type { RecordedCall } from '../recording/recorded-call.ts'

/** How a command is replayed. "follows": only after the call that opened its cursor or began its transaction. */
export type Replayed = 'reads' | 'writes' | 'follows'

/** Commands that are replayed. An aggregation that ends in `$out` or `$merge` writes. */
const replayed: Readonly<Record<string, Replayed>> = {
  find: 'reads',
  aggregate: 'reads',
  count: 'reads',
  distinct: 'reads',
  explain: 'reads',
  listCollections: 'reads',
  listIndexes: 'reads',
  dbStats: 'reads',
  collStats: 'reads',
  dataSize: 'reads',
  insert: 'writes',
  update: 'writes',
  delete: 'writes',
  findAndModify: 'writes',
  findandmodify: 'writes',
  bulkWrite: 'writes',
  create: 'writes',
  createIndexes: 'writes',
  getMore: 'follows',
  killCursors: 'follows',
  commitTransaction: 'follows',
  abortTransaction: 'follows',
}

/** Why the others are left out. A name in no list is administration. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'handshakes and logins': 'hello isMaster ismaster saslStart saslContinue authenticate getnonce logout'.split(' '),
  'ends of sessions': 'startSession endSessions refreshSessions killSessions'.split(' '),
  monitoring:
    'ping buildInfo buildinfo connectionStatus connPoolStats currentOp getCmdLineOpts getDiagnosticData getLog getParameter hostInfo isdbgrid listDatabases replSetGetStatus serverStatus top whatsmyuri'.split(
      ' ',
    ),
}
const administration = 'administration, and what drops or renames'

const findReason = new Map(Object.entries(reasons).flatMap(([reason, names]) => names.map((name) => [name, reason])))

/** Commands to this database are about the server, except these. */
const onAdmin: ReadonlySet<string> = new Set([
  'bulkWrite',
  'getMore',
  'killCursors',
  'commitTransaction',
  'abortTransaction',
])

const isOfServer = ({ database, name }: RecordedCall): boolean =>
  database === 'config' || database === 'local' || (database === 'admin' && !onAdmin.has(name))

/** Names of commands that can be chosen. What follows others comes with them. */
export const replayedCommands = Object.keys(replayed).filter((name) => replayed[name] !== 'follows')

/** How a call is replayed, or in an object why never. */
export function findTreatment(call: RecordedCall): Replayed | { readonly leftOut: string } {
  const treatment = Object.hasOwn(replayed, call.name) ? replayed[call.name] : undefined
  if (treatment === undefined) return { leftOut: findReason.get(call.name) ?? `${administration}: ${call.name}` }
  if (isOfServer(call)) return { leftOut: `${administration}: ${call.name} on ${call.database}` }
  if (waits(call)) return { leftOut: 'change streams and tailable cursors' }
  return call.name === 'aggregate' && hasStage(call.command, '$out', '$merge') ? 'writes' : treatment
}

/** Whether its cursor waits for what happens, which comes at other times in a replay. */
function waits({ name, command }: RecordedCall): boolean {
  if (name === 'aggregate') return hasStage(command, '$changeStream')
  const at = name === 'find' ? fieldAt(command, 0, 'tailable') : -1
  return at >= 0 && command[at + 'tailable'.length + 2] === 1
}

/** Whether a pipeline has one of these stages. */
function hasStage(command: Buffer, ...names: readonly string[]): boolean {
  const at = fieldAt(command, 0, 'pipeline')
  if (at < 0 || command[at] !== bsonType.array) return false
  const stages = new FieldReader()
  const stage = new FieldReader()
  const start = at + 'pipeline'.length + 2
  stages.open(command, start, start + int32At(command, start))
  while (stages.next()) {
    if (stages.type !== bsonType.document || !stage.openValueOf(stages).next()) continue
    if (names.some((one) => stage.is(one))) return true
  }
  return false
}
