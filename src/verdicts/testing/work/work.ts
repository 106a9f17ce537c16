import { type PhaseEngine } from '../../../load/engines/engine.ts'
import { createArrivalTimes } from '../../../load/plan/arrival-times.ts'
import { type LoadedPhase, type MethodPlan, type LoadPlan, type StopAfter } from '../../../load/plan/plan.ts'
import {
  type ChangeStreamOperation,
  type FunctionOperation,
  type Operation,
  type StepsOperation,
  type TransactionOperation,
  type Value,
} from '../../../spec/spec-input.ts'

/** Measured work: a function, or an operation of the spec. */
export type Work = {
  /** Makes the next call while its commands are looked at. Throws or rejects when it fails. */
  readonly watched: () => unknown
  /** Makes the calls that are timed. */
  readonly engine: Pick<PhaseEngine, 'send'>
  /** Plan for its rounds. */
  readonly phase: Pick<LoadedPhase, 'engine' | 'calls'> & { readonly operation: MethodPlan }
}

/** How calls follow each other. */
export type CallLoad =
  /** Number of workers, 1 to 10000: each waits for its reply before it sends its next operation. */
  | { readonly workers: number }
  /** Calls that begin per second, evenly, whether or not others were answered; by default at most 1000 at the same time. */
  | { readonly ratePerSecond: number; readonly maxInFlight?: number }

const defaultMaxInFlight = 1000

/** Calls that may be in flight at the same time. */
export const getMaxConcurrentCalls = (load: CallLoad): number =>
  'workers' in load ? load.workers : (load.maxInFlight ?? defaultMaxInFlight)

/** Maximum duration of calls that fail: a round ends when none was ok for three times as long. */
const maxCallMs = 10_000

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

type NotOneCall = StepsOperation | TransactionOperation | ChangeStreamOperation | FunctionOperation

/** Operation of a program: in the place of JSON values it may also have those of its driver: dates, ObjectIds and other types of BSON. */
type OfProgram<Kind> = {
  readonly [Key in keyof Kind]: Value extends Kind[Key]
    ? unknown
    : readonly Value[] extends Kind[Key]
      ? unknown
      : Kind[Key]
}

/** An operation of one call, as it may be written in the `operations` of a phase. */
export type OperationInput = OfProgram<Exclude<Operation, NotOneCall>>
