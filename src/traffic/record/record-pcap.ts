import { type ValuesMode } from '../recording/values-modes.ts'
import { createConversation, type Conversation, reasons } from './conversation.ts'
import { type CaptureCounts, readSegments } from './read-pcap.ts'
import { readUntilMalformed } from './read-until-malformed.ts'
import { type RecordingSummary, startRecorder } from './start-recorder.ts'
import { createTcpStream, type Segment, type TcpStream } from './tcp-streams.ts'

/** One direction of a connection. */
type Direction = TcpStream & {
  /** Why what it sent cannot be read to its end, as a kind of connections. Undefined: it can. */
  readonly unread: () => string | undefined
}

type Connection = {
  readonly conversation: Conversation
  readonly requests: Direction
  /** Undefined: the server has not answered yet. */
  replies: Direction | undefined
  /** Number of ends that have finished sending. */
  fins: number
}

const begunBefore = 'connections begun before the capture'
const lost = 'connections with lost segments'
const encrypted = 'encrypted connections'
const otherProtocol = 'connections of other protocols'
const cut = 'packets of which the capture has only the beginning: tcpdump -s 0 keeps them whole'
/** Whether the first bytes of a client are its hello of TLS. Read as the length of a message, they are 64 kB or more. */
const isTls = (data: Buffer): boolean => data[0] === 0x16 && data[1] === 3 && (data[2] ?? 0) > 0 && data[5] === 1

const limits = ['A capture has no connection that was encrypted or begun before it.']

/**
 * Records the connections to a port in a capture.
 * @throws {Problem} "recording-unreadable", "output-unwritable", "disk-full".
 */
export async function recordPcap(
  from: string,
  { file, values, port }: { readonly file: string; readonly values: ValuesMode; readonly port: number },
): Promise<RecordingSummary> {
  const counts: CaptureCounts = { packets: 0, cut: 0 }
  const segments = readSegments(from, counts)
  const ports = new Map<string, number>()
  const first = await segments.next()
  const beganUs = first.done === true ? 0 : first.value.atUs
  const beganAt = new Date(beganUs / 1000).toISOString()
  const { sink, writer } = await startRecorder(file, {
    beganAt,
    source: 'pcap',
    values,
    serverVersion: null,
    limits,
  })
  const open = new Map<string, Connection>()
  const unknown = new Set<string>()
  let connections = 0
  let lastUs = 0

  const sinceUs = (atUs: number): number => Math.max(0, Math.round(atUs - beganUs))

  function streamOf({ sequence }: Segment, handle: Conversation['request']): Direction {
    let [atUs, messages] = [0, 0]
    let unread: string | undefined
    const read = readUntilMalformed(
      (bytes, start, stop) => {
        messages += 1
        handle(bytes, start, stop, atUs)
      },
      () => (unread ??= messages > 0 ? reasons.broken : otherProtocol),
    )
    // The SYN itself takes one sequence number.
    const stream = createTcpStream((sequence + 1) >>> 0, (data, at) => {
      atUs = sinceUs(at)
      if (messages === 0 && isTls(data)) unread ??= encrypted
      read(data)
    })
    return { ...stream, unread: () => unread }
  }

  function begin(segment: Segment): Connection {
    const conversation = createConversation(connections++, sink)
    return { conversation, requests: streamOf(segment, conversation.request), replies: undefined, fins: 0 }
  }

  function end(key: string, { conversation, requests, replies }: Connection): void {
    open.delete(key)
    conversation.end()
    const unread = requests.unread() ?? replies?.unread()
    if (unread !== undefined) writer.leaveOut(unread)
    if (requests.isMissingBytes() || replies?.isMissingBytes() === true) writer.leaveOut(lost)
  }

  function take(segment: Segment): void {
    const isRequest = segment.to.endsWith(`:${port}`)
    for (const place of [segment.from, segment.to]) {
      const number = place.slice(place.lastIndexOf(':') + 1)
      ports.set(number, (ports.get(number) ?? 0) + 1)
    }
    const key = isRequest ? segment.from + segment.to : segment.to + segment.from
    if (!isRequest && !segment.from.endsWith(`:${port}`)) return
    const known = open.get(key)
    const { syn, fin, rst } = segment.flags
    lastUs = sinceUs(segment.atUs)
    if (syn && isRequest) {
      // A retransmission, unless the server has answered: then it is a new connection from the same port.
      if (known?.replies !== undefined) end(key, known)
      if (known === undefined || known.replies !== undefined) open.set(key, begin(segment))
      return
    }
    if (known === undefined) return void (segment.data.length > 0 && unknown.add(key))
    if (syn) known.replies ??= streamOf(segment, known.conversation.reply)
    else (isRequest ? known.requests : known.replies)?.take(segment)
    if (fin) known.fins++
    if (rst || known.fins === 2) end(key, known)
  }

  try {
    if (first.done !== true) take(first.value)
    for await (const segment of segments) {
      take(segment)
      await writer.drained()
    }
  } catch (error) {
    await writer.discard()
    throw error
  }
  for (const [key, connection] of open) end(key, connection)
  if (unknown.size > 0) writer.leaveOut(begunBefore, unknown.size)
  if (counts.cut > 0) writer.leaveOut(cut, counts.cut)
  const inCapture = describeCapture(counts.packets, ports, String(port))
  return { ...(await writer.close(lastUs)), durationMs: lastUs / 1000, found: inCapture }
}

/** Ports to name: those of a server have the most segments. */
const namedPorts = 3

/** "200 packets, 0 segments of TCP with port 27017; most have 27018, 40000" */
function describeCapture(packets: number, ports: ReadonlyMap<string, number>, port: string): string {
  const of = ports.get(port) ?? 0
  const most = [...ports].toSorted(([, one], [, other]) => other - one).map(([number]) => number)
  const others =
    of > 0 || most.length === 0 ? '' : `; most have the port ${most.slice(0, namedPorts).join(', ')} (--port)`
  return `${packets} packets, ${of} segments of TCP with the port ${port}${others}`
}
