import { formatQuantity } from '../core/quantities.ts'
import { createMeeting } from '../load/meeting.ts'
import { errorText } from '../results/error-text.ts'
import { type DataSetResult, type PhaseResult, type VariantResult } from '../results/schema.ts'
import { type Warning } from '../results/schema/warnings.ts'
import { type RowWarning } from '../results/warnings/weights.ts'
import { withOwnNumbers } from '../spec/plan/data-set.ts'
import { groupLoads } from '../spec/plan/phase-operations.ts'
import { type PhaseSpec } from '../spec/schema/phase-schema.ts'
import { measureLoad } from './measure-load.ts'
import { type EndedPhase } from './measure-phase.ts'
import { type LoadOfPhase, type RowRun } from './row-run.ts'
import { endAbandoned, settleRow } from './settle.ts'

/** A load that has run, with the result of each of its windows. */
type Ran = { readonly spec: PhaseSpec; readonly results: EndedPhase['results'] }

/** Findings of the phases of a row. */
export type RanPhases = Pick<VariantResult, 'phases' | 'checks' | 'warnings'>

/**
 * Runs the phases of a row one after the other, until the last one or an abort.
 * @param data How the data sets got there.
 */
export async function runPhases(row: RowRun, data: readonly DataSetResult[]): Promise<RanPhases> {
  const { dataSets, signal } = row
  const ran: Ran[] = []
  const warnings: RowWarning[] = []
  for (const [i, loads] of groupLoads(row.spec.phases).entries()) {
    if (signal.aborted) break
    warnings.push(...(await beginPhase(loads, row, i === 0 && data.some(isLoaded))))
    if (signal.aborted) break
    const ended = await runTogether(loads, { dataSets, signal }, (load) => measureLoad(load, row))
    ran.push(...(await endPhase(loads, ended, row)))
    if (ended.some(({ isLast }) => isLast)) break
  }
  return await collect(ran, row, warnings)
}

/**
 * Runs the loads of a phase at the same time, usually a single one. Several loads number their rows separately: rules ensure that no two of them take
 * rows of the same collection.
 * @returns how they ended, in their order.
 * @throws what the first one that fails throws, when all have ended.
 */
async function runTogether(
  loads: readonly PhaseSpec[],
  { dataSets, signal }: Pick<LoadOfPhase, 'dataSets' | 'signal'>,
  run: (load: LoadOfPhase) => Promise<EndedPhase>,
): Promise<readonly EndedPhase[]> {
  const ending = new AbortController()
  const together = createMeeting(loads.length)
  const ofAll = { together, signal: AbortSignal.any([signal, ending.signal]), endPhase: () => ending.abort() }
  const own = loads.map(() =>
    loads.length === 1 ? dataSets : dataSets.map((dataSet) => withOwnNumbers(dataSet, dataSet.numbers.next())),
  )
  const running = loads.map(async (source, l) => {
    try {
      return await run({ ...ofAll, source, dataSets: own[l] ?? [] })
    } catch (error) {
      ending.abort()
      throw error
    } finally {
      together.leave()
    }
  })
  await Promise.allSettled(running)
  for (const [i, { numbers }] of dataSets.entries())
    numbers.goOnFrom(Math.max(...own.map((ofLoad) => ofLoad[i]?.numbers.next() ?? 0)))
  return await Promise.all(running)
}

/** Begins the checks of a phase, and lets the servers settle. */
async function beginPhase(
  loads: readonly PhaseSpec[],
  row: RowRun,
  isAfterLoad: boolean,
): Promise<readonly RowWarning[]> {
  const { checks, emit, at } = row
  for (const { name } of loads) await checks.phaseBegins(name)
  const isSettling = isAfterLoad || loads[0]?.settle === true
  if (isSettling) emit({ kind: 'settle', at })
  return isSettling ? await settleRow(row) : []
}

async function endPhase(
  loads: readonly PhaseSpec[],
  ended: readonly EndedPhase[],
  row: RowRun,
): Promise<readonly Ran[]> {
  await row.settled()
  await row.watch.settled()
  const ran: Ran[] = []
  for (const [l, spec] of loads.entries()) {
    const { operations = [], results = [] } = ended[l] ?? {}
    await row.checks.phaseEnds(spec.name)
    await endAbandoned(row.db, operations)
    ran.push({ spec, results })
  }
  return ran
}

async function collect(ran: readonly Ran[], { checks }: RowRun, warnings: readonly RowWarning[]): Promise<RanPhases> {
  const ended = await Promise.all(
    ran.flatMap(({ spec, results }) => results.map(async (result) => ({ spec, result: await result }))),
  )
  const setUp = ended.filter(({ spec }) => !spec.measured)
  return {
    phases: ended.filter(({ spec }) => spec.measured).map(({ result }) => result),
    checks: await checks.finish(ended.map(({ result }) => result)),
    warnings: [...warnings, ...setUp.flatMap(({ result }) => setUpWarnings(result))],
  }
}

/** Whether something of the load may still be under way on the server. */
const isLoaded = ({ rows, source }: DataSetResult): boolean => rows > 0 && source !== 'existing'

/** Warnings of a phase that is not in the result: faults and calls that failed. */
function setUpWarnings({ name, operations, warnings }: PhaseResult): readonly RowWarning[] {
  const ofFaults = warnings.filter(isOfFault)
  const errors = operations.flatMap((operation) => operation.errors)
  const [first] = errors
  if (!first) return ofFaults
  const count = errors.reduce((sum, error) => sum + error.count, 0)
  return [
    ...ofFaults,
    {
      code: 'set-up-failed',
      message: `${formatQuantity(count, 'operation')} of the set-up phase "${name}" failed, the first with ${errorText(first)}`,
      advice: 'What is measured after it may not be what was meant.',
    },
  ]
}

const isOfFault = (warning: Warning): warning is RowWarning => warning.code === 'fault-failed'
