import { MalformedMessage } from '../../protocol/wire/wire-error.ts'
import { readName } from '../recording/encode-call.ts'
import { type RecordedCall, reasonKeptOut } from '../recording/recorded-call.ts'
import { type WireMessage, messageFlags, olderMessages, operations, readMessage } from './read-message.ts'
import { readReply } from './read-reply.ts'
import { type Numbering, type SentCommand, commandName, readCommand } from './read-request.ts'
import type { ReadingBudget } from './reading-budget.ts'

/** Takes what conversations find. */
export type CallSink = {
  readonly add: (call: RecordedCall) => void
  readonly leaveOut: (reason: string) => void
  readonly sessions: Numbering
  /** Recorded calls that wait for their replies, over all conversations, the oldest first. */
  readonly open: Set<OpenCall>
  /** Default: all messages are read. */
  readonly budget?: ReadingBudget
}

/** A message whose reply is still to come. */
export type OpenCall = {
  readonly startUs: number
  /** A text: the reason why it is left out. */
  readonly sent: SentCommand | string
  readonly bytes: number
}

/** Takes the whole messages of one connection, in the order in which they were seen. Their bytes may be overwritten afterwards. */
export type Conversation = {
  readonly request: (bytes: Buffer, start: number, end: number, atUs: number) => void
  /** @returns whether it is the reply to a handshake. */
  readonly reply: (bytes: Buffer, start: number, end: number, atUs: number) => boolean
  /** Counts that nothing further of one direction can be read. */
  readonly lose: () => void
  /** Whether the reply to a handshake is still to come. */
  readonly isHandshaking: () => boolean
  /** Ends the connection: no further reply comes. */
  readonly end: () => void
}

/** Reasons for messages that are left out here. */
export const reasons = {
  handshake: 'handshakes',
  unreadable: 'messages that cannot be read',
  late: 'large messages that came faster than they can be read',
  broken: 'connections that cannot be read to their end',
  older: olderMessages,
  noRequest: 'replies to requests that were not seen',
  further: 'further replies of exhaust cursors',
} as const

/** Turns the messages of one connection into calls. */
export function createConversation(connection: number, sink: CallSink): Conversation {
  const { budget = (_bytes, _start, _end, read) => read() } = sink
  const open = new Map<number, OpenCall>()
  let handshakes = 0

  function begin(requestId: number, call: OpenCall): void {
    // With a number that is used again, it is not known which of the two calls a reply is for.
    giveUp(requestId)
    open.set(requestId, call)
    // Nothing needs to wait for handshakes, which may take ten seconds.
    if (typeof call.sent !== 'string') sink.open.add(call)
    if (call.sent === reasons.handshake) handshakes++
  }

  function finish(requestId: number, call: OpenCall): void {
    open.delete(requestId)
    sink.open.delete(call)
    if (call.sent === reasons.handshake) handshakes--
  }

  function add(
    { sent, startUs, bytes }: OpenCall,
    rest: Pick<RecordedCall, 'latencyUs' | 'reply'>,
    acknowledged = true,
  ): void {
    if (typeof sent === 'string') return sink.leaveOut(sent)
    sink.add({ connection, startUs, ...sent, name: readName(sent.command), acknowledged, requestBytes: bytes, ...rest })
  }

  function giveUp(requestId: number): void {
    const call = open.get(requestId)
    if (call === undefined) return
    finish(requestId, call)
    add(call, nothing)
  }

  /** Counts a message that cannot be read, whatever the error: the relay goes on. Returns undefined for it. */
  function unlessUnreadable<Found>(read: () => Found): Found | undefined {
    try {
      return read()
    } catch (error) {
      sink.leaveOut((error instanceof MalformedMessage && error.kind) || reasons.unreadable)
      return undefined
    }
  }

  function handleReply(message: WireMessage, bytes: number, atUs: number): boolean {
    const call = open.get(message.respondsTo)
    if (call === undefined) {
      sink.leaveOut(reasons.noRequest)
      return false
    }
    finish(message.respondsTo, call)
    const isHandshake = call.sent === reasons.handshake
    // The next reply responds to this one.
    if (hasMoreToCome(message))
      begin(message.requestId, { startUs: atUs, sent: isHandshake ? reasons.handshake : reasons.further, bytes: 0 })
    if (typeof call.sent === 'string') add(call, nothing)
    else add(call, { latencyUs: Math.max(0, atUs - call.startUs), reply: readReply(message, bytes) })
    return isHandshake
  }

  return {
    request(bytes, start, end, atUs) {
      const read = (): void => {
        const message = readMessage(bytes, start, end)
        const call = readCall(message, sink.sessions, atUs, end - start)
        if (hasMoreToCome(message)) add(call, nothing, false)
        else begin(message.requestId, call)
      }
      const late = (): void =>
        begin(bytes.readInt32LE(start + 4), { startUs: atUs, sent: reasons.late, bytes: end - start })
      unlessUnreadable(() => budget(bytes, start, end, read, late))
    },
    reply(bytes, start, end, atUs) {
      const read = (): boolean => handleReply(readMessage(bytes, start, end), end - start, atUs)
      const late = (): boolean => {
        sink.leaveOut(reasons.late)
        giveUp(bytes.readInt32LE(start + 8))
        return false
      }
      return unlessUnreadable(() => budget(bytes, start, end, read, late)) ?? false
    },
    lose: () => sink.leaveOut(reasons.broken),
    isHandshaking: () => handshakes > 0,
    end() {
      for (const requestId of open.keys()) unlessUnreadable(() => giveUp(requestId))
    },
  }
}

const hasMoreToCome = ({ operation, flags }: WireMessage): boolean =>
  operation === operations.message && (flags & messageFlags.moreToCome) !== 0

const nothing = { latencyUs: null, reply: null }

/** Reads a request. Commands with secrets are not even parsed. */
function readCall(message: WireMessage, sessions: Numbering, startUs: number, bytes: number): OpenCall {
  const older = message.operation === operations.message ? undefined : reasons.older
  return { startUs, bytes, sent: reasonKeptOut(commandName(message)) ?? older ?? readCommand(message, sessions) }
}
