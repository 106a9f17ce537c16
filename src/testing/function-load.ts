import { emptyReply, type Outcome, type PhaseEngine } from '../engines/engine.ts'
import { noArguments } from '../engines/intent.ts'
import { toOutcome } from '../engines/outcomes.ts'
import { createArrivalTimes } from '../plan/arrival-times.ts'
import { type CallSource, type LoadedPhase, type LoadPlan, type MethodPlan, type StopAfter } from '../plan/plan.ts'

/** A function with all it works with, called with the number of the call, from 0. */
export type TimedFunction = (number: number) => unknown

/** How calls follow each other. */
export type CallLoad =
  /** Each of so many workers waits for its answer before its next call. */
  | { readonly workers: number }
  /** So many calls per second begin, evenly, whether or not others were answered; by default at most 1000 at the same time. */
  | { readonly ratePerSecond: number; readonly maxInFlight?: number }

const defaultMaxInFlight = 1000

/** The plan of a round in which one function is called. */
export function planOfFunction(
  { name, load }: { readonly name: string; readonly load: CallLoad },
  stopAfter: StopAfter,
): LoadedPhase {
  const plan: MethodPlan = {
    name,
    kind: 'command',
    database: undefined,
    collection: '',
    reply: 'command',
    carriesDocuments: false,
  }
  return {
    name,
    engine: 'function',
    load: planOfLoad(load),
    workers: 'workers' in load ? load.workers : (load.maxInFlight ?? defaultMaxInFlight),
    warmup: undefined,
    stopAfter,
    deadlineMs: longestCallMs,
    keepSamples: 0,
    faults: [],
    maxOutageMs: 0,
    operations: [plan],
    calls: numberedCalls,
  }
}

/** Of calls that fail: a round ends when none was ok for three times as long. */
const longestCallMs = 10_000

function planOfLoad(given: CallLoad): LoadPlan {
  if ('workers' in given) return { kind: 'closed' }
  const { ratePerSecond, maxInFlight = defaultMaxInFlight } = given
  const ramps = [{ seconds: Infinity, from: ratePerSecond, to: ratePerSecond }]
  return {
    kind: 'open',
    arrivals: 'constant',
    maxInFlight,
    ratePerSecond,
    cooldown: undefined,
    times: (pass, share) => createArrivalTimes({ ramps, arrivals: 'constant', seed: 0, place: pass, share }),
  }
}

/** Calls that differ by their number alone. */
const numberedCalls: LoadedPhase['calls'] = (_pass, budget = {}): CallSource => {
  const { operations = Infinity } = budget
  let taken = 0
  return {
    endedBecause: () => (taken >= operations ? 'operations' : undefined),
    next: () => ({ operation: 0, args: noArguments, bytes: 0, documents: 0, number: taken++ }),
    digest: () => `0000000000000000-${taken}`,
  }
}

const done: Outcome = { kind: 'ok', reply: emptyReply }

/** Calls a function. What it throws, and what it rejects with, is a failed call. */
export function functionEngine(timed: TimedFunction): PhaseEngine {
  let calls = 0
  return {
    send(_call, answered) {
      try {
        const given = timed(calls++)
        if (isThenable(given))
          given.then(
            () => answered(done),
            (thrown: unknown) => answered(toOutcome(thrown)),
          )
        else answered(done)
      } catch (thrown) {
        answered(toOutcome(thrown))
      }
    },
    warmUp: async () => {},
    close: async () => {},
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
