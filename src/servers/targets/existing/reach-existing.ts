import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Document, type MongoClient } from 'mongodb'
import { ConnectionString } from 'mongodb-connection-string-url'
import { Problem } from '../../../core/errors.ts'
import { openConnection } from '../../../protocol/wire/connection.ts'
import { neededOfDriver, settingsOfClient } from '../../../protocol/wire/settings.ts'
import { LoginGivenUp } from '../../../protocol/wire/wire-error.ts'
import { createAdminClient } from '../connection/admin-client.ts'
import { hintForCause, messageWithoutSecrets } from '../connection/driver-error.ts'
import { isLoopback, staysHere } from '../connection/loopback.ts'
import { readHello } from '../connection/members.ts'
import { hasUnencodedCredentials } from '../connection/redact.ts'
import { boundSelection, noteRetries, refuseOptions } from '../connection/uri-options.ts'
import { uriOptions } from '../existing.ts'
import { type StartContext } from '../target.ts'
import { findObstacle, explainUnreachedSet } from './unreached.ts'

const maxReachMs = 10_000

/**
 * Reaches the deployment behind a variable.
 * @throws {Problem} when it is not set, leads to another machine without permission, or cannot be reached.
 */
export async function reachExisting(
  uriFrom: string,
  context: UriContext,
): Promise<{ readonly uri: string; readonly hosts: readonly string[] }> {
  const { uri, parsed, name } = readUri(uriFrom, context)
  checkClientKey(parsed, name)
  const hosts = await askMembers(uri, name, boundSelection(uri, maxReachMs))
  // A tunnel on this machine may lead to a set whose members give themselves away.
  if (!context.allowRemote && !hosts.every(isLoopback)) throw elsewhere(`Members of the set behind ${name} lead`)
  return { uri, hosts }
}

/** The source of URIs, and whether they may lead to other machines. */
export type UriContext = Pick<StartContext, 'uri' | 'givenAs' | 'allowRemote'>

/** Returns how messages name the URI of a variable. */
export const nameUri = (variable: string, { givenAs }: Pick<StartContext, 'givenAs'>): string =>
  givenAs?.[variable] ?? variable

/** The problems of URIs that are known before any of them is used: those that are missing all at once. */
export function checkUris(variables: readonly string[], context: UriContext): void {
  const missing = variables.filter((variable) => !context.uri(variable))
  if (missing.length > 0) throw notSet(missing)
  for (const variable of variables) readUri(variable, context)
}

function readUri(variable: string, context: UriContext) {
  const uri = context.uri(variable)
  if (!uri) throw notSet([variable])
  const name = nameUri(variable, context)
  const parsed = parseUri(uri, name)
  if (!context.allowRemote && !staysHere(parsed)) throw elsewhere(`The URI of ${name} leads`)
  refuseOptions(parsed, name)
  return { uri, parsed, name }
}

async function askMembers(uri: string, name: string, reachMs: number): Promise<readonly string[]> {
  try {
    await using client = createAdminClient(uri, { uriFrom: name, reachMs })
    const suspect = await whyNoLogin(client)
    if (suspect !== undefined) throw unusable(name, suspect, notTheServer)
    const obstacle = findObstacle(client).then(({ reason, hint }) => Promise.reject(unusable(name, reason, hint)))
    return await Promise.race([findMembers(client), obstacle])
  } catch (error) {
    if (error instanceof Problem) throw error
    // No `cause`: what the driver throws may hold its options, and those hold the password.
    const reason = messageWithoutSecrets(error, uri)
    const unreached = await explainUnreachedSet(error, uri, name)
    if (unreached !== undefined) throw unreached
    throw unusable(name, reason, hintFor(error))
  }
}

const unusable = (name: string, reason: string, hint: string): Problem =>
  new Problem('target-unreachable', `The server behind ${name} cannot be used: ${reason}`, { hint })

const notTheServer =
  'A server of MongoDB does not do that. Check that the address leads to yours, and that nothing in between answers in its place.'

/** The server's code for a user or a password that is wrong. */
const authenticationFailed = 18

function hintFor(error: unknown): string {
  const ofCause = hintForCause(error)
  if (ofCause !== undefined) return ofCause
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === authenticationFailed)
    return 'The user name or the password is wrong, or the user belongs to another database: name that with authSource=<database> in the URI.'
  if (code === 'ENOENT' || code === 'EACCES')
    return 'Check the paths in the URI: tlsCAFile, tlsCertificateKeyFile, tlsCRLFile.'
  return 'Check address, credentials, TLS options and access lists of the server.'
}

/**
 * Parses a URI.
 * @param name Names it in messages.
 * @throws {Problem} "usage", without the URI, which may have a password.
 */
export function parseUri(uri: string, name: string): ConnectionString {
  if (hasUnencodedCredentials(uri)) throw unencoded(name)
  try {
    return new ConnectionString(uri)
  } catch {
    throw new Problem('usage', `The URI of ${name} is not a MongoDB URI`, {
      hint: 'It looks like mongodb://host:27017/, with a user name and a password in front of the host if need be.',
    })
  }
}

const unencoded = (name: string): Problem =>
  new Problem('usage', `The user name or the password in the URI of ${name} is not percent-encoded`, {
    hint: 'Write special characters as %40 (@), %3A (:), %2F (/), %3F (?), %23 (#), %5B ([), %5D (]) and %25 (%), as encodeURIComponent does in JavaScript.',
  })

function notSet(variables: readonly string[]): Problem {
  const options = uriOptions(variables)
  const [only, ...others] = variables
  if (others.length === 0) {
    return new Problem('usage', `The spec measures a running server, and ${only} is not set`, {
      hint: `Set ${only} to its URI, or give it with ${options || '--uri'}.`,
    })
  }
  return new Problem('usage', `The spec measures running servers, and these are not set: ${variables.join(', ')}`, {
    hint: `Set each to the URI of its server, or give them with ${options}`,
  })
}

/** Returns a note for each URI that allows retries. */
export const notesOnUris = (variables: Iterable<string>, context: Omit<UriContext, 'allowRemote'>): readonly string[] =>
  [...variables].map((variable) =>
    noteRetries(parseUri(context.uri(variable) ?? '', variable), nameUri(variable, context)),
  )

function elsewhere(subject: string): Problem {
  return new Problem('refused', `${subject} to another machine, which a benchmark would put under load`, {
    hint: 'If that is what you want, add --allow-remote.',
  })
}

/** Hosts of the members that hold data, as the deployment names them. Behind a router they are not ours to reach: none. */
async function findMembers(client: MongoClient): Promise<readonly string[]> {
  const admin = client.db('admin')
  const answer = readHello(await admin.command({ hello: 1 }))
  // `hello` needs no login. This does, where the server asks for one, so that wrong credentials show now.
  await admin.command({ connectionStatus: 1 })
  if (answer.msg === 'isdbgrid') return []
  if (answer.setName === undefined) return client.options.hosts.map(String)
  try {
    const { members } = await admin.command({ replSetGetStatus: 1 })
    // By the configuration: of the state of the others, a member of a young set does not know yet.
    const names = (members as readonly Document[]).map(({ name }) => String(name))
    return names.filter((name) => !answer.arbiters.includes(name))
  } catch {
    // Without the right to ask (or on a service that hides it), what every client sees has to do: all but hidden members.
    return [...answer.hosts, ...answer.passives]
  }
}

const maxMs = 2_000

/**
 * Logs in over a connection of ours before the driver does: with as many iterations as a server asks for, the driver derives a
 * key in a thread that nothing ends, and the process with it. Hosts that a client finds by DNS are not known yet, and left out.
 * @returns Why a login is not to be tried. Undefined: nothing speaks against it, or it fails in a way that the driver explains.
 */
async function whyNoLogin({ options }: Pick<MongoClient, 'options'>): Promise<string | undefined> {
  const { credentials, hosts } = options
  if (credentials === undefined || neededOfDriver(options) !== undefined) return undefined
  const ends = await Promise.allSettled(
    hosts.map(async (host) => {
      const settings = await settingsOfClient(options, host)
      using _ = await openConnection({ ...settings, openTimeoutMs: maxMs })
    }),
  )
  for (const end of ends) if (end.status === 'rejected' && end.reason instanceof LoginGivenUp) return end.reason.message
  return undefined
}

/**
 * Opens the key that a client shows to a server. OpenSSL reports "bad decrypt" of one that stays closed, after the driver has
 * tried for as long as it looks for a server.
 * @throws {Problem} "usage" where it is encrypted and the password is missing or wrong.
 */
export function checkClientKey({ searchParams }: ConnectionString, name: string): void {
  const file = searchParams.get('tlsCertificateKeyFile')
  const passphrase = searchParams.get('tlsCertificateKeyFilePassword') ?? undefined
  const key = file === null ? undefined : read(file)
  if (key === undefined || !key.includes('ENCRYPTED') || opens(key, passphrase)) return
  const why = passphrase === undefined ? 'and no password is given' : 'and its password does not open it'
  // No `cause`, and the password in no message.
  throw new Problem('usage', `The key in the tlsCertificateKeyFile of ${name} (${file}) is encrypted, ${why}`, {
    hint: 'Give its password as tlsCertificateKeyFilePassword in the URI, percent-encoded, or take a key that is not encrypted.',
  })
}

/** Reads a file. The driver names itself the one that cannot be read. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function opens(key: string, passphrase: string | undefined): boolean {
  try {
    createPrivateKey({ key, passphrase })
    return true
  } catch {
    return false
  }
}
