import { type ReadPreference } from 'mongodb'
import { type Concerns } from '../concerns.ts'
import { type EngineMethod } from '../engine.ts'
import { replyTraits } from '../reply-traits.ts'

/** What a command is made for. */
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

/** As the server wants them, and only where it takes them. */
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
