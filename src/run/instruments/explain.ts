import {
  canExplain,
  type CountedReplies,
  createExplainer,
  type Explainer,
} from '../../load/engines/driver/explainer.ts'
import { type NamedArguments } from '../../load/engines/intent.ts'
import { replyTraits } from '../../load/engines/reply-traits.ts'
import { combinePlans, type QueryPlan, readQueryPlan, whyUnknown } from '../../load/measure/query-plan.ts'
import { type MethodPlan, type PhasePlan, type PlannedCall } from '../../load/plan/plan.ts'
import { median, sum } from '../../metrics/statistics.ts'
import { type PhaseResult } from '../../results/schema.ts'
import { type OperationResult } from '../../results/schema/calls.ts'
import { type Explain } from '../../results/schema/explain.ts'
import { redact } from '../../servers/targets/connection/redact.ts'
import { type InstrumentContext, type OpenInstrument } from './instrument.ts'

/** Calls of each operation that are explained, unless they take too long. */
const callsExplained = 5
/** No further call of an operation is explained after that, unless one of them was fast: then a busy machine took the time, and not the calls. */
const enoughMs = 1_000
const fastMs = enoughMs / callsExplained
/** Calls that are compared with what is right, unless they take too long. */
const callsCompared = 100
const enoughComparedMs = 30_000

/** How the server makes the calls of an operation, or those of each of its steps. Absent: it has no plan. */
type Explained = { readonly explain?: Explain | null; readonly steps?: readonly (Explain | null)[] }

/** A phase of several windows is explained once. */
const known = new WeakMap<PhasePlan, readonly Explained[]>()

/** Asks the server how it makes the calls: after its counters have been read, and before anything else changes the data. */
export const explain: OpenInstrument<Pick<PhaseResult, 'operations'>> = async (context) => {
  const { phase } = context
  let explained: PhaseResult['operations'] | undefined
  return {
    disturbs: true,
    async close({ run: { endedBecause, operations } }) {
      const isWhole = endedBecause !== 'aborted' && endedBecause !== 'everything failed'
      if (!phase.measured || !isWhole) return
      const found = known.get(phase) ?? (await explainOperations(operations, context))
      known.set(phase, found)
      explained = operations.map((operation, index) => withExplain(operation, found[index] ?? {}))
    },
    contribute: async (soFar) => ({ operations: explained ?? soFar.operations ?? [] }),
  }
}

/**
 * Asks of each operation, and of each of its steps, how the server makes its calls. Asked for after the window, of the data
 * that the phase has left. Never throws: why something is not known is a part of the answer.
 */
async function explainOperations(
  operations: readonly OperationResult[],
  context: InstrumentContext,
): Promise<readonly Explained[]> {
  const { phase, target, driver } = context
  const explainer = createExplainer({ ...context, driver: driver.module, uri: target.uri })
  const ask = askUntilLost(explainer, context)
  const explained: Explained[] = []
  try {
    for (const index of operations.keys()) explained.push(await explainPhaseOperation(phase, index, ask))
    return explained
  } finally {
    await explainer.close()
  }
}

const withExplain = (operation: OperationResult, { explain: ofCalls, steps }: Explained): OperationResult => ({
  ...operation,
  ...(ofCalls !== undefined && { explain: ofCalls }),
  ...(steps && { steps: operation.steps.map((step, i) => ({ ...step, explain: steps[i] ?? null })) }),
})

async function explainPhaseOperation(phase: PhasePlan, index: number, ask: Ask): Promise<Explained> {
  const plan = phase.operations[index]
  if (plan === undefined) return {}
  const methods = 'steps' in plan ? plan.steps : [plan]
  if (!methods.some(hasPlan)) return {}
  const calls = phase.firstCalls(index, callsExplained)
  if (!('steps' in plan))
    return {
      explain: await ask(
        plan,
        calls.map(({ args }) => args),
        pairWithExact(phase, index),
      ),
    }
  const explains: (Explain | null)[] = []
  for (const [step, method] of plan.steps.entries())
    explains.push(hasPlan(method) ? await ask(method, listArguments(step, calls)) : null)
  return { steps: explains }
}

/** Checks whether a method has a plan. The arguments of a step may be known by the replies of others alone. */
const hasPlan = (method: MethodPlan): boolean => canExplain(method) && method.needsReplies !== true

/** Lists the arguments of the calls that do not pass over the step. */
const listArguments = (step: number, calls: readonly PlannedCall[]): readonly NamedArguments[] =>
  calls.flatMap(({ steps = [] }) => {
    const given = steps[step]?.([])
    return given === undefined ? [] : [given.args]
  })

/** The arguments of a call, and those that find the right documents. */
type Pair = readonly [found: NamedArguments, exact: NamedArguments]

function pairWithExact(phase: PhasePlan, index: number): readonly Pair[] {
  const exact = phase.firstCalls(index, callsCompared, 'exact')
  const calls = phase.firstCalls(index, exact.length)
  return exact.flatMap(({ args }, i) => (calls[i] === undefined ? [] : [[calls[i].args, args] as const]))
}

/** Null: there are no calls. */
type Ask = (method: MethodPlan, calls: readonly NamedArguments[], compared?: readonly Pair[]) => Promise<Explain | null>

/** A server that does not answer is asked once: every further question would wait for as long. */
function askUntilLost(explainer: Explainer, { driver, clock, signal, secrets }: InstrumentContext): Ask {
  const { MongoNetworkError, MongoServerSelectionError } = driver.module
  const isLost = (error: unknown): boolean =>
    error instanceof MongoNetworkError || error instanceof MongoServerSelectionError
  let lost: string | undefined
  return async (method, calls, compared = []) => {
    const plans: QueryPlan[] = []
    const counted: CountedReplies[] = []
    const startMs = clock.now()
    let fastestMs = Infinity
    let reason = lost
    let failed = lost !== undefined
    for (const args of calls) {
      const beganMs = clock.now()
      if (failed || signal.aborted || (beganMs - startMs > enoughMs && fastestMs > fastMs)) break
      try {
        const plan = readQueryPlan(await explainer.explain(method, args))
        // Counted all the same.
        if (plan === undefined) reason = 'the answer of the server has an unknown form'
        else plans.push(plan)
        counted.push(await countAgain(explainer, method, args))
        fastestMs = Math.min(fastestMs, clock.now() - beganMs)
      } catch (error) {
        reason = redact(error instanceof Error ? error.message : String(error), secrets)
        failed = true
        if (isLost(error)) lost = reason
      }
    }
    const shares: number[] = []
    const comparedFromMs = clock.now()
    try {
      for (const [found, exact] of compared) {
        if (lost !== undefined || signal.aborted || clock.now() - comparedFromMs > enoughComparedMs) break
        const right = await explainer.findIds(method, exact)
        const returned = new Set(await explainer.findIds(method, found))
        if (right.length > 0) shares.push(right.filter((id) => returned.has(id)).length / right.length)
      }
    } catch (error) {
      reason ??= redact(error instanceof Error ? error.message : String(error), secrets)
    }
    return calls.length === 0
      ? null
      : {
          ...summarizePlans(method, { plans, counted, asked: calls.length }, reason),
          recall: shares.length === 0 ? null : sum(shares) / shares.length,
        }
  }
}

/** A call that fails when it is made again, such as one with a time limit, has its plan all the same. */
async function countAgain(explainer: Explainer, method: MethodPlan, args: NamedArguments): Promise<CountedReplies> {
  try {
    return await explainer.count(method, args)
  } catch {
    return { docsReturned: null, bytesReturned: null, commands: null, roundTrips: null }
  }
}

type Asked = {
  readonly plans: readonly QueryPlan[]
  readonly counted: readonly CountedReplies[]
  /** Calls that were to be explained. */
  readonly asked: number
}

function summarizePlans(
  { reply }: MethodPlan,
  { plans, counted, asked }: Asked,
  reason: string | undefined,
): Omit<Explain, 'recall'> {
  const figures = plans.flatMap((plan) => (typeof plan.figures === 'string' ? [] : plan.figures))
  const isWhole = figures.length === plans.length
  const middle = (metric: 'keysExamined' | 'docsExamined'): number | null =>
    isWhole ? median(figures.map((one) => one[metric])) : null
  // They depend on the arguments of a call: a median of fewer calls would differ by that alone.
  const count = (metric: keyof CountedReplies): number | null => {
    const values = counted.flatMap((one) => one[metric] ?? [])
    return values.length < asked ? null : median(values)
  }
  return {
    calls: plans.length,
    plans: [...new Set(plans.map(({ text }) => text))],
    indexes: [...new Set(plans.flatMap(({ indexes }) => indexes))],
    usesIndex: usesIndex(plans),
    keysExamined: middle('keysExamined'),
    docsExamined: middle('docsExamined'),
    docsReturned: replyTraits[reply].readsDocuments ? count('docsReturned') : null,
    bytesReturned: count('bytesReturned'),
    commands: count('commands'),
    roundTrips: count('roundTrips'),
    reason: reason ?? whyUnknown(plans) ?? whyIncomplete(counted.length, asked),
  }
}

const whyIncomplete = (counted: number, asked: number): string | null =>
  counted === asked
    ? null
    : `there was time for ${counted} of ${asked} calls, so documents, bytes and commands of replies are not known`

/** Where there is neither an index nor a collection to read, there is nothing to use. */
function usesIndex(plans: readonly QueryPlan[]): boolean | null {
  const { scansCollection } = combinePlans(plans)
  if (scansCollection !== false) return scansCollection === true ? false : null
  return plans.length > 0 && plans.every(({ indexes }) => indexes.length > 0) ? true : null
}
