import type { Document } from 'bson'
import { RecentMap } from '../../../core/recent-map.ts'
import { listDatabases } from '../../../traffic/data/find-data.ts'
import { type TrafficSummary, summarize } from '../../../traffic/inspect/summarize.ts'
import { decodeUntrusted } from '../../../traffic/recording/decode-untrusted.ts'
import { openRecording } from '../../../traffic/recording/open-recording.ts'
import type { RecordedCall } from '../../../traffic/recording/recorded-call.ts'
import { cursorsIn } from '../../../traffic/replay/write-message.ts'
import { type CallGroups, count, createGrouping } from '../profile/call-groups.ts'

/** The calls of a recording by shape, of the database that most of them use. */
export type RecordedCalls = { readonly database: string; readonly found: CallGroups; readonly summary: TrafficSummary }

/** Commands of open cursors to keep: more are open in no application at once. */
const maxOpen = 1000

/** @throws {Problem} "recording-unreadable". */
export async function readCalls(file: string): Promise<RecordedCalls> {
  await using recording = await openRecording(file)
  const used = await listDatabases(recording)
  const { database } = used.find((one) => one.database !== 'admin') ?? { database: 'admin' }
  const grouping = createGrouping(database, recording.header.values === 'shape' ? 'hidden' : 'known')
  const opened = new RecentMap<bigint, Document>(maxOpen)
  for await (const batch of recording.batches('kept'))
    for (const call of batch)
      if (call.database === database) for (const entry of toEntries(call, opened)) grouping.add(entry)
  const found = grouping.result()
  const others = used.filter((one) => one.database !== database && !ofServer.has(one.database))
  const skipped = new Map(found.skipped)
  for (const { calls } of others) count(skipped, `they are not on ${database}`, calls)
  return { database, found: { ...found, skipped }, summary: await summarize(recording) }
}

/** Databases of which calls are about the server. */
const ofServer: ReadonlySet<string> = new Set(['admin', 'config', 'local'])

/**
 * A call as a profile has it: the statements of a write one by one, and no documents of inserts. Empty for a command that is not BSON.
 * @param opened Entries of calls by the cursors that they opened: a `getMore` has further documents of them.
 */
function toEntries(call: RecordedCall, opened: RecentMap<bigint, Document>): readonly Document[] {
  const { name, reply } = call
  const command = decodeUntrusted(call.command)
  if (command === undefined) return []
  const statements = statementsOfWrites.get(name)
  if (statements)
    return statements(command, reply?.n ?? undefined).map((one) => Object.assign(one, describe(call, command)))
  const nreturned = reply?.documents ?? undefined
  if (name === 'getMore')
    return cursorsIn(call).flatMap((id) => {
      const { ns, command: originatingCommand } = opened.get(id) ?? {}
      return [{ ns, op: 'getmore', command, originatingCommand, nreturned }]
    })
  const query = { op: 'query', command, ...describe(call, command), nreturned }
  if (reply?.cursor) opened.set(reply.cursor, query)
  return [query]
}

/** A command that names no collection is about the database. */
const describe = ({ database, name, reply }: RecordedCall, command: Document): Document => ({
  ns: `${database}.${typeof command[name] === 'string' ? command[name] : '$cmd'}`,
  errCode: reply?.ok === false ? reply.code : undefined,
})

const toList = (value: unknown): readonly Document[] => (Array.isArray(value) ? value : [])

/** The statements of writes, and how many documents each found. */
const statementsOfWrites = new Map<string, (command: Document, found?: number) => readonly Document[]>([
  ['insert', ({ insert, documents }) => [{ op: 'insert', command: { insert }, ninserted: toList(documents).length }]],
  [
    'update',
    ({ updates }, found) =>
      toList(updates).map((command, _, { length }) => ({ op: 'update', command, nMatched: found && found / length })),
  ],
  [
    'delete',
    ({ deletes }, found) =>
      toList(deletes).map((command, _, { length }) => ({ op: 'remove', command, ndeleted: found && found / length })),
  ],
])
