import { createHash, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { groupDigits } from '../../core/quantities.ts'
import { LoginGivenUp } from './wire-error.ts'

export type ScramMechanism = 'SCRAM-SHA-1' | 'SCRAM-SHA-256'

type Hash = { readonly name: 'sha1' | 'sha256'; readonly bytes: number }

const hashes: Readonly<Record<ScramMechanism, Hash>> = {
  'SCRAM-SHA-1': { name: 'sha1', bytes: 20 },
  'SCRAM-SHA-256': { name: 'sha256', bytes: 32 },
}

/** Minimum of RFC 5802 and 7677: with fewer a stolen reply could be tried against lists of passwords. */
const minIterations = 4096
/** Servers ask for 10,000 or 15,000. As many as here take some seconds; more would hold a thread of the client that nothing can end. */
const maxIterations = 10_000_000

const deriveAnew = promisify(pbkdf2)

/** Derived keys by all that they depend on. Made on purpose to be slow, they are the same for all connections of a user. */
const derivedKeys = new Map<string, Promise<Buffer>>()
/** More users than that take part in no run. */
const maxKeys = 100

function derive(secret: string, salt: string, iterations: number, { name, bytes }: Hash): Promise<Buffer> {
  const known = createHash('sha256')
    .update(JSON.stringify([secret, salt, iterations, name]))
    .digest('base64')
  const derived = derivedKeys.get(known)
  if (derived !== undefined) return derived
  const making = deriveAnew(secret, Buffer.from(salt, 'base64'), iterations, bytes, name)
  if (derivedKeys.size >= maxKeys) derivedKeys.clear()
  derivedKeys.set(known, making)
  return making
}

/** A client's side of one conversation. */
export type Scram = {
  readonly first: string
  /**
   * @param secret The password as the mechanism prepares it.
   * @throws {LoginGivenUp} when the first message of the server does not belong to it.
   */
  readonly respond: (serverFirst: string, secret: string) => Promise<ScramResponse>
}

/** The final message of the client, and the function that verifies the final message of the server. */
export type ScramResponse = {
  readonly final: string
  /** @throws {LoginGivenUp} unless the server knows the password, too. */
  readonly verify: (serverFinal: string) => void
}

/**
 * Proves a password to a server that does not learn it, by RFC 5802.
 * @param nonce Printable, without commas; never twice.
 */
export function startScram(mechanism: ScramMechanism, username: string, nonce: string): Scram {
  const hash = hashes[mechanism]
  const digest = (bytes: Buffer): Buffer => createHash(hash.name).update(bytes).digest()
  const sign = (key: Buffer, text: string): Buffer => createHmac(hash.name, key).update(text).digest()
  const first = `n=${username.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=${nonce}`

  return {
    first: `n,,${first}`,
    async respond(serverFirst, secret) {
      const { r: bothNonces = '', s: salt = '', i: wanted = '' } = parseAttributes(serverFirst)
      const iterations = /^\d+$/.test(wanted) ? Number(wanted) : 0
      if (!bothNonces.startsWith(nonce) || bothNonces.length === nonce.length) throw refused('repeats another nonce')
      if (iterations < minIterations) throw refused(`asks for fewer than ${minIterations} iterations`)
      if (iterations > maxIterations) throw refused(`asks for more than ${groupDigits(maxIterations)} iterations`)
      const salted = await derive(secret, salt, iterations, hash)
      // "biws" is "n,," in base64: no channel binding.
      const withoutProof = `c=biws,r=${bothNonces}`
      const signed = `${first},${serverFirst},${withoutProof}`
      const clientKey = sign(salted, 'Client Key')
      const proof = xor(clientKey, sign(digest(clientKey), signed))
      const signature = sign(sign(salted, 'Server Key'), signed)
      return {
        final: `${withoutProof},p=${proof.toString('base64')}`,
        verify(serverFinal) {
          const given = Buffer.from(parseAttributes(serverFinal)['v'] ?? '', 'base64')
          if (given.length !== signature.length || !timingSafeEqual(given, signature))
            throw refused('does not know the password')
        },
      }
    },
  }
}

const parseAttributes = (message: string): Partial<Record<string, string>> =>
  Object.fromEntries(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]))

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, i) => byte ^ (other[i] ?? 0)))

const refused = (reason: string): LoginGivenUp => new LoginGivenUp(`The login was given up: the server ${reason}`)
