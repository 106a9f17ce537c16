import { type Document } from 'bson'
import { type TrafficSummary, summarize } from '../../../traffic/inspect/summarize.ts'
import { openRecording, type Recording } from '../../../traffic/recording/open-recording.ts'
import { type RecordedCall } from '../../../traffic/recording/recorded-call.ts'
import { decode } from '../collection/sample-collection.ts'
import { type CallGroups, createGrouping } from '../profile/call-groups.ts'

/** The calls of a recording by shape, of the database that most of them use. */
export type RecordedCalls = { readonly database: string; readonly found: CallGroups; readonly summary: TrafficSummary }

/** @throws {Problem} "recording-unreadable". */
export async function readCalls(file: string): Promise<RecordedCalls> {
  await using recording = await openRecording(file)
  const database = await findDatabase(recording)
  const grouping = createGrouping(database)
  for await (const call of recording.calls())
    if (call.database === database) for (const entry of entriesOf(call)) grouping.add(entry)
  return { database, found: grouping.result(), summary: await summarize(recording) }
}

async function findDatabase(recording: Recording): Promise<string> {
  const calls = new Map<string, number>()
  for await (const { database } of recording.calls()) calls.set(database, (calls.get(database) ?? 0) + 1)
  calls.delete('admin')
  return [...calls].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 'admin'
}

/** A call as a profile has it: the statements of a write one by one, and no documents of inserts. */
function entriesOf({ database, name, command: bytes, reply }: RecordedCall): readonly Document[] {
  const command = decode(bytes)
  const ns = `${database}.${String(command[name])}`
  const failure = reply !== null && !reply.ok ? { errCode: reply.code } : {}
  const statements = (field: string): readonly Document[] => (Array.isArray(command[field]) ? command[field] : [])
  const share = (count: number): number | undefined => (reply?.n == null ? undefined : reply.n / count)
  switch (name) {
    case 'insert':
      return [
        {
          op: 'insert',
          ns,
          command: { insert: command['insert'] },
          ninserted: statements('documents').length,
          ...failure,
        },
      ]
    case 'update':
      return statements('updates').map((one, _, all) => ({
        op: 'update',
        ns,
        command: one,
        nMatched: share(all.length),
        ...failure,
      }))
    case 'delete':
      return statements('deletes').map((one, _, all) => ({
        op: 'remove',
        ns,
        command: one,
        ndeleted: share(all.length),
        ...failure,
      }))
    case 'getMore':
      return []
    default:
      return [{ op: 'query', ns, command, nreturned: reply?.documents ?? undefined, ...failure }]
  }
}
