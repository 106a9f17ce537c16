import { type ValuesMode } from '../recording/values-modes.ts'
import { createConversation, type Conversation } from './conversation.ts'
import { readSegments } from './read-pcap.ts'
import { readUntilMalformed } from './read-until-malformed.ts'
import { type RecordingSummary, startRecorder } from './start-recorder.ts'
import { createTcpStream, type Segment, type TcpStream } from './tcp-streams.ts'

/** A connection of the capture. */
type Connection = {
  readonly conversation: Conversation
  readonly requests: TcpStream
  /** Undefined: the server has not answered yet. */
  replies: TcpStream | undefined
  /** Number of ends that have finished sending. */
  fins: number
}

const begunBefore = 'connections begun before the capture'
const lost = 'connections with lost segments'
const limits = ['A capture has no connection that was encrypted or begun before it.']

/**
 * Records the connections to a port in a capture.
 * @throws {Problem} "recording-unreadable", "output-unwritable", "disk-full".
 */
export async function recordPcap(
  from: string,
  { file, values, port }: { readonly file: string; readonly values: ValuesMode; readonly port: number },
): Promise<RecordingSummary> {
  const segments = readSegments(from)
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

  function streamOf({ sequence }: Segment, { lose }: Conversation, handle: Conversation['request']): TcpStream {
    let atUs = 0
    const read = readUntilMalformed((bytes, start, stop) => handle(bytes, start, stop, atUs), lose)
    // The SYN itself takes one sequence number.
    return createTcpStream((sequence + 1) >>> 0, (data, at) => {
      atUs = sinceUs(at)
      read(data)
    })
  }

  function begin(segment: Segment): Connection {
    const conversation = createConversation(connections++, sink)
    return {
      conversation,
      requests: streamOf(segment, conversation, conversation.request),
      replies: undefined,
      fins: 0,
    }
  }

  function end(key: string, { conversation, requests, replies }: Connection): void {
    open.delete(key)
    conversation.end()
    if (requests.isMissingBytes() || replies?.isMissingBytes() === true) writer.leaveOut(lost)
  }

  function take(segment: Segment): void {
    const isRequest = segment.to.endsWith(`:${port}`)
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
    if (syn) known.replies ??= streamOf(segment, known.conversation, known.conversation.reply)
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
  return { ...(await writer.close(lastUs)), durationMs: lastUs / 1000 }
}
