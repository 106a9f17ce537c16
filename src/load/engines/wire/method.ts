import { type ReadPreference } from 'mongodb'
import { type Concerns } from '../concerns.ts'
import { type EngineMethod, type Reply } from '../engine.ts'
import { type NamedArguments } from '../intent.ts'
import { replyTraits } from '../reply-traits.ts'
import { type Message } from './message.ts'

export type MethodContext = {
  readonly method: EngineMethod
  readonly database: string
  /** Undefined: a transaction has its own. */
  readonly concerns: Concerns | undefined
  /** Sent where a server would not reply without. */
  readonly readPreference: ReadPreference | undefined
}

/** Fields of the command that are not arguments of the call. */
export type CommonFields = {
  readonly $db: string
  readonly readConcern?: object
  readonly writeConcern?: object
  readonly $readPreference?: object
}

/** Returns them as the server wants them, and only where it takes them. */
export function commonFields({ method, database, concerns, readPreference }: MethodContext): CommonFields {
  const { reads, writes } = replyTraits[method.reply]
  return {
    ...(concerns && reads && method.kind !== 'command' && { readConcern: concerns.readConcern }),
    ...(concerns && writes && { writeConcern: toServerWriteConcern(concerns) }),
    ...(readPreference && { $readPreference: readPreference.toJSON() }),
    $db: database,
  }
}

/** A write concern under the names that the server has for its fields. */
export const toServerWriteConcern = ({
  writeConcern: { w, j, wtimeoutMS },
}: Pick<Concerns, 'writeConcern'>): object => ({
  w,
  ...(j !== undefined && { j }),
  ...(wtimeoutMS !== undefined && { wtimeout: wtimeoutMS }),
})

/** Whether the server replies to the calls of a method. */
export const isAcknowledged = ({ method, concerns }: MethodContext): boolean =>
  !replyTraits[method.reply].writes || concerns?.writeConcern.w !== 0

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
  /** Returns the reply for a call that the server does not reply to. Undefined: it replies. */
  readonly unacknowledged: ((args: NamedArguments) => Reply) | undefined
  /** Writes the next message of a call that the server does not reply to. @returns whether there is one. Default: there is none. */
  readonly next?: (message: Message) => boolean
  /** Looks at what a call did. @throws where no such call can do that. Default: anything is possible. */
  readonly check?: (reply: Reply, args: NamedArguments) => unknown
  /** Returns the error of a call that gets no reply, or that the server refuses. Default: the error itself. */
  readonly failedBy?: (error: Error) => Error
}
