import { createHash, randomBytes } from 'node:crypto'
import { Binary, type Document } from 'bson'
import { type Scram, type ScramMechanism, startScram } from './scram.ts'
import { ConnectionError } from './wire-error.ts'

/** How a client shows who it is. `source` is the database of the user. */
export type Login =
  | {
      /** "negotiated": SCRAM-SHA-256, unless the server has only SCRAM-SHA-1 credentials of the user. */
      readonly mechanism: ScramMechanism | 'negotiated'
      readonly username: string
      readonly password: string
      readonly source: string
    }
  | {
      readonly mechanism: 'MONGODB-X509'
      /** Empty: the server reads it from the certificate. */
      readonly username: string
      readonly source: string
    }

/** A login whose first command goes along with the handshake, which saves a round trip. */
export type StartedLogin = {
  /** Fields of the `hello`. */
  readonly hello: Document
  /** Does what is left when the server has replied to it. */
  readonly finish: (helloReply: Document, command: Command) => Promise<void>
}

type Command = (command: Document) => Promise<Document>

export function startLogin(login: Login): StartedLogin {
  return login.mechanism === 'MONGODB-X509' ? startX509(login) : startPassword(login)
}

function startX509({ username, source }: Login): StartedLogin {
  const authenticate = { authenticate: 1, mechanism: 'MONGODB-X509', ...(username !== '' && { user: username }) }
  return {
    hello: { speculativeAuthenticate: { ...authenticate, db: source } },
    async finish({ speculativeAuthenticate }, command) {
      if (!isReply(speculativeAuthenticate)) await command({ ...authenticate, $db: source })
    },
  }
}

/** A server that leaves it out, or sends null, has not begun the login. */
const isReply = (value: unknown): value is Document => typeof value === 'object' && value !== null

type PasswordLogin = Exclude<Login, { mechanism: 'MONGODB-X509' }>

function startPassword(login: PasswordLogin): StartedLogin {
  const { mechanism, username, source } = login
  const isNegotiated = mechanism === 'negotiated'
  const assumed = isNegotiated ? 'SCRAM-SHA-256' : mechanism
  const scram = newScram(assumed, username)
  return {
    hello: {
      speculativeAuthenticate: { ...saslStart(assumed, scram), db: source },
      ...(isNegotiated && { saslSupportedMechs: `${source}.${username}` }),
    },
    async finish({ speculativeAuthenticate: reply, saslSupportedMechs: known }, command) {
      const inSource: Command = (document) => command({ ...document, $db: source })
      if (isReply(reply)) return await converse(scram, await secretFor(assumed, login), reply, inSource)
      const has256 = !Array.isArray(known) || known.includes('SCRAM-SHA-256')
      const chosen = isNegotiated && !has256 ? 'SCRAM-SHA-1' : assumed
      const again = newScram(chosen, username)
      const first = await inSource(saslStart(chosen, again))
      await converse(again, await secretFor(chosen, login), first, inSource)
    },
  }
}

/** From the reply to the first message on. */
async function converse(scram: Scram, secret: string, reply: Document, command: Command): Promise<void> {
  const { conversationId } = reply
  const { final, verify } = await scram.respond(readPayload(reply), secret)
  const last = await command({ saslContinue: 1, conversationId, payload: toPayload(final) })
  verify(readPayload(last))
  if (last['done'] !== true) await command({ saslContinue: 1, conversationId, payload: toPayload('') })
}

const newScram = (mechanism: ScramMechanism, username: string): Scram =>
  startScram(mechanism, username, randomBytes(24).toString('base64'))

/** MongoDB's SCRAM-SHA-1 proves a digest in the place of the password. */
async function secretFor(mechanism: ScramMechanism, { username, password }: PasswordLogin): Promise<string> {
  if (mechanism === 'SCRAM-SHA-1') return createHash('md5').update(`${username}:mongo:${password}`).digest('hex')
  // Unpacks tables of characters when it is loaded, which few need.
  const { saslprep } = await import('@mongodb-js/saslprep')
  try {
    return saslprep(password)
  } catch {
    throw new ConnectionError('The login was given up: the password has characters that SCRAM-SHA-256 does not allow')
  }
}

const saslStart = (mechanism: ScramMechanism, { first }: Scram): Document => ({
  saslStart: 1,
  mechanism,
  payload: toPayload(first),
  options: { skipEmptyExchange: true },
})

const toPayload = (text: string): Binary => new Binary(Buffer.from(text))

const readPayload = ({ payload }: Document): string =>
  payload instanceof Binary ? Buffer.from(payload.value()).toString() : ''
