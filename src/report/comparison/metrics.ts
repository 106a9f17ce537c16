import { Problem } from '../../core/errors.ts'
import { type Address, type AddressIssue, createAddress, readAddress, validateAddress } from '../../metrics/address.ts'
import { type BuiltInMetric, getColumn, measures } from '../../metrics/columns/index.ts'
import { type MetricTarget, type PhaseShape, type Shape, describeShape } from '../../metrics/scope.ts'
import { workMetricNames } from '../../metrics/work.ts'
import type { PhaseResult, Result } from '../../results/schema.ts'
import type { RowPair } from './pair-results.ts'

export type ComparedMetric = {
  /** The address, as `--measure` takes it. */
  readonly text: string
  readonly address: Address
  readonly better: 'higher' | 'lower'
}

/** Measures of which the first is taken that has enough samples on both sides. */
export type Choice = readonly [ComparedMetric, ...(readonly ComparedMetric[])]

/** Metrics that say most about a phase, by its kind of load. Latencies: the first one with enough samples. */
const byLoad: Readonly<
  Record<PhaseResult['load'], { readonly ofPhase: readonly Names[]; readonly ofOperations: readonly Names[] }>
> = {
  closed: { ofPhase: [['opsPerSecond']], ofOperations: [['p99Ms', 'p50Ms']] },
  open: { ofPhase: [['opsPerSecond']], ofOperations: [['responseP99Ms', 'responseP50Ms']] },
  findPeak: { ofPhase: [['opsPerSecond'], ['p99Ms']], ofOperations: [] },
  findRate: { ofPhase: [['foundRate']], ofOperations: [] },
  findCache: { ofPhase: [['foundCacheMB']], ofOperations: [] },
}

type Names = readonly [BuiltInMetric, ...(readonly BuiltInMetric[])]

/**
 * Returns what is compared of a row if nothing is named: the throughput of each phase, the latency of each operation, and CPU of the server per operation.
 * @param isOnly Whether one phase is measured in all rows, so that addresses need not name it.
 */
export function defaultMetrics({ a, b }: RowPair, isOnly: boolean): readonly Choice[] {
  const runs = [...a.runs, ...b.runs]
  const loads = new Map(runs.flatMap(({ phases }) => phases.map(({ name, load }) => [name, load] as const)))
  return describeShape({ variants: runs }).phases.flatMap((phase) =>
    listPhaseMeasures(phase, loads.get(phase.name) ?? 'closed', isOnly),
  )
}

function listPhaseMeasures(shape: PhaseShape, load: PhaseResult['load'], isOnly: boolean): readonly Choice[] {
  const { name: phase, operations } = shape
  const prefix = isOnly ? '' : `${phase}.`
  const { ofPhase, ofOperations } = byLoad[load]
  const inPhase = choose(prefix, { kind: 'phase', phase })
  const inAnswer =
    load === 'findPeak' ? choose(`${isOnly ? '' : phase}@found.`, { kind: 'phase', phase, window: 'found' }) : inPhase
  return [
    ...ofPhase.map(inAnswer),
    ...operations.flatMap(({ name }) => ofOperations.map(chooseOfOperation(shape, name, prefix))),
    inPhase(['serverCpuUsPerOperation']),
  ]
}

/**
 * Returns the counts of work that are compared of a row: of each operation and step.
 * @param isOnly Whether one phase is measured in all rows, so that addresses need not name it.
 */
export function workMeasures({ a, b }: RowPair, isOnly: boolean): readonly Choice[] {
  const { phases } = describeShape({ variants: [...a.runs, ...b.runs] })
  const places = phases.flatMap((shape) => {
    const prefix = isOnly ? '' : `${shape.name}.`
    return shape.operations.flatMap((operation) => listChooses(shape, operation, prefix))
  })
  return places.flatMap((chooseAt) => workMetricNames.map((name) => chooseAt([name])))
}

/** The places of an operation and of its steps. */
function listChooses(
  shape: PhaseShape,
  { name: operation, steps }: PhaseShape['operations'][number],
  prefix: string,
): readonly ReturnType<typeof choose>[] {
  const { name: phase } = shape
  const ofSteps = steps.map((step) =>
    choose(`${prefix}${operation}.${step}.`, { kind: 'step', phase, operation, step }),
  )
  return [chooseOfOperation(shape, operation, prefix), ...ofSteps]
}

/** The only operation of a phase has the address of the phase. */
const chooseOfOperation = ({ name: phase, operations }: PhaseShape, operation: string, prefix: string) =>
  operations.length === 1
    ? choose(prefix, { kind: 'phase', phase })
    : choose(`${operation === phase ? `${phase}.` : prefix}${operation}.`, { kind: 'operation', phase, operation })

const choose =
  (prefix: string, target: MetricTarget) =>
  ([first, ...others]: Names): Choice => [
    compared(prefix, first, target),
    ...others.map((metric) => compared(prefix, metric, target)),
  ]

const compared = (prefix: string, metric: BuiltInMetric, target: MetricTarget): ComparedMetric => ({
  text: `${prefix}${metric}`,
  address: createAddress(metric, target),
  better: getColumn(metric).better ?? 'lower',
})

/**
 * The named measures that one of the results has, or both.
 * @throws {Problem} "usage" for measures of which neither higher nor lower values are better.
 */
export function namedMetrics(texts: readonly string[], a: Result, b: Result): readonly Choice[] {
  const shapes = [describeShape(a), describeShape(b)]
  return texts.flatMap((text): readonly Choice[] => {
    const address = shapes.map((shape) => readAddress(text, shape)).find(isAddress)
    return address === undefined ? [] : [[{ text, address, better: findBetterDirection(text, address) }]]
  })
}

const isAddress = (found: Address | AddressIssue): found is Address => !('reason' in found)

function findBetterDirection(text: string, { metric, column: { better } }: Address): 'higher' | 'lower' {
  if (better !== undefined) return better
  const known = measures.filter((name) => getColumn(name).better !== undefined && !name.includes('.'))
  throw new Problem('usage', `--measure ${text}: neither higher nor lower values of "${metric}" are better`, {
    hint: `Those that compare are ${known.join(', ')}.`,
  })
}

/**
 * Refuses an address that no result has.
 * @throws {Problem} "usage" with the nearest address.
 */
export function refuseUnknownMetrics(texts: readonly string[], results: readonly Result[]): void {
  const shapes: readonly Shape[] = results.map((result) => describeShape(result))
  for (const text of texts) {
    const issues = shapes.flatMap((shape) => validateAddress(text, shape) ?? [])
    const [first] = issues
    if (first === undefined || issues.length < shapes.length) continue
    throw new Problem('usage', `--measure ${text}: ${first.reason}`, {
      hint:
        first.nearest === null ? '`mongo-perf list columns` lists the metrics.' : `Did you mean "${first.nearest}"?`,
    })
  }
}
