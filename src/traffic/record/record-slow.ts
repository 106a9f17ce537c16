import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { EJSON, type Document, Long } from 'bson'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { toolVersion } from '../../core/versions.ts'
import { isDocument } from '../../language/values/bson-types.ts'
import { createAdminClient } from '../../servers/targets/connection/admin-client.ts'
import { messageWithoutSecrets } from '../../servers/targets/connection/driver-error.ts'
import { createRecording } from '../recording/create-recording.ts'
import { type RecordingHeader, type ValuesMode } from '../recording/header.ts'
import { numberSessions } from './read-request.ts'
import { callOf, type SlowOperation } from './slow-operation.ts'
import { type RecordingSummary } from './start-recorder.ts'

type Wanted = { readonly file: string; readonly values: ValuesMode }

const missing =
  'Replies have no documents, inserts are missing, writes of one command are separate, and each session counts as a connection.'

/**
 * Records the operations in the profile of a database.
 * @throws {Problem} "target-unreachable", "output-unwritable", "disk-full".
 */
export async function recordProfile(uri: string, database: string, wanted: Wanted): Promise<RecordingSummary> {
  await using client = createAdminClient(uri, { uriFrom: '--to', reachMs: 10_000 })
  try {
    const db = client.db(database)
    const { slowms, sampleRate, was } = await db.command({ profile: -1 })
    const { version } = await db.command({ buildInfo: 1 })
    const limits = [
      `The profile of ${database} has level ${was} now, slowms ${slowms} and sampleRate ${sampleRate}: ${was === 2 ? 'all operations' : `of those slower than ${slowms} ms, a share of ${sampleRate}`}.`,
      missing,
    ]
    const own = `${database}.system.profile`
    const entries = db
      .collection('system.profile', { promoteValues: false, bsonRegExp: true })
      .find({ ns: { $ne: own } }, { sort: { ts: 1 } })
    return await recordOperations(operationsOf(entries), { source: 'profile', serverVersion: String(version), limits }, wanted)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('target-unreachable', `The profile of ${database} cannot be read: ${messageWithoutSecrets(error, uri)}`, {
      hint: 'Check the URI. To read a profile, a user needs the role dbAdmin beside read.',
    })
  }
}

/**
 * Records the slow operations in a log of a mongod, which has a line of JSON for each.
 * @throws {Problem} "recording-unreadable", "output-unwritable", "disk-full".
 */
export async function recordLog(log: string, wanted: Wanted): Promise<RecordingSummary> {
  const limits = ['A log has only operations that were slower than slowms, and of those only a share of sampleRate.', missing]
  return await recordOperations(operationsIn(log), { source: 'log', serverVersion: null, limits }, wanted)
}

async function recordOperations(
  operations: AsyncIterable<SlowOperation | undefined>,
  about: Pick<RecordingHeader, 'source' | 'serverVersion' | 'limits'>,
  { file, values }: Wanted,
): Promise<RecordingSummary> {
  let started: Awaited<ReturnType<typeof start>> | undefined
  const clients = new Map<string, number>()
  const connection = (client: string): number => {
    if (!clients.has(client)) clients.set(client, clients.size)
    return clients.get(client) ?? 0
  }
  const numbering = { connection, session: numberSessions() }
  let lastMs = 0

  async function start(beganMs: number) {
    const header = { ...about, beganAt: new Date(beganMs).toISOString(), values, toolVersion: toolVersion() }
    // They come in the order of their ends.
    return { beganMs, writer: await createRecording(file, header, () => 0) }
  }

  for await (const operation of operations) {
    if (operation === undefined) continue
    started ??= await start(operation.endMs - operation.durationMs)
    const call = callOf(operation, started.beganMs, numbering)
    lastMs = Math.max(lastMs, operation.endMs - started.beganMs)
    if (typeof call === 'string') started.writer.leaveOut(call)
    else started.writer.add(call)
    await started.writer.drained()
  }
  const { writer } = (started ??= await start(Date.now()))
  return { ...(await writer.close(Math.round(lastMs * 1000))), connections: clients.size, durationMs: lastMs }
}

const numberOr = <Other>(value: unknown, other: Other): number | Other => {
  const number = value === undefined || value === null ? Number.NaN : Number(value)
  return Number.isSafeInteger(number) && number >= 0 ? number : other
}

const cursorIn = (value: unknown): bigint | null =>
  value instanceof Long ? value.toBigInt() : typeof value === 'number' ? BigInt(value) : null

async function* operationsOf(entries: AsyncIterable<Document>): AsyncGenerator<SlowOperation | undefined> {
  for await (const entry of entries) yield ofProfile(entry)
}

/** An entry of a profile. Undefined: it is no operation of an application. */
function ofProfile(entry: Document): SlowOperation | undefined {
  const { ts, op, ns, command, client, appName, millis } = entry
  if (!(ts instanceof Date) || !isDocument(command) || typeof ns !== 'string') return undefined
  if (String(appName).startsWith('mongo-perf')) return undefined
  // Calls of one session come one after the other, and a profile does not name connections.
  const { lsid } = command
  return {
    endMs: ts.getTime(),
    durationMs: numberOr(millis, 0),
    op: String(op),
    namespace: ns,
    command,
    client: lsid === undefined ? String(client) : JSON.stringify(lsid),
    code: numberOr(entry['errCode'], 0),
    found: numberOr(entry['nreturned'] ?? entry['nMatched'] ?? entry['ndeleted'], null),
    modified: numberOr(entry['nModified'], null),
    cursor: cursorIn(entry['cursorid']),
    replyBytes: numberOr(entry['responseLength'], 0),
  }
}

async function* operationsIn(log: string): AsyncGenerator<SlowOperation | undefined> {
  try {
    for await (const line of createInterface({ input: createReadStream(log), crlfDelay: Infinity }))
      if (line.includes('"Slow query"')) yield ofLine(line)
  } catch (error) {
    throw new Problem('recording-unreadable', `${log} cannot be read (${describeErrorCode(error)})`, {
      hint: 'Name the log of a mongod of version 4.4 or later.',
      cause: error,
    })
  }
}

/** The line of a slow operation: what a profile calls an entry. Undefined: it is none. */
function ofLine(line: string): SlowOperation | undefined {
  const entry = parseLine(line)
  const { t, attr } = entry
  if (!isDocument(attr)) return undefined
  const { type, durationMillis, remote, errCode, reslen, cursorid, nreturned, ...rest } = attr
  return ofProfile({
    ...rest,
    ts: t,
    op: type === 'command' ? 'query' : type,
    millis: durationMillis,
    client: remote,
    errCode,
    responseLength: reslen,
    cursorid,
    nreturned,
  })
}

function parseLine(line: string): Document {
  try {
    return EJSON.parse(line, { relaxed: false }) as Document
  } catch {
    return {}
  }
}
