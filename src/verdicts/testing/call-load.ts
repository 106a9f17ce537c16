import { createArrivalTimes } from '../../load/plan/arrival-times.ts'
import { type LoadedPhase, type LoadPlan, type StopAfter } from '../../load/plan/plan.ts'
import { type Work } from './work.ts'

/** How calls follow each other. */
export type CallLoad =
  /** Number of workers, 1 to 10000: each waits for its reply before it sends its next operation. */
  | { readonly workers: number }
  /** So many calls per second begin, evenly, whether or not others were answered; by default at most 1000 at the same time. */
  | { readonly ratePerSecond: number; readonly maxInFlight?: number }

const defaultMaxInFlight = 1000

/** Calls that may be in flight at the same time. */
export const getMaxConcurrentCalls = (load: CallLoad): number =>
  'workers' in load ? load.workers : (load.maxInFlight ?? defaultMaxInFlight)

/** Of calls that fail: a round ends when none was ok for three times as long. */
const maxCallMs = 10_000

/** The plan of a round. */
export const planOfRound = (
  { engine, operation, calls }: Work['phase'],
  { name, load }: { readonly name: string; readonly load: CallLoad },
  stopAfter: StopAfter,
): LoadedPhase => ({
  name,
  engine,
  load: planOfLoad(load),
  workers: getMaxConcurrentCalls(load),
  warmup: undefined,
  stopAfter,
  deadlineMs: maxCallMs,
  keepSamples: 0,
  faults: [],
  maxOutageMs: 0,
  operations: [operation],
  calls,
})

function planOfLoad(given: CallLoad): LoadPlan {
  if ('workers' in given) return { kind: 'closed' }
  const { ratePerSecond } = given
  const ramps = [{ seconds: Infinity, from: ratePerSecond, to: ratePerSecond }]
  return {
    kind: 'open',
    arrivals: 'constant',
    maxInFlight: getMaxConcurrentCalls(given),
    ratePerSecond,
    cooldown: undefined,
    times: (pass, share) => createArrivalTimes({ ramps, arrivals: 'constant', seed: 0, place: pass, share }),
  }
}
