import { type Db, type Document, type MongoClient, type ReadPreference } from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { unreachable } from '../unreachable.ts'

/** With fewer, a read preference that spreads calls over members could miss one of them. */
const minRounds = 3
/** Maximum number of pings per connection: calls that are spread give each member only a share, so every round sends more. */
const maxPings = 8
/** Each round holds connections for twice as long as the one before. */
const minHoldMs = 5
const maxHoldMs = 200

/**
 * Opens the connections of a phase to every server that it will use, and waits until they stand. `minPoolSize`
 * would open one per 100 ms, also to members that the phase never asks, and go on inside of the timed window. So the pools
 * are opened by demand: pings that are sent at once cannot share a connection that is still being opened.
 *
 * A pool that opens few connections at a time would serve its waiting pings by those that stand, before it opened more: there
 * the server holds them back, as it does for those who await a change of its topology (from MongoDB 4.4 on).
 * @returns Takes the number of connections for each server; it may be asked again for more.
 */
export function createPoolWarmer({
  client,
  database,
  readPreferences,
  withinMs,
  maxConnecting = Infinity,
}: {
  readonly client: MongoClient
  readonly database: Db
  /** Read preferences of the calls of the phase. */
  readonly readPreferences: readonly ReadPreference[]
  readonly withinMs: number
  /** Default: all at the same time. */
  readonly maxConnecting?: number | undefined
}): (connections: number) => Promise<void> {
  const open = new Map<string, number>()
  const asked = new Set<string>()
  const count = (address: string, by: number): void => void open.set(address, (open.get(address) ?? 0) + by)
  const minOpen = (): number => Math.min(...Array.from(asked, (address) => open.get(address) ?? 0))
  client.on('connectionReady', ({ address }) => count(address, 1))
  client.on('connectionClosed', ({ address }) => count(address, -1))

  /** Versions of the topology, by the process of the server. */
  const versions = new Map<string, Document>()
  async function pingAndHold(number: number, readPreference: ReadPreference, maxAwaitTimeMS: number): Promise<void> {
    const topologyVersion = [...versions.values()][number % versions.size]
    const awaited = topologyVersion && { topologyVersion, maxAwaitTimeMS }
    const reply = await database
      .command({ hello: 1, ...awaited }, { readPreference, promoteLongs: false })
      .catch(unlessItWaited)
    const version: unknown = reply?.['topologyVersion']
    if (version !== undefined) versions.set(String((version as Document)['processId']), version as Document)
  }

  const pingAll = (connections: number, round: number): Promise<unknown> =>
    Promise.all(
      readPreferences.flatMap((readPreference): readonly Promise<unknown>[] =>
        connections > maxConnecting
          ? Array.from({ length: connections }, (_, i) =>
              pingAndHold(i, readPreference, Math.min(maxHoldMs, minHoldMs * 2 ** round)),
            )
          : Array.from({ length: connections * Math.min(round, maxPings) }, () =>
              database.command({ ping: 1 }, { readPreference }).catch(unlessItWaited),
            ),
      ),
    )

  async function warm(connections: number): Promise<void> {
    const untilMs = performance.now() + withinMs
    await connect(client)
    // Connecting may use a member that the phase does not.
    asked.clear()
    for (let round = 1; round <= minRounds || minOpen() < connections; round += 1) {
      if (performance.now() > untilMs) throw tooFew(minOpen(), connections)
      await pingAll(connections, round)
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

const maxAttempts = 20

/** Connects; where that takes longer than calls may wait for a connection, as happens on a busy machine, once more. */
async function connect(client: MongoClient): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const error: unknown = await client.connect().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (error === undefined) return
    unlessItWaited(error)
  }
  throw new Problem('target-unreachable', 'No connection was opened within "waitQueueTimeoutMS" of the pool', {
    hint: 'Raise it, or set 0, by which operations wait for a connection up to their deadline.',
  })
}

/** A pool with `waitQueueTimeoutMS` and few connections so far lets no more calls wait: the next round opens more. */
function unlessItWaited(error: unknown): void {
  if (!(error instanceof Error && error.name === 'MongoWaitQueueTimeoutError')) throw error
}

const tooFew = (open: number, wanted: number): Problem =>
  new Problem('target-unreachable', `Only ${open} of ${wanted} connections to a server could be opened`, {
    hint: "Use a smaller `pool` of the phase, or fewer workers, or raise the server's limits of connections and open files.",
  })
