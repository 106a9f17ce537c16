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
import { type RowRun } from '../row-run.ts'
import { type OpenInstrument } from './instrument.ts'

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
export const explain: OpenInstrument<Pick<PhaseResult, 'operations'>> = async ({ phase, signal }, row) => {
  let explained: PhaseResult['operations'] | undefined
  return {
    disturbs: true,
    async close({ run: { endedBecause, operations } }) {
      const isWhole = endedBecause !== 'aborted' && endedBecause !== 'everything failed'
      if (!phase.measured || !isWhole) return
      const found = known.get(phase) ?? (await explainOperations(operations, phase, { ...row, signal }))
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
  phase: PhasePlan,
  row: RowRun,
): Promise<readonly Explained[]> {
  const explainer = createExplainer({ ...row, phase, driver: row.driver.module, uri: row.target.uri })
  const asking: Asking = { explainer, row }
  const explained: Explained[] = []
  try {
    for (const index of operations.keys()) explained.push(await explainPhaseOperation(phase, index, asking))
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

async function explainPhaseOperation(phase: PhasePlan, index: number, asking: Asking): Promise<Explained> {
  const plan = phase.operations[index]
  if (plan === undefined) return {}
  const methods = 'steps' in plan ? plan.steps : [plan]
  if (!methods.some(hasPlan)) return {}
  const calls = phase.firstCalls(index, callsExplained)
  if (!('steps' in plan))
    return {
      explain: await ask(
        asking,
        plan,
        calls.map(({ args }) => args),
        pairWithExact(phase, index),
      ),
    }
  const explains: (Explain | null)[] = []
  for (const [step, method] of plan.steps.entries())
    explains.push(hasPlan(method) ? await ask(asking, method, listArguments(step, calls)) : null)
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

/** Who is asked, and why it is asked no more. A server that does not answer is asked once: every further question would wait for as long. */
type Asking = {
  readonly explainer: Explainer
  readonly row: Pick<RowRun, 'clock' | 'signal' | 'secrets' | 'driver'>
  lost?: string
}

/** Null: there are no calls. */
async function ask(
  asking: Asking,
  method: MethodPlan,
  calls: readonly NamedArguments[],
  compared: readonly Pair[] = [],
): Promise<Explain | null> {
  const answers = await askPlans(asking, method, calls)
  const { shares, reason } = await compare(asking, method, compared)
  if (calls.length === 0) return null
  const recall = shares.length === 0 ? null : sum(shares) / shares.length
  return { ...summarizePlans(method, answers, answers.reason ?? reason), recall }
}

async function askPlans(asking: Asking, method: MethodPlan, calls: readonly NamedArguments[]): Promise<Answers> {
  const { explainer, row } = asking
  const { clock, signal } = row
  const plans: QueryPlan[] = []
  const counted: CountedReplies[] = []
  const startMs = clock.now()
  let fastestMs = Infinity
  let reason = asking.lost
  const isEnough = (nowMs: number): boolean =>
    asking.lost !== undefined || signal.aborted || (nowMs - startMs > enoughMs && fastestMs > fastMs)
  try {
    for (const args of calls) {
      const beganMs = clock.now()
      if (isEnough(beganMs)) break
      const plan = readQueryPlan(await explainer.explain(method, args))
      // Counted all the same.
      if (plan === undefined) reason = 'the answer of the server has an unknown form'
      else plans.push(plan)
      counted.push(await countAgain(explainer, method, args))
      fastestMs = Math.min(fastestMs, clock.now() - beganMs)
    }
  } catch (error) {
    reason = describeError(error, asking)
    const { MongoNetworkError, MongoServerSelectionError } = row.driver.module
    if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) asking.lost = reason
  }
  return { plans, counted, asked: calls.length, reason }
}

/** Finds the share of the right documents that each call returns, if there are any. */
async function compare(
  asking: Asking,
  method: MethodPlan,
  pairs: readonly Pair[],
): Promise<{ readonly shares: readonly number[]; readonly reason?: string }> {
  const { explainer, row } = asking
  const fromMs = row.clock.now()
  const shares: number[] = []
  try {
    for (const [found, exact] of pairs) {
      if (asking.lost !== undefined || row.signal.aborted || row.clock.now() - fromMs > enoughComparedMs) break
      const right = await explainer.findIds(method, exact)
      const returned = new Set(await explainer.findIds(method, found))
      if (right.length > 0) shares.push(right.filter((id) => returned.has(id)).length / right.length)
    }
    return { shares }
  } catch (error) {
    return { shares, reason: describeError(error, asking) }
  }
}

const describeError = (error: unknown, { row }: Asking): string =>
  redact(error instanceof Error ? error.message : String(error), row.secrets)

/** A call that fails when it is made again, such as one with a time limit, has its plan all the same. */
async function countAgain(explainer: Explainer, method: MethodPlan, args: NamedArguments): Promise<CountedReplies> {
  try {
    return await explainer.count(method, args)
  } catch {
    return { docsReturned: null, bytesReturned: null, commands: null, roundTrips: null }
  }
}

type Answers = {
  readonly plans: readonly QueryPlan[]
  readonly counted: readonly CountedReplies[]
  /** Calls that were to be explained. */
  readonly asked: number
  /** Why not all of them were. */
  readonly reason: string | undefined
}

function summarizePlans(
  { reply }: MethodPlan,
  { plans, counted, asked }: Answers,
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
