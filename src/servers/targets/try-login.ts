import { type MongoClient } from 'mongodb'
import { openConnection } from '../../protocol/wire/connection.ts'
import { neededOfDriver, settingsOfClient } from '../../protocol/wire/settings.ts'
import { LoginGivenUp } from '../../protocol/wire/wire-error.ts'

const maxMs = 2_000

/**
 * Logs in over a connection of ours before the driver does: with as many iterations as a server asks for, the driver derives a
 * key in a thread that nothing ends, and the process with it. Hosts that a client finds by DNS are not known yet, and left out.
 * @returns Why a login is not to be tried. Undefined: nothing speaks against it, or it fails in a way that the driver explains.
 */
export async function whyNoLogin({ options }: Pick<MongoClient, 'options'>): Promise<string | undefined> {
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
