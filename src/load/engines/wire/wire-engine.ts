import * as mongodb from 'mongodb'
import { type Clock, systemClock } from '../../../core/clock.ts'
import { Problem } from '../../../core/errors.ts'
import { type Connection, openConnection } from '../../../protocol/wire/connection.ts'
import { type ConnectionSettings, requireSupported } from '../../../protocol/wire/settings.ts'
import type { PhasePlan } from '../../plan/plan.ts'
import { resolveConcerns } from '../concerns.ts'
import { countConnections } from '../count-connections.ts'
import { computeTicks, createDeadlines } from '../deadlines.ts'
import { clientOptions, createClient, toReadPreference } from '../driver/client-options.ts'
import {
  type EngineMethod,
  type Outcome,
  type PhaseEngine,
  emptyReply,
  methodsIn,
  readPreferencesIn,
  transactionsIn,
  usesPool,
} from '../engine.ts'
import { toOutcome } from '../outcomes.ts'
import { replyTraits } from '../reply-traits.ts'
import { unreachable } from '../unreachable.ts'
import { type Members, createMembers } from './members.ts'
import { type Pool, createPool } from './pool.ts'
import { neverSent } from './pooled-connection.ts'
import { createSenders, noSuchOperation } from './senders.ts'
import { SharedConnections, closed } from './shared-connections.ts'

const maxDrainMs = 10_000
/** The driver is asked for members alone. */
const maxQuestions = 4

/**
 * Creates the client that is asked for members alone, see `createMembers`.
 * @throws {Problem} "usage" when the URI asks for what only the driver does.
 */
export function createMemberClient(uri: string, options: mongodb.MongoClientOptions): mongodb.MongoClient {
  const client = createClient(mongodb, uri, { ...options, maxPoolSize: maxQuestions, monitorCommands: true })
  // Before the driver connects: it may do what we do not.
  requireSupported(client.options)
  if (client.options.compressors?.some((name) => name !== 'none')) throw noCompression()
  return client
}

export type WireSettings = {
  /** A secret: appears in no message. */
  readonly uri: string
  readonly database: string
  readonly phase: PhasePlan
  /** Default: the system's. */
  readonly clock?: Clock
}

/** Makes the calls of one phase over connections of its own, with prebuilt messages in which only arguments change. */
export function createWireEngine({ uri, database, phase, clock = systemClock }: WireSettings): PhaseEngine {
  const { deadlineMs } = phase
  const client = createMemberClient(uri, clientOptions({ ...phase, retries: 'none', pool: undefined }))
  const hasTransactions = transactionsIn(phase.operations).length > 0
  const members = createMembers(client, clock, deadlineMs, hasTransactions ? requireNoRouter : undefined)
  let tick = 0
  let isClosed = false
  const allShared: SharedConnections[] = []
  function poolFor(readPreference: mongodb.ReadPreference): Pool {
    async function connect(): Promise<Connection> {
      if (isClosed) throw closed()
      return await openConnection(await members.find(readPreference))
    }
    const shared = phase.pool && new SharedConnections(phase.pool, connect, clock)
    if (shared !== undefined) allShared.push(shared)
    return createPool({
      deadlineMs,
      now: () => tick,
      connect: shared === undefined ? connect : async () => await shared.wait(),
      shared,
    })
  }
  const { primary } = mongodb.ReadPreference
  const forWrites = poolFor(primary)
  const forReads = new Map(
    readPreferencesIn(phase.operations, phase).map((readPreference) => [
      JSON.stringify(readPreference),
      readPreference.mode === 'primary' ? forWrites : poolFor(toReadPreference(mongodb, { readPreference })),
    ]),
  )
  const pools = [...new Set([forWrites, ...forReads.values()])]
  const poolOf = (method: EngineMethod): Pool =>
    forReads.get(
      replyTraits[method.reply].reads ? JSON.stringify(resolveConcerns(method, phase).readPreference) : '',
    ) ?? forWrites
  const deadlines = createDeadlines(deadlineMs)
  const { senders, sessionIds } = createSenders({
    phase,
    database,
    clock,
    deadlines,
    poolOf,
    connect: createConnect(members),
    forWrites,
    isDirect: client.options.directConnection,
  })
  const used = new Set(methodsIn(phase.operations).flatMap((method) => (usesPool(method) ? poolOf(method) : [])))
  if (hasTransactions) used.add(forWrites)

  const { everyMs, ticks } = computeTicks(deadlineMs)
  const timer = setInterval(() => {
    tick += 1
    for (const { pooledConnections } of pools)
      for (const pooledConnection of pooledConnections)
        if (tick - pooledConnection.sentTick > ticks) pooledConnection.giveUp()
  }, everyMs)

  return {
    send: (call, done) => (senders[call.operation] ?? noSuchOperation)(call, done),
    async warmUp(workers) {
      try {
        await Promise.all(Array.from(used, (pool) => pool.open(countConnections(phase, workers))))
      } catch (error) {
        throw unreachable(error)
      }
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      deadlines.close()
      for (const { pooledConnections } of pools)
        for (const pooledConnection of pooledConnections) pooledConnection.giveUp()
      await endSessions(forWrites, sessionIds())
      await Promise.all(pools.map((pool) => pool.end(maxDrainMs)))
      await client.close(true)
    },
    watchPool:
      phase.pool &&
      ((record) => {
        for (const shared of allShared) shared.record = record
      }),
  }
}

/** All commands of a transaction have to go through one router, and its commit may have to go through another. */
function requireNoRouter({ msg }: mongodb.Document): void {
  if (msg !== 'isdbgrid') return
  throw new Problem('usage', 'The engine "wire" makes no transactions through a router (mongos)', {
    hint: 'Set "engine": "driver" for phases with transactions, or leave out --engine wire.',
  })
}

const noCompression = (): Problem =>
  new Problem('usage', 'The engine "wire" does not compress, and the URI sets "compressors"', {
    hint: 'Set "engine": "driver", or leave "compressors" out of the URI.',
  })

/** The server would keep them for half an hour. One that does not listen any more has none. */
async function endSessions({ command }: Pool, ids: readonly object[]): Promise<void> {
  if (ids.length > 0) await command({ endSessions: ids }).catch(() => {})
}

/** Creates the calls of `connect`: each opens a connection to the primary, uses it once and closes it. They share no pool. */
function createConnect({ find }: Members): () => Promise<Outcome> {
  // To look for the primary is no part of connecting to it, until that fails.
  let found: Promise<ConnectionSettings> | undefined
  return async () => {
    try {
      found ??= find(mongodb.ReadPreference.primary)
      using connection = await openConnection(await found)
      await connection.command({ ping: 1 })
      return { kind: 'ok', reply: emptyReply }
    } catch (error) {
      found = undefined
      return toOutcome(neverSent(error))
    }
  }
}
