import type { Document } from 'bson'
import { MalformedBson } from '../bson/types.ts'

/** The connection could not be made, or it ended: there is no reply, and none will come. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** The login was given up: what the server sent is not what one with the password of the user sends. */
export class LoginGivenUp extends ConnectionError {}

/** The server replied that it does not execute a command. The message is the reason that it gives. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: number | undefined

  constructor({ errmsg, code }: Document) {
    super(typeof errmsg === 'string' ? errmsg : 'no reason given')
    this.code = typeof code === 'number' ? code : undefined
  }
}

/** Bytes that are not the reply to what was sent. The connection that delivered them cannot be used any more. */
export class MalformedMessage extends MalformedBson {
  override readonly name = 'MalformedMessage'
  /** Kind of messages that are known and not read, as a plural: "messages of older protocols". Undefined: it is damaged. */
  readonly kind: string | undefined

  constructor(message: string, kind?: string) {
    super(message)
    this.kind = kind
  }
}
