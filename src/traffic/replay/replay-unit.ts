import { type Clock } from '../../core/clock.ts'
import { startFineTimer } from '../../core/threads/fine-timer.ts'
import { type LoadUnit } from '../../load/load-unit.ts'
import { createLocalUnit } from '../../load/local-unit.ts'
import { type PhasePlan } from '../../load/plan/plan.ts'
import { wholePhase } from '../../load/plan/share.ts'
import { reachServer } from './connect.ts'
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
    const { engine, calls, loop } = createReplayLoad(replay, {
      connect: server.connect,
      takesRetries,
      clock,
      deadlineMs,
      tally,
    })
    const unit = createLocalUnit({
      phase: { ...phase, calls: () => calls },
      share: wholePhase,
      dataSets: [],
      engine,
      loop,
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
