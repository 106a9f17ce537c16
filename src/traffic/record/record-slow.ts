import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { type Document, EJSON } from 'bson'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { createRecording } from '../recording/create-recording.ts'
import { type RecordingHeader } from '../recording/header.ts'
import { type ValuesMode } from '../recording/values-modes.ts'
import { readServer } from './find-servers.ts'
import { numberFromZero } from './read-request.ts'
import { beganMs, callOfEntry } from './slow-operation.ts'
import { type RecordingSummary } from './start-recorder.ts'

type Wanted = { readonly file: string; readonly values: ValuesMode }

const missing =
  'Latencies are whole milliseconds of the server: less than one is 0, and the network is not in them. Replies have no documents, inserts are missing, writes of one command are separate, and each session counts as a connection.'

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
    return await recordEntries(entries, about, wanted, nothing)
  })

/**
 * Records the slow operations in the log of a mongod, one line of JSON for each.
 * @throws {Problem} "recording-unreadable", "usage" where there are none, "output-unwritable", "disk-full".
 */
export async function recordLog(log: string, wanted: Wanted): Promise<RecordingSummary> {
  const limits = [
    'A log has only operations that were slower than slowms, and of those only a share of sampleRate.',
    missing,
  ]
  const nothing = new Problem('usage', `${log} has no slow operation`, {
    hint: 'Name the log of a mongod of version 4.4 or later. db.setProfilingLevel(0, { slowms: 20 }) has it log operations of 20 ms.',
  })
  return await recordEntries(entriesIn(log), { source: 'log', serverVersion: null, limits }, wanted, nothing)
}

/**
 * Records the entries of a profile.
 * @param entries In the order in which they ended.
 * @param nothing Thrown where there are none, before a file is created.
 */
async function recordEntries(
  entries: AsyncIterable<Document>,
  about: Pick<RecordingHeader, 'source' | 'serverVersion' | 'limits'>,
  { file, values }: Wanted,
  nothing: Problem,
): Promise<RecordingSummary> {
  const connection = numberFromZero()
  const numbers = { connection, session: numberFromZero() }
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
      const call = callOfEntry(entry, atMs - fromMs, numbers)
      durationMs = Math.max(durationMs, atMs - fromMs)
      if (typeof call === 'string') writer.leaveOut(call)
      else writer.add(call)
      await writer.drained()
    }
  } catch (error) {
    await started?.writer.discard()
    throw error
  }
  if (started === undefined) throw nothing
  const { writer } = started
  return { ...(await writer.close(Math.round(durationMs * 1000))), connections: connection.size(), durationMs }
}

async function* entriesIn(log: string): AsyncGenerator<Document> {
  try {
    for await (const line of createInterface({ input: createReadStream(log), crlfDelay: Infinity }))
      if (line.includes('"Slow query"')) yield readEntry(line)
  } catch (error) {
    throw new Problem('recording-unreadable', `${log} cannot be read (${describeErrorCode(error)})`, {
      hint: 'Name the log of a mongod of version 4.4 or later.',
      cause: error,
    })
  }
}

/** Reads a line of a log as an entry of a profile, which has the same facts under other names. */
function readEntry(line: string): Document {
  const { t, attr = {}, truncated } = parseLine(line)
  const { type, durationMillis, remote, reslen } = attr as Document
  const cut = truncated === undefined ? {} : { command: { $truncated: true } }
  return { ...attr, ts: t, op: type, millis: durationMillis, client: remote, responseLength: reslen, ...cut }
}

function parseLine(line: string): Document {
  try {
    return EJSON.parse(line, { relaxed: false }) as Document
  } catch {
    return {}
  }
}
