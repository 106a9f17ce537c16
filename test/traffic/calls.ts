import { deserialize, type Document, ObjectId, serialize } from 'bson'
import {
  type Arbitrary,
  bigInt,
  boolean,
  constant,
  constantFrom,
  integer,
  nat,
  option,
  record,
  string,
  uint8Array,
} from 'fast-check'
import { createRecording } from '../../src/traffic/recording/create-recording.ts'
import { type RecordingHeader } from '../../src/traffic/recording/header.ts'
import { openRecording } from '../../src/traffic/recording/open-recording.ts'
import {
  type RecordedCall,
  type RecordedReply,
  type RecordedSession,
} from '../../src/traffic/recording/recorded-call.ts'

export const header: RecordingHeader = {
  beganAt: '2026-11-27T12:00:00.000Z',
  source: 'proxy',
  values: 'keep',
  serverVersion: '8.0.4',
  toolVersion: '0.1.0',
  limits: [],
}

/** A call with a command, as the driver sends one. */
export function aCall(command: Document, call: Partial<RecordedCall> = {}): RecordedCall {
  return {
    connection: 0,
    startUs: 0,
    latencyUs: 250,
    database: 'shop',
    name: Object.keys(command)[0] ?? '',
    command: Buffer.from(serialize(command)),
    session: null,
    acknowledged: true,
    requestBytes: 180,
    reply: aReplyOf(),
    ...call,
  }
}

export const aReplyOf = (reply: Partial<RecordedReply> = {}): RecordedReply => ({
  ok: true,
  code: 0,
  n: null,
  nModified: null,
  cursor: null,
  documents: null,
  digest: null,
  upsertedIds: [],
  work: null,
  bytes: 120,
  ...reply,
})

const count = nat()
const size = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const session: Arbitrary<RecordedSession> = record({
  number: count,
  transactionNumber: option(count),
  transaction: constantFrom('none', 'starts', 'continues'),
})
const reply: Arbitrary<RecordedReply> = record({
  ok: boolean(),
  code: nat(20_000),
  n: option(size),
  nModified: option(count),
  cursor: option(bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  documents: option(count),
  digest: option(bigInt({ min: 0n, max: 2n ** 64n - 1n })),
  upsertedIds: constantFrom<string[]>([], ['0123456789abcdef01234567']),
  work: option(record({ plan: constantFrom('', 'COLLSCAN', 'IXSCAN { Größe: 1 }'), keys: count, documents: size })),
  bytes: size,
})

/** Commands of any values. */
export const commands: Arbitrary<Document> = record({
  find: string(),
  filter: record({ _id: option(integer()), text: string(), bytes: uint8Array() }),
  limit: nat(),
}).chain((command) =>
  constantFrom<Document>(command, {
    insert: 'orders',
    documents: [command.filter, { at: new Date(0), id: new ObjectId('0123456789abcdef01234567') }],
  }),
)

/** Calls of ten seconds, whose starts are in no order. */
export const anyCall: Arbitrary<RecordedCall> = commands.chain((command) =>
  record({
    connection: nat(200),
    startUs: nat(9_999_999),
    latencyUs: option(size),
    database: string().filter((name) => !name.includes('\0')),
    name: constant(Object.keys(command)[0] ?? ''),
    command: constant(Buffer.from(serialize(command))),
    session: option(session),
    acknowledged: boolean(),
    requestBytes: size,
    reply: option(reply),
  }),
)

/** Writes a recording of calls, and returns its file. */
export async function writeAll(
  file: string,
  calls: readonly RecordedCall[],
  changes: Partial<RecordingHeader> = {},
  durationUs = 0,
) {
  const writer = await createRecording(file, { ...header, ...changes })
  for (const call of calls) writer.add(call)
  return await writer.close(durationUs)
}

/** All calls of a recording, and how it ended. */
export async function readAll(file: string) {
  await using recording = await openRecording(file)
  const calls: RecordedCall[] = []
  for await (const batch of recording.batches('kept')) calls.push(...batch)
  return { header: recording.header, calls, end: recording.end() }
}

export const commandOf = (call: RecordedCall | undefined): Document => deserialize(call?.command ?? serialize({}))
