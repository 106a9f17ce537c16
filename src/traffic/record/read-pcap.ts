import { createReadStream } from 'node:fs'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { type Segment } from './tcp-streams.ts'

type Packet = { readonly link: number; readonly atUs: number; readonly bytes: Buffer }

/** Counts of a capture, as far as it has been read. */
export type CaptureCounts = {
  packets: number
  /** Packets of which the capture has only the beginning. */
  cut: number
}

/** A larger packet is damage: tools cut packets at 256 KB or less. */
const maxPacketBytes = 1024 * 1024

/**
 * Reads the TCP segments of a capture (pcap) in order. Other packets are skipped.
 * @param counts Are counted up.
 * @throws {Problem} "recording-unreadable" when the file is not a capture, or one of another kind of network.
 */
export async function* readSegments(file: string, counts: CaptureCounts): AsyncGenerator<Segment> {
  for await (const packet of readPackets(file, counts)) {
    const segment = readSegment(packet)
    if (segment !== undefined) yield segment
  }
}

/** First bytes of a capture, which give its byte order and the unit of its times, µs or ns. */
const magics: ReadonlyMap<string, { readonly isLittle: boolean; readonly unitsPerUs: number }> = new Map([
  ['d4c3b2a1', { isLittle: true, unitsPerUs: 1 }],
  ['a1b2c3d4', { isLittle: false, unitsPerUs: 1 }],
  ['4d3cb2a1', { isLittle: true, unitsPerUs: 1000 }],
  ['a1b23c4d', { isLittle: false, unitsPerUs: 1000 }],
])

async function* readPackets(file: string, counts: CaptureCounts): AsyncGenerator<Packet> {
  const take = createByteSource(file)
  const header = await take(24)
  const kind = magics.get(header?.toString('hex', 0, 4) ?? '')
  if (header === undefined || kind === undefined)
    throw new Problem('recording-unreadable', `${file} is not a capture`, {
      hint: 'Name a file that tcpdump -w wrote; of Wireshark and dumpcap, `editcap -F pcap` makes one.',
    })
  const number = (bytes: Buffer, at: number): number =>
    kind.isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
  const link = number(header, 20) & 0xffff
  if (linkBytes[link] === undefined)
    throw new Problem('recording-unreadable', `${file} has packets of the link type ${link}, which is not read`, {
      hint: 'Capture one interface, such as tcpdump -i eth0 or -i any. Read are Ethernet, loopback, raw IP and "any" of Linux.',
    })
  for (;;) {
    const start = await take(16)
    const length = start === undefined ? Infinity : number(start, 8)
    const bytes = length > maxPacketBytes ? undefined : await take(length)
    // A capture may end anywhere.
    if (start === undefined || bytes === undefined) return
    counts.packets += 1
    if (length < number(start, 12)) counts.cut += 1
    yield { link, atUs: number(start, 0) * 1_000_000 + number(start, 4) / kind.unitsPerUs, bytes }
  }
}

/** Takes the next bytes of a file. Undefined: there are no more. */
function createByteSource(file: string): (length: number) => Promise<Buffer | undefined> {
  const chunks = createReadStream(file)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let rest: Buffer = Buffer.alloc(0)
  return async (length) => {
    while (rest.length < length) {
      const next = await chunks.next().catch((error: unknown) => {
        throw new Problem('recording-unreadable', `${file} cannot be read (${describeErrorCode(error)})`, {
          hint: 'Name a capture that exists.',
          cause: error,
        })
      })
      if (next.done === true) return undefined
      rest = Buffer.concat([rest, next.value])
    }
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return taken
  }
}

/** Size of the header before the IP packet by link type: Ethernet, BSD loopback, raw IP, Linux "any". */
const linkBytes: Readonly<Record<number, number>> = {
  1: 14,
  0: 4,
  108: 4,
  12: 0,
  14: 0,
  101: 0,
  228: 0,
  229: 0,
  113: 16,
  276: 20,
}
const vlan = 0x8100
const tcp = 6

function readSegment({ link, atUs, bytes }: Packet): Segment | undefined {
  const known = linkBytes[link] ?? 0
  const ip = link === 1 && bytes.length > 14 && bytes.readUInt16BE(12) === vlan ? known + 4 : known
  const packet = bytes.subarray(ip)
  const version = (packet[0] ?? 0) >> 4
  if (version === 4 && packet.length >= 20 && packet[9] === tcp) {
    const header = ((packet[0] ?? 0) & 15) * 4
    // The rest is padding.
    const end = packet.readUInt16BE(2) || packet.length
    return readTcp(packet.subarray(header, end), packet.subarray(12, 16), packet.subarray(16, 20), atUs)
  }
  if (version === 6 && packet.length >= 40 && packet[6] === tcp)
    return readTcp(
      packet.subarray(40, 40 + (packet.readUInt16BE(4) || packet.length)),
      packet.subarray(8, 24),
      packet.subarray(24, 40),
      atUs,
    )
  return undefined
}

function readTcp(bytes: Buffer, from: Buffer, to: Buffer, atUs: number): Segment | undefined {
  if (bytes.length < 20) return undefined
  const bits = bytes[13] ?? 0
  return {
    from: `${from.toString('hex')}:${bytes.readUInt16BE(0)}`,
    to: `${to.toString('hex')}:${bytes.readUInt16BE(2)}`,
    sequence: bytes.readUInt32BE(4),
    flags: { fin: (bits & 1) !== 0, syn: (bits & 2) !== 0, rst: (bits & 4) !== 0, ack: (bits & 16) !== 0 },
    data: bytes.subarray(((bytes[12] ?? 0) >> 4) << 2),
    atUs,
  }
}
