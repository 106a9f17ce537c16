import { connect } from 'node:tls'
import { type MongoClient, MongoServerSelectionError } from 'mongodb'
import { ConnectionString } from 'mongodb-connection-string-url'
import { Problem } from '../../../core/errors.ts'
import { openConnection } from '../../../protocol/wire/connection.ts'
import { plainSettings, readAddress } from '../../../protocol/wire/settings.ts'
import { createAdminClient } from '../connection/admin-client.ts'
import { messageWithoutSecrets } from '../connection/driver-error.ts'
import { type Hello, readHello, memberUri } from '../connection/members.ts'

/** Why no waiting helps: what the server and the URI disagree about, and the way out. */
export type Obstacle = { readonly reason: string; readonly hint: string }

/**
 * Watches for failures that never heal while a client selects a server, which otherwise waits until its timeout.
 * Resolves when all servers that it knows of have an obstacle; never, when one may still answer.
 */
export function findObstacle(client: MongoClient): Promise<Obstacle> {
  let known: readonly string[] = []
  const found = new Map<string, Obstacle>()
  return new Promise((resolve) => {
    client.on('topologyDescriptionChanged', ({ newDescription }) => void (known = [...newDescription.servers.keys()]))
    client.on('serverHeartbeatFailed', async ({ connectionId, failure }) => {
      const obstacle = await obstacleIn(failure, connectionId, client.options)
      if (obstacle === undefined) return
      found.set(connectionId, obstacle)
      if (known.every((address) => found.has(address))) resolve(obstacle)
    })
  })
}

async function obstacleIn(
  failure: Error,
  address: string,
  { tls, proxyHost }: MongoClient['options'],
): Promise<Obstacle | undefined> {
  const certificate = tls ? obstacleInCertificate(failure) : undefined
  if (certificate !== undefined || proxyHost !== undefined) return certificate
  if (tls) return (await answersPlainly(address)) ? withoutTls : undefined
  return /closed/.test(failure.message) && (await speaksTls(address)) ? onlyTls : undefined
}

const onlyTls: Obstacle = {
  reason: 'it takes TLS connections alone, and the URI asks for none',
  hint: 'Add tls=true to the URI, and tlsCAFile=<path> where this machine does not know the authority of its certificate.',
}

const withoutTls: Obstacle = {
  reason: 'it takes no TLS connections, and the URI asks for one',
  hint: 'Take tls=true out of the URI (a mongodb+srv:// URI needs tls=false), or turn TLS on at the server.',
}

/** Codes of OpenSSL and Node, with what to do. */
const ways: ReadonlyMap<string, string> = new Map([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Write the host in the URI as the certificate of the server names it.'],
  ['CERT_HAS_EXPIRED', 'Renew the certificate of the server, or of its authority.'],
  ['CERT_NOT_YET_VALID', 'Set the clock of this machine, or wait until the certificate is valid.'],
])

const unknownAuthority =
  'Name the authority of its certificate with tlsCAFile=<path> in the URI; it is not the one that the URI or this machine knows.'

const isOfAuthority =
  /^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(?:VERIFY|GET_ISSUER)_|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE)/

function obstacleInCertificate({ cause }: Error): Obstacle | undefined {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const hint = ways.get(code) ?? (isOfAuthority.test(code) ? unknownAuthority : undefined)
  return hint === undefined || !(cause instanceof Error)
    ? undefined
    : { reason: `its certificate is not accepted: ${cause.message}`, hint }
}

const probeMs = 1000

/** Asked without credentials. */
async function answersPlainly(address: string): Promise<boolean> {
  try {
    const connection = await openConnection({ ...plainSettings(address), openTimeoutMs: probeMs })
    connection.close()
    return true
  } catch {
    return false
  }
}

/** A connection that is closed may be that of a server which has just been started. One that shakes hands wants TLS. */
function speaksTls(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...readAddress(address), rejectUnauthorized: false })
    const end = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(probeMs, () => end(false))
    socket.once('secureConnect', () => end(true)).once('error', () => end(false))
  })
}

const directMs = 2_000

/**
 * Explains why the members of a set are out of reach although the address of a URI answers: the driver asks the set
 * for its members and then uses their addresses alone. Undefined where it is something else.
 */
export async function explainUnreachedSet(error: unknown, uri: string, name: string): Promise<Problem | undefined> {
  if (!(error instanceof MongoServerSelectionError)) return undefined
  const { answers, setName, hosts } = await helloFrom(uri)
  const wanted = new ConnectionString(uri).searchParams.get('replicaSet')
  if (answers && wanted !== null && wanted !== setName) return wrongSet(name, wanted, setName)
  if (setName === undefined) return undefined
  const reason = messageWithoutSecrets(error, uri)
  return new Problem(
    'target-unreachable',
    `The address of ${name} answers, and the set "${setName}" behind it names its members ${hosts.join(', ')}, which cannot be used from here: ${reason}`,
    {
      hint: 'Through a tunnel, add directConnection=true to the URI to measure the one member that it leads to (with --allow-remote), or make the names of all members reachable.',
    },
  )
}

function wrongSet(name: string, wanted: string, setName: string | undefined): Problem {
  const is = setName === undefined ? 'is a member of no set' : `belongs to the set "${setName}"`
  const right = setName === undefined ? 'Take replicaSet out of the URI.' : `Write replicaSet=${setName} in the URI.`
  return new Problem(
    'target-unreachable',
    `The URI of ${name} asks for the set "${wanted}", and the server that answers ${is}`,
    { hint: right },
  )
}

async function helloFrom(uri: string): Promise<Hello & { readonly answers: boolean }> {
  const [host = ''] = new ConnectionString(uri).hosts
  try {
    await using client = createAdminClient(withoutLogin(memberUri(uri, host)), { reachMs: directMs })
    return { answers: true, ...readHello(await client.db('admin').command({ hello: 1 })) }
  } catch {
    return { answers: false, ...readHello({}) }
  }
}

/** The question needs none, and a wrong one is not the matter here. */
function withoutLogin(uri: string): string {
  const open = new ConnectionString(uri)
  open.username = ''
  open.password = ''
  for (const option of ['authMechanism', 'authMechanismProperties', 'authSource']) open.searchParams.delete(option)
  return open.toString()
}
