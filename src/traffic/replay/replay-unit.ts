import * as mongodb from 'mongodb'
import { type Clock } from '../../core/clock.ts'
import { startFineTimer } from '../../core/threads/fine-timer.ts'
import { unreachable } from '../../load/engines/unreachable.ts'
import { createMembers } from '../../load/engines/wire/members.ts'
import { createMemberClient } from '../../load/engines/wire/wire-engine.ts'
import { type LoadUnit } from '../../load/load-unit.ts'
import { createLocalUnit } from '../../load/local-unit.ts'
import { type PhasePlan } from '../../load/plan/plan.ts'
import { wholePhase } from '../../load/plan/share.ts'
import { type Connection, openConnection } from '../../protocol/wire/connection.ts'
import { createReplayLoad, type Replay } from './replay-load.ts'
import { Tally } from './tally.ts'

type UnitContext = {
  /** A secret. */
  readonly uri: string
  readonly clock: Clock
  /** Asked before each call. Undefined: always true. */
  readonly mayGoOn: (() => boolean) | undefined
}

/** Creates a unit of load that replays a recording, or a share of it, in this thread. Its runs have the counts of a tally. */
export async function createReplayUnit(
  replay: Replay,
  phase: PhasePlan,
  { uri, clock, mayGoOn }: UnitContext,
): Promise<LoadUnit> {
  const tally = new Tally(replay.survey.shapes.list.length)
  const server = reachServer(uri, clock)
  try {
    const takesRetries = await server.takesRetries()
    const { deadlineMs } = phase
    const { engine, own } = createReplayLoad(replay, {
      connect: server.connect,
      takesRetries,
      clock,
      deadlineMs,
      tally,
    })
    const unit = createLocalUnit({
      phase,
      share: wholePhase,
      dataSets: [],
      engine,
      own,
      clock,
      startTimer: startFineTimer,
      evidence: [],
      mayGoOn,
    })
    return {
      ...unit,
      async run(request, onPart) {
        const runs = await unit.run(request, onPart)
        return runs.map((run) => Object.assign(run, { counts: tally.take() }))
      },
      async end() {
        await unit.end()
        await server[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

/** The server of a replay: the primary of a set, a router, or what stands alone. */
type ReplayServer = AsyncDisposable & {
  /** Opens a connection to it, as it is then. */
  readonly connect: () => Promise<Connection>
  /** Whether it takes writes with a number, which can be retried: a server that stands alone does not. @throws {Problem} "target-unreachable" */
  readonly takesRetries: () => Promise<boolean>
}

const maxSelectionMs = 30_000

/** @param uri A secret. @throws {Problem} "usage" when it asks for what only the driver does. */
function reachServer(uri: string, clock: Clock): ReplayServer {
  const client = createMemberClient(uri, { serverSelectionTimeoutMS: maxSelectionMs })
  const members = createMembers(client, clock, maxSelectionMs)
  const connect = async (): Promise<Connection> =>
    await openConnection(await members.find(mongodb.ReadPreference.primary))
  return {
    connect,
    async takesRetries() {
      try {
        using connection = await connect()
        const { setName, msg } = await connection.command({ hello: 1 })
        return setName !== undefined || msg === 'isdbgrid'
      } catch (error) {
        throw unreachable(error)
      }
    },
    async [Symbol.asyncDispose]() {
      members[Symbol.dispose]()
      await client.close(true)
    },
  }
}
