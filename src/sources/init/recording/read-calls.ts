import { type Document } from 'bson'
import { RecentMap } from '../../../core/recent-map.ts'
import { listDatabases } from '../../../traffic/data/find-data.ts'
import { type TrafficSummary, summarize } from '../../../traffic/inspect/summarize.ts'
import { decodeUntrusted } from '../../../traffic/recording/decode-untrusted.ts'
import { openRecording } from '../../../traffic/recording/open-recording.ts'
import { type RecordedCall } from '../../../traffic/recording/recorded-call.ts'
import { cursorsIn } from '../../../traffic/replay/cursors-in.ts'
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
  const { database, name, command: bytes, reply } = call
  const command = decodeUntrusted(bytes)
  if (command === undefined) return []
  // A command that names no collection is about the database.
  const collection = typeof command[name] === 'string' ? command[name] : '$cmd'
  const about = { ns: `${database}.${collection}`, errCode: reply?.ok === false ? reply.code : undefined }
  const entry = (op: string, of: Document, rest: Document): Document => Object.assign({ op, command: of }, about, rest)
  const statements = (field: string): readonly Document[] => (Array.isArray(command[field]) ? command[field] : [])
  const found = (all: readonly unknown[]): number | undefined =>
    reply === null || reply.n === null ? undefined : reply.n / all.length
  switch (name) {
    case 'insert':
      return [entry('insert', { insert: command['insert'] }, { ninserted: statements('documents').length })]
    case 'update':
      return statements('updates').map((one, _, all) => entry('update', one, { nMatched: found(all) }))
    case 'delete':
      return statements('deletes').map((one, _, all) => entry('remove', one, { ndeleted: found(all) }))
    case 'getMore':
      return cursorsIn(call).flatMap((id) => {
        const { ns, command: originatingCommand } = opened.get(id) ?? {}
        return [{ ns, op: 'getmore', command, originatingCommand, nreturned: reply?.documents ?? undefined }]
      })
    default: {
      const query = entry('query', command, { nreturned: reply?.documents ?? undefined })
      if (reply?.cursor) opened.set(reply.cursor, query)
      return [query]
    }
  }
}
