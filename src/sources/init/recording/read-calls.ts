import { type Document } from 'bson'
import { listDatabases } from '../../../traffic/data/find-data.ts'
import { type TrafficSummary, summarize } from '../../../traffic/inspect/summarize.ts'
import { decodeUntrusted } from '../../../traffic/recording/decode-untrusted.ts'
import { openRecording } from '../../../traffic/recording/open-recording.ts'
import { type RecordedCall } from '../../../traffic/recording/recorded-call.ts'
import { type CallGroups, createGrouping } from '../profile/call-groups.ts'

/** The calls of a recording by shape, of the database that most of them use. */
export type RecordedCalls = { readonly database: string; readonly found: CallGroups; readonly summary: TrafficSummary }

/** @throws {Problem} "recording-unreadable". */
export async function readCalls(file: string): Promise<RecordedCalls> {
  await using recording = await openRecording(file)
  const used = await listDatabases(recording)
  const { database } = used.find((one) => one.database !== 'admin') ?? { database: 'admin' }
  const grouping = createGrouping(database, recording.header.values === 'shape' ? 'hidden' : 'known')
  for await (const batch of recording.batches('kept'))
    for (const call of batch) if (call.database === database) for (const entry of toEntries(call)) grouping.add(entry)
  return { database, found: grouping.result(), summary: await summarize(recording) }
}

/** A call as a profile has it: the statements of a write one by one, and no documents of inserts. Empty for a command that is not BSON. */
function toEntries({ database, name, command: bytes, reply }: RecordedCall): readonly Document[] {
  const command = decodeUntrusted(bytes)
  if (command === undefined) return []
  const about = { ns: `${database}.${String(command[name])}`, errCode: reply?.ok === false ? reply.code : undefined }
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
      return []
    default:
      return [entry('query', command, { nreturned: reply?.documents ?? undefined })]
  }
}
