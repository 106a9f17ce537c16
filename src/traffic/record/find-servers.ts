import { Problem } from '../../core/errors.ts'
import { type ConnectionSettings, settingsOfClient } from '../../protocol/wire/settings.ts'
import { createAdminClient } from '../../servers/targets/connection/admin-client.ts'
import { messageWithoutSecrets } from '../../servers/targets/connection/driver-error.ts'
import { readHello } from '../../servers/targets/connection/members.ts'

/** The servers of a deployment. */
export type Deployment = {
  /** "host:port" of each, as the deployment names it. */
  readonly servers: readonly string[]
  readonly version: string
  /** How to connect to one of them. Nobody logs in: clients do, through the proxy. */
  readonly settingsOf: (server: string) => Promise<ConnectionSettings>
}

/** In ms. */
const reachMs = 10_000

/**
 * Finds all servers behind a URI.
 * @throws {Problem} "target-unreachable", "usage".
 */
export async function findServers(uri: string): Promise<Deployment> {
  await using client = createAdminClient(uri, { uriFrom: '--to', reachMs })
  try {
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
        const { hostname, port } = new URL(`mongodb://${server}`)
        return settingsOfClient(options, { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 27017) })
      },
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('target-unreachable', `The server of --to cannot be used: ${messageWithoutSecrets(error, uri)}`, {
      hint: 'Check address, credentials, TLS options and access lists of the server.',
    })
  }
}
