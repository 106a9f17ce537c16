import { type Db, type MongoClient, type ReadPreference } from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { unreachable } from '../unreachable.ts'

/** With fewer, a read preference that spreads calls over members could miss one of them. */
const minRounds = 3
/** Where calls are spread, each member gets only a share; so every round sends more, up to so many per connection. */
const maxPings = 8

/**
 * Opens a connection for every worker to every server that the phase will use, and waits until they stand. `minPoolSize`
 * would open one per 100 ms, also to members that the phase never asks, and go on inside of the timed window. So the pools
 * are opened by demand: pings that are sent at once cannot share a connection that is still being opened.
 * @returns Takes the number of connections for each server; it may be asked again for more.
 */
export function createPoolWarmer({
  client,
  database,
  readPreferences,
  withinMs,
}: {
  readonly client: MongoClient
  readonly database: Db
  /** Where the calls of the phase go. */
  readonly readPreferences: readonly ReadPreference[]
  readonly withinMs: number
}): (connections: number) => Promise<void> {
  const open = new Map<string, number>()
  const asked = new Set<string>()
  const count = (address: string, by: number): void => void open.set(address, (open.get(address) ?? 0) + by)
  const minOpen = (): number => Math.min(...Array.from(asked, (address) => open.get(address) ?? 0))
  client.on('connectionReady', ({ address }) => count(address, 1))
  client.on('connectionClosed', ({ address }) => count(address, -1))

  const pingAll = (times: number): Promise<unknown> =>
    Promise.all(
      readPreferences.flatMap((readPreference) =>
        Array.from({ length: times }, () => database.command({ ping: 1 }, { readPreference })),
      ),
    )

  async function warm(connections: number): Promise<void> {
    const untilMs = performance.now() + withinMs
    await client.connect()
    // Connecting may use a member that the phase does not.
    asked.clear()
    for (let round = 1; round <= minRounds || minOpen() < connections; round += 1) {
      if (performance.now() > untilMs) throw tooFew(minOpen(), connections)
      await pingAll(connections * Math.min(round, maxPings))
    }
  }

  const noteAsked = ({ address }: { readonly address: string }): void => void asked.add(address)
  return async (connections) => {
    client.on('connectionCheckedOut', noteAsked)
    try {
      await warm(connections)
    } catch (error) {
      throw unreachable(error)
    } finally {
      client.off('connectionCheckedOut', noteAsked)
    }
  }
}

const tooFew = (open: number, wanted: number): Problem =>
  new Problem('target-unreachable', `Only ${open} of ${wanted} connections to a server could be opened`, {
    hint: "Use fewer workers (of an open load, a smaller `maxInFlight`), or raise the server's limits of connections and open files.",
  })
