import { type MongoClient } from 'mongodb'
import { Problem } from '../../core/errors.ts'
import { type ConnectionSettings, readAddress, settingsOfClient } from '../../protocol/wire/settings.ts'
import { createAdminClient } from '../../servers/targets/connection/admin-client.ts'
import { messageWithoutSecrets } from '../../servers/targets/connection/driver-error.ts'
import { readHello } from '../../servers/targets/connection/members.ts'

export type Deployment = {
  /** "host:port" of each, as the deployment names it. */
  readonly servers: readonly string[]
  readonly version: string
  /** How to connect to one of them, without credentials: clients log in themselves, through the proxy. */
  readonly settingsOf: (server: string) => Promise<ConnectionSettings>
}

/** How long to try to reach the server, in ms. */
const reachMs = 10_000

/**
 * Reads from the server of `--to` with a temporary client.
 * @param what Names what is read, for the message: "The profile of shop".
 * @throws {Problem} "target-unreachable" when that fails, "usage" when the driver does not accept the URI.
 */
export async function readServer<Read>(
  uri: string,
  what: string,
  read: (client: MongoClient) => Promise<Read>,
): Promise<Read> {
  await using client = createAdminClient(uri, { uriFrom: '--to', reachMs })
  try {
    return await read(client)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('target-unreachable', `${what} cannot be read: ${messageWithoutSecrets(error, uri)}`, {
      hint: 'Check address, credentials, TLS options and access lists of the server, and the roles of the user.',
    })
  }
}

/**
 * Finds all servers behind a URI.
 * @throws {Problem} as `readServer`.
 */
export const findServers = (uri: string): Promise<Deployment> =>
  readServer(uri, 'The server of --to', async (client) => {
    const admin = client.db('admin')
    const { hosts, passives, arbiters, setName } = readHello(await admin.command({ hello: 1 }))
    const { version } = await admin.command({ buildInfo: 1 })
    const isSet = setName !== undefined && !client.options.directConnection
    const options = { ...client.options }
    delete options.credentials
    return {
      servers: isSet ? [...hosts, ...passives, ...arbiters] : client.options.hosts.map(String),
      version: String(version),
      settingsOf(server) {
        const address = readAddress(server)
        return settingsOfClient(options, 'path' in address ? { socketPath: address.path } : address)
      },
    }
  })
