import { type Document } from 'bson'
import { Problem } from '../../core/errors.ts'
import { createRecording } from '../recording/create-recording.ts'
import { type RecordingHeader } from '../recording/header.ts'
import { type ValuesMode } from '../recording/values-modes.ts'
import { readServer } from './find-servers.ts'
import { readLog } from './read-log.ts'
import { numberFromZero } from './read-request.ts'
import { beganMs, callOfEntry } from './slow-operation.ts'
import { type RecordingSummary } from './start-recorder.ts'
import { matchWholeWrites } from './whole-writes.ts'

type Wanted = { readonly file: string; readonly values: ValuesMode }

const missing =
  'Latencies are whole milliseconds of the server: less than one is 0, and the network is not in them. Replies have no documents, inserts of several documents are missing, writes of one command are separate, and each session counts as a connection.'

/**
 * Records the operations in the profile of a database.
 * @throws {Problem} "target-unreachable", "usage" where there are none, "output-unwritable", "disk-full".
 */
export const recordProfile = (uri: string, database: string, wanted: Wanted): Promise<RecordingSummary> =>
  readServer(uri, `The profile of ${database}`, async (client) => {
    const db = client.db(database)
    const { slowms, sampleRate, was } = await db.command({ profile: -1 })
    const { version } = await db.command({ buildInfo: 1 })
    const level = `The profile of ${database} has level ${was}, slowms ${slowms} and sampleRate ${sampleRate}.`
    const entries = db
      .collection('system.profile', { promoteValues: false, bsonRegExp: true })
      .find({ ns: { $ne: `${database}.system.profile` } }, { sort: { ts: 1 } })
    const about = { source: 'profile', serverVersion: String(version), limits: [level, missing] } as const
    const nothing = new Problem('usage', `The profile of ${database} has no operation`, {
      hint: 'Turn it on for a while (db.setProfilingLevel(2), or 1 for slow operations), let the application work, and record then.',
    })
    return await recordEntries(entries, about, wanted, () => nothing)
  })

/**
 * Records the slow operations in the log of a mongod.
 * @throws {Problem} "recording-unreadable", "usage" where there are none, "output-unwritable", "disk-full".
 */
export async function recordLog(log: string, wanted: Wanted): Promise<RecordingSummary> {
  const limits = [
    'A log has only operations that were slower than slowms, and of those only a share of sampleRate.',
    missing,
  ]
  const { entries, leftOut, nothing } = readLog(log)
  return await recordEntries(entries(), { source: 'log', serverVersion: null, limits }, wanted, nothing, leftOut)
}

/**
 * Records the entries of a profile.
 * @param entries In the order in which they ended.
 * @param nothing Thrown where there are none, before a file is created.
 * @param leftOut What their source could not read, known when they have been read.
 */
async function recordEntries(
  entries: AsyncIterable<Document>,
  about: Pick<RecordingHeader, 'source' | 'serverVersion' | 'limits'>,
  { file, values }: Wanted,
  nothing: () => Problem,
  leftOut: () => ReadonlyMap<string, number> = () => new Map(),
): Promise<RecordingSummary> {
  const numbers = { connection: numberFromZero(), session: numberFromZero() }
  const leaveOut = matchWholeWrites()
  const start = async (fromMs: number) => {
    const beganAt = new Date(fromMs).toISOString()
    return { fromMs, writer: await createRecording(file, { ...about, beganAt, values }) }
  }
  let started: Awaited<ReturnType<typeof start>> | undefined
  let durationMs = 0
  try {
    for await (const entry of entries) {
      const atMs = beganMs(entry)
      if (atMs === undefined) continue
      const { writer, fromMs } = (started ??= await start(atMs))
      durationMs = Math.max(durationMs, atMs - fromMs)
      const call = leaveOut(entry) ?? callOfEntry(entry, atMs - fromMs, numbers)
      if ('reason' in call) writer.leaveOut(call.reason, call.calls)
      else writer.add(call)
      await writer.drained()
    }
  } catch (error) {
    await started?.writer.discard()
    throw error
  }
  if (started === undefined) throw nothing()
  const { writer } = started
  for (const [reason, lines] of leftOut()) writer.leaveOut(reason, lines)
  return { ...(await writer.close(Math.round(durationMs * 1000))), durationMs }
}
