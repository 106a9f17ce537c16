import { createCounter } from '../../../language/values/scope.ts'
import { emptyReply, type Outcome } from '../../../load/engines/engine.ts'
import { noArguments } from '../../../load/engines/intent.ts'
import { toOutcome } from '../../../load/engines/outcomes.ts'
import { type CallSource, type MethodPlan } from '../../../load/plan/plan.ts'
import { type Work } from './work.ts'

/** A function with all it works with, called with the number of the call, from 0. */
export type NumberedFunction = (number: number) => unknown

/** A function with what it works with while its commands are looked at, and while it is timed. */
export type BoundFunction = { readonly watched: NumberedFunction; readonly timed: NumberedFunction }

/** Calls a function, with numbers that go on from the first call to the last. What it throws, and what it rejects with, is a failed call. */
export function workOfFunction(name: string, { watched, timed }: BoundFunction): Work {
  const numbers = createCounter()
  return {
    watched: () => watched(numbers.take()),
    engine: {
      send(_call, answered) {
        try {
          const given = timed(numbers.take())
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
    },
    phase: { engine: 'function', operation: createFunctionPlan(name), calls: callsAlike },
  }
}

const createFunctionPlan = (name: string): MethodPlan => ({
  name,
  kind: 'command',
  database: undefined,
  collection: '',
  reply: 'command',
  carriesDocuments: false,
})

/** Nothing is drawn for the calls of a function. */
function callsAlike(): CallSource {
  let taken = 0
  return {
    endedBecause: () => undefined,
    next: () => ({ operation: 0, args: noArguments, bytes: 0, documents: 0, number: taken++ }),
    drawn: () => taken,
    digest: () => `0000000000000000-${taken}`,
  }
}

const done: Outcome = { kind: 'ok', reply: emptyReply }

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
