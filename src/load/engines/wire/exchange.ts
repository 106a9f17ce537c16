import { type Reply } from '../engine.ts'
import { type NamedArguments } from '../intent.ts'
import { type Message } from './message.ts'

/**
 * A call on its way, from its first message to its last reply. Each connection has one for every operation, and uses it again
 * for every call, so that a call allocates nothing but its reply.
 */
export type Exchange = {
  /** Writes the first message. @throws what the driver throws where arguments cannot be sent. */
  readonly begin: (args: NamedArguments, message: Message) => void
  /**
   * Takes a reply, whose document lies between `start` and `end`.
   * @returns what the call did. Undefined: the message holds what is to be sent next.
   * @throws an error with the name, code and labels of the driver's, where the server refuses.
   * @throws {MalformedBson} where the reply cannot be read.
   */
  readonly take: (bytes: Buffer, start: number, end: number, message: Message) => Reply | undefined
  /** What a call did that the server does not reply to. Undefined: it replies. */
  readonly unacknowledged: ((args: NamedArguments) => Reply) | undefined
  /** Writes the next message of a call that the server does not reply to. @returns whether there is one. Default: there is none. */
  readonly next?: (message: Message) => boolean
  /** What became of the call when no reply comes, or the server refuses. Default: the error itself. */
  readonly failedBy?: (error: Error) => Error
}
