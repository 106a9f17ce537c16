import { rm, writeFile } from 'node:fs/promises'
import { integer, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { placeKey, Stream } from '../../../src/core/random.ts'
import { recordPcap } from '../../../src/traffic/record/record-pcap.ts'
import { createTcpStream, type Segment } from '../../../src/traffic/record/tcp-streams.ts'
import { forAll } from '../../fakes/for-all.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'
import { commandOf, readAll } from '../calls.ts'
import { aMessage } from './messages.ts'

const inFolder = useFreshFolder()

const flags = { fin: 1, syn: 2, rst: 4, ack: 16 }
type Sent = {
  readonly port?: number
  readonly isReply?: boolean
  readonly at: number
  readonly sequence: number
  readonly bits?: number
  readonly data?: Buffer
  /** Bytes that the capture leaves out. */
  readonly cut?: number
  readonly server?: number
}

/** A packet of IPv4 on Ethernet, with a time in ms. */
function packet({
  port = 40_000,
  isReply = false,
  at,
  sequence,
  bits = flags.ack,
  data = Buffer.alloc(0),
  cut = 0,
  server = 27_017,
}: Sent): Buffer {
  const tcp = Buffer.alloc(20)
  tcp.writeUInt16BE(isReply ? server : port, 0)
  tcp.writeUInt16BE(isReply ? port : server, 2)
  tcp.writeUInt32BE(sequence, 4)
  tcp[12] = 5 << 4
  tcp[13] = bits
  const ip = Buffer.alloc(20)
  ip[0] = 0x45
  ip.writeUInt16BE(40 + data.length, 2)
  ip[9] = 6
  ip.writeUInt32BE(isReply ? 0x0a000001 : 0x0a000002, 12)
  ip.writeUInt32BE(isReply ? 0x0a000002 : 0x0a000001, 16)
  const ethernet = Buffer.alloc(14)
  ethernet.writeUInt16BE(0x0800, 12)
  // Short frames are padded.
  const bytes = Buffer.concat([ethernet, ip, tcp, data, Buffer.alloc(6)])
  const header = Buffer.alloc(16)
  header.writeUInt32LE(1_700_000_000 + Math.floor(at / 1000), 0)
  header.writeUInt32LE((at % 1000) * 1000, 4)
  header.writeUInt32LE(bytes.length - cut, 8)
  header.writeUInt32LE(bytes.length, 12)
  return Buffer.concat([header, bytes.subarray(0, bytes.length - cut)])
}

async function record(packets: readonly Sent[], link = 1) {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b2c3d4, 0)
  header.writeUInt32LE(link, 20)
  await writeFile(inFolder('a.pcap'), Buffer.concat([header, ...packets.map(packet)]))
  const summary = await recordPcap(inFolder('a.pcap'), { file: inFolder('a.mprec'), values: 'keep', port: 27_017 })
  return { ...(await readAll(inFolder('a.mprec'))), summary }
}

const find = aMessage({ find: 'orders', filter: { _id: 7 }, $db: 'shop' })
const found = aMessage({ ok: 1, cursor: { firstBatch: [{ _id: 7 }] } }, { respondsTo: 1 })
/** Sequence numbers that begin again in the middle. */
const first = 2 ** 32 - 20
const next = (bytes: number): number => (first + 1 + bytes) % 2 ** 32

const opening: readonly Sent[] = [
  { at: 0, sequence: first, bits: flags.syn },
  { at: 1, sequence: 500, bits: flags.syn | flags.ack, isReply: true },
]

test('segments out of order, sent twice and sent in part again are put together', async () => {
  const { calls, end, header, summary } = await record([
    ...opening,
    { at: 10, sequence: next(0), data: find.subarray(0, 30) },
    { at: 11, sequence: next(50), data: find.subarray(50) },
    { at: 12, sequence: next(0), data: find.subarray(0, 30) },
    { at: 13, sequence: next(20), data: find.subarray(20, 60) },
    { at: 15, sequence: 501, data: found, isReply: true },
    { at: 16, sequence: next(find.length), bits: flags.fin | flags.ack },
    { at: 17, sequence: 501 + found.length, bits: flags.fin | flags.ack, isReply: true },
  ])
  expect(calls).toMatchObject([
    { name: 'find', connection: 0, startUs: 13_000, latencyUs: 2000, reply: { documents: 1 } },
  ])
  expect(commandOf(calls[0])).toEqual({ find: 'orders', filter: { _id: 7 } })
  expect(end).toMatchObject({ calls: 1, leftOut: {}, cutAt: null })
  expect(header).toMatchObject({ source: 'pcap', beganAt: '2023-11-14T22:13:20.000Z' })
  expect(summary).toMatchObject({ calls: 1, connections: 1, durationMs: 17 })
})

test('connections begun before the capture, and those with lost segments, are counted', async () => {
  const { calls, end } = await record([
    { at: 0, port: 50_000, sequence: 1, data: find },
    { at: 1, port: 50_000, sequence: 1, data: found, isReply: true },
    ...opening,
    { at: 10, sequence: next(0), data: find },
    { at: 11, sequence: 501, data: found, isReply: true },
    { at: 12, sequence: next(find.length + 40), data: find },
  ])
  expect(calls).toHaveLength(1)
  expect(end?.leftOut).toEqual({ 'connections with lost segments': 1, 'connections begun before the capture': 1 })
})

test('a port that is used again is another connection', async () => {
  const { calls } = await record([
    ...opening,
    { at: 10, sequence: next(0), data: find },
    { at: 11, sequence: next(find.length), bits: flags.rst },
    { at: 20, sequence: 900, bits: flags.syn },
    { at: 21, sequence: 7000, bits: flags.syn | flags.ack, isReply: true },
    { at: 22, sequence: 901, data: find },
    { at: 23, sequence: 7001, data: found, isReply: true },
  ])
  expect(calls.map(({ connection, latencyUs }) => [connection, latencyUs])).toEqual([
    [0, null],
    [1, 1000],
  ])
})

const older = Buffer.from(find)
older.writeInt32LE(2005, 12)
const compressed = Buffer.alloc(40)
compressed.writeInt32LE(40, 0)
compressed.writeInt32LE(2012, 12)
compressed.writeInt32LE(2004, 16)
compressed[24] = 77

test.each([
  [
    'messages of an older protocol',
    older,
    {},
    { 'messages of older protocols': 1 },
    '3 packets, 3 segments of TCP with the port 27017',
  ],
  [
    'messages of an unknown compressor',
    compressed,
    {},
    { 'messages that cannot be read': 1 },
    '3 packets, 3 segments of TCP with the port 27017',
  ],
  [
    'packets that were cut',
    find,
    { cut: 50 },
    { 'packets of which the capture has only the beginning: tcpdump -s 0 keeps them whole': 1 },
    '3 packets, 3 segments of TCP with the port 27017',
  ],
  [
    'TLS',
    Buffer.from('16030102000100000000000000000000000000', 'hex'),
    {},
    { 'encrypted connections': 1 },
    '3 packets, 3 segments of TCP with the port 27017',
  ],
  [
    'another protocol',
    Buffer.from('GET / HTTP/1.1\r\nHost: example.com\r\n'),
    {},
    { 'connections of other protocols': 1 },
    '3 packets, 3 segments of TCP with the port 27017',
  ],
])('of a capture of %s, it says what was found', async (_, data, sent, leftOut, text) => {
  const { end, summary } = await record([...opening, { at: 10, sequence: next(0), data, ...sent }])
  expect(end).toMatchObject({ calls: 0, leftOut })
  expect(summary.found).toBe(text)
})

test('a capture of another port names those that it has, and one of another network its link type', async () => {
  const other = { at: 0, sequence: 1, data: find, server: 27_018 }
  expect((await record([other, other])).summary.found).toMatch(
    /0 segments of TCP with the port 27017; most have the port (27018, 40000|40000, 27018) \(--port\)$/,
  )
  const file = inFolder('a.pcap')
  await rm(inFolder('a.mprec'))
  await expect(record([other], 147)).rejects.toSay('capture-of-other-link', { file })
})

test('a file that is no capture is a problem', async () => {
  const file = inFolder('a.pcap')
  await writeFile(file, 'no capture at all, but long enough for a header')
  const recorded = recordPcap(file, { file: inFolder('a.mprec'), values: 'keep', port: 27_017 })
  expect(await recorded.catch((error: unknown) => error)).toSay('capture-of-another-kind', { file })
})

test('whatever the order in which segments come, the bytes are those that were sent', () =>
  forAll(
    uint8Array({ minLength: 1, maxLength: 300 }),
    integer({ min: 0, max: 2 ** 32 - 1 }),
    integer(),
    (bytes, start, seed) => {
      const rng = new Stream(placeKey(seed, 'segments')).at(0)
      const sent: { readonly at: number; readonly length: number }[] = []
      for (let at = 0; at < bytes.length; at += Math.max(1, (sent.at(-1)?.length ?? 1) - rng.below(3)))
        sent.push({ at, length: 1 + rng.below(40) })
      const shuffled = sent.map((one) => ({ one, by: rng.float() })).toSorted((a, b) => a.by - b.by)
      const read: Buffer[] = []
      const stream = createTcpStream(start, (data) => void read.push(Buffer.from(data)))
      for (const { one } of shuffled)
        stream.take({
          sequence: (start + one.at) % 2 ** 32,
          data: Buffer.from(bytes.subarray(one.at, one.at + one.length)),
          atUs: 0,
        } as Segment)
      expect(Buffer.concat(read)).toEqual(Buffer.from(bytes))
      expect(stream.isMissingBytes()).toBe(false)
    },
  ))

test('a segment that was lost and is sent again may have any number behind it', () => {
  const read: Buffer[] = []
  const stream = createTcpStream(0, (data) => void read.push(data))
  const take = (sequence: number) => stream.take({ sequence, data: Buffer.from([sequence & 255]), atUs: 0 } as Segment)
  for (let sequence = 1; sequence < 50_000; sequence++) take(sequence)
  expect(read).toHaveLength(0)
  take(0)
  expect(Buffer.concat(read)).toEqual(Buffer.from(Array.from({ length: 50_000 }, (_, i) => i & 255)))
})
