import { Problem } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { checkMetrics, getMeasures } from '../results/check-metrics.ts'
import { type Column } from './columns/column.ts'
import { getColumn, isMetric, type BuiltInMetric, measures } from './columns/index.ts'
import { type TableRows } from './report-schema.ts'
import { findWindowIssue, isKnownForWindows } from './rows/windows.ts'
import { type TargetInPhase, type PhaseShape, type MetricTarget, type Shape } from './scope.ts'

type Named = { readonly metric: string; readonly column: Column }

/** A measure and its place. Null: the place of the table row, which is an operation or the phase of a fault. */
export type Address = Named & { readonly target: MetricTarget | null }

/** The address of a measure of mongo-perf. */
export const createAddress = (metric: BuiltInMetric, target: MetricTarget | null): Address => ({
  metric,
  column: getColumn(metric),
  target,
})

/** The column of a measure, or of an own column. Undefined: there is none of this name. */
export function columnNamed(name: string, { columns = {} }: Pick<Shape, 'columns'>): Column | undefined {
  if (isMetric(name)) return getColumn(name)
  return Object.hasOwn(columns, name) ? columns[name] : undefined
}

/** Error in an address, and the nearest valid one. */
export type AddressIssue = { readonly reason: string; readonly nearest: string | null }

/** The issue of an address, or null. */
export function validateAddress(address: string, shape: Shape, rows: TableRows = 'variants'): AddressIssue | null {
  const read = readAddress(address, shape, rows)
  return 'reason' in read ? read : null
}

/**
 * Parses an address.
 * @throws {Problem} "spec-invalid" if it has an issue.
 */
export function parseAddress(address: string, shape: Shape, rows: TableRows = 'variants'): Address {
  const read = readAddress(address, shape, rows)
  if (!('reason' in read)) return read
  const hint =
    read.nearest === null ? `The metrics are ${namesIn(shape).join(', ')}.` : `Did you mean "${read.nearest}"?`
  throw new Problem('spec-invalid', `The report names "${address}", but ${read.reason}`, { hint })
}

/** All names of measures, own columns first. */
const namesIn = ({ columns = {} }: Shape): readonly string[] => [...Object.keys(columns), ...measures]

/** The address with its percentile as columns name it: "findOne.p99.9" is "findOne.p999Ms". */
export const withColumnName = (address: string): string => address.replace(/(p)99\.9(?:ms)?$/i, '$1999Ms')

/** The measure of an address: its last part. */
export function metricIn(address: string): string {
  const named = withColumnName(address)
  return named.slice(named.lastIndexOf('.') + 1)
}

/**
 * Looks up `[phase.][operation.[step.]]measure`, `[phase.][stream.]measure` and `check.measure` against the names of a spec. `@window` after the place
 * names one of several windows of its phase.
 * @param rows The rows of the table. If a row is an operation or a fault, a measure without a place is that of the operation, or of the phase of the fault.
 */
export function readAddress(given: string, shape: Shape, rows: TableRows = 'variants'): Address | AddressIssue {
  const address = withColumnName(given)
  const metric = metricIn(address)
  const [place = '', window] = address.slice(0, -metric.length).replace(/\.$/, '').split(/@(.*)/s)
  const ofCheck = measureOfCheck(place, metric, shape)
  if (ofCheck !== undefined) return ofCheck
  const column = columnNamed(metric, shape)
  const end = `${window === undefined ? '' : `@${window}`}.${metric}`
  if (column === undefined) return unknownMetric({ address, metric, place, end }, shape)
  const named = { metric, column }
  if (column.of.includes('storage')) return storageAddress(named, place, shape)
  if ((rows === 'windows' || window !== undefined) && !isKnownForWindows(metric))
    return { reason: `"${metric}" is not measured for single windows`, nearest: null }
  const target = place === '' ? bareTarget(end, shape, rows) : namedTarget(place, end, shape)
  if (target !== null && 'reason' in target) return target
  const whole = fitting(named, target, shape)
  return window === undefined || 'reason' in whole ? whole : addWindow(whole, window, shape)
}

/** The address of the windows of a name, in a phase or its only operation. */
function addWindow(whole: Address, window: string, { phases }: Shape): Address | AddressIssue {
  const { metric, target } = whole
  if (target?.kind !== 'phase' && target?.kind !== 'operation')
    return { reason: `"${metric}" is not measured for single windows of this`, nearest: null }
  const phase = phases.find(({ name }) => name === target.phase)
  const issue = phase && findWindowIssue(window, phase)
  if (issue === undefined) return { ...whole, target: { ...target, window } }
  const meant = issue.nearest === null ? '' : `@${issue.nearest}`
  return { ...issue, nearest: `${target.phase}${meant}.${metric}` }
}

/** The address of a figure of a check. Undefined if there is no check of that name. */
function measureOfCheck(
  name: string,
  metric: string,
  { checks = [], partial }: Shape,
): Address | AddressIssue | undefined {
  const target = { kind: 'check', check: name } as const
  const check = checks.find((one) => one.name === name)
  // A result whose rows did not begin does not list its checks.
  const kinds =
    check !== undefined ? [check.kind] : partial === true && !isMetric(metric) ? Object.keys(checkMetrics) : []
  const key = kinds.map((kind) => `${kind}.${metric}`).find(isMetric)
  if (key !== undefined) return createAddress(key, target)
  if (check === undefined) return undefined
  const known = Object.keys(getMeasures(check.kind))
  const meant = nearest(metric, known)
  const reason = `the check "${name}" has no measure "${metric}"`
  return meant === undefined
    ? { reason: `${reason}; it has ${known.join(', ')}`, nearest: null }
    : { reason, nearest: `${name}.${meant}` }
}

/** Prefix of the sizes on disk, which belong to a row as a whole. */
const storageName = 'storage'

function storageAddress(named: Named, place: string, { phases }: Shape): Address | AddressIssue {
  if (place === storageName) return { ...named, target: { kind: 'storage', phase: phases.at(-1)?.name ?? '' } }
  return { reason: `"${named.metric}" is known for a row as a whole`, nearest: `${storageName}.${named.metric}` }
}

type WrittenAddress = Readonly<Record<'address' | 'metric' | 'place' | 'end', string>>

function unknownMetric({ address, metric, place, end }: WrittenAddress, shape: Shape): AddressIssue {
  const { checks = [], phases } = shape
  const reason = `there is no metric "${metric}"`
  const ofChecks = checks.flatMap(({ name, kind }) => Object.keys(getMeasures(kind)).map((known) => `${name}.${known}`))
  const meant = nearest(address, ofChecks)
  if (meant !== undefined) return { reason, nearest: meant }
  const other = nearest(metric, namesIn(shape)) ?? null
  if (other === null || address === metric) return { reason, nearest: other }
  const known = phases.flatMap(targetsIn)
  const target = known.some(({ name }) => name === place) ? place : nearestTarget(place, known)
  return { reason, nearest: `${target ?? place}${end.slice(0, -metric.length)}${other}` }
}

function bareTarget(end: string, shape: Shape, rows: TableRows): TargetInPhase | AddressIssue | null {
  const [first, ...others] = shape.phases
  if (rows === 'operations' || rows === 'faults' || first === undefined) return null
  if (others.length === 0) return { kind: 'phase', phase: first.name }
  return { reason: 'several phases are measured: name one', nearest: `${first.name}${end}` }
}

type NamedTarget = { readonly name: string; readonly target: TargetInPhase }

function namedTarget(prefix: string, end: string, shape: Shape): TargetInPhase | AddressIssue {
  const known = shape.phases.flatMap(targetsIn)
  const [found, ...others] = known.filter(({ name }) => name === prefix)
  if (found === undefined && shape.partial === true) return { kind: 'phase', phase: prefix }
  if (found === undefined) {
    const meant = nearestTarget(prefix, known)
    return {
      reason: `no measured phase or operation is called "${prefix}"`,
      nearest: meant === null ? null : `${meant}${end}`,
    }
  }
  if (others.length === 0) return found.target
  const fullName = known.findLast(({ target }) => target === found.target)?.name
  return {
    reason: `several phases and operations are called "${prefix}"`,
    nearest: found.target.kind === 'phase' || fullName === undefined ? null : `${fullName}${end}`,
  }
}

/** The most similar place. The name of a step without its operation means that step. */
function nearestTarget(prefix: string, known: readonly NamedTarget[]): string | null {
  const step = known.find(({ name, target }) => target.kind === 'step' && name.endsWith(`.${prefix}`))
  const names = known.map(({ name }) => name)
  return step?.name ?? nearest(prefix, names) ?? null
}

/** All names of all places, full names last. The only operation of a phase with the same name counts as the phase. */
function targetsIn({ name: phase, operations, streams }: PhaseShape): readonly NamedTarget[] {
  const named = (name: string, target: TargetInPhase): readonly NamedTarget[] => [
    { name, target },
    { name: `${phase}.${name}`, target },
  ]
  return [
    { name: phase, target: { kind: 'phase', phase } },
    ...operations.flatMap(({ name: operation, steps }) => [
      ...named(operation, { kind: 'operation', phase, operation }).slice(
        operations.length === 1 && operation === phase ? 1 : 0,
      ),
      ...steps.flatMap((step) => named(`${operation}.${step}`, { kind: 'step', phase, operation, step })),
    ]),
    ...streams.flatMap((stream) => named(stream, { kind: 'stream', phase, stream })),
  ]
}

/** Checks that a measure is known for a place. If only one part of the place has the measure, that part is used. */
function fitting(named: Named, target: TargetInPhase | null, shape: Shape): Address | AddressIssue {
  const {
    metric,
    column: { of },
  } = named
  const wanted = of.includes('stream') ? 'stream' : 'step'
  if (target === null) {
    const isOfRows = of.includes('operation') || of.includes('phase') || shape.phases.length === 0
    return isOfRows
      ? { ...named, target }
      : elsewhere(metric, `for every ${wanted}, not for operations`, shape.phases, of)
  }
  const phase = shape.phases.find(({ name }) => name === target.phase)
  if (of.includes(target.kind) || phase === undefined) return { ...named, target }
  if (target.kind === 'phase') {
    const [only, ...others] = phase.streams
    if (of.includes('stream') && only !== undefined && others.length === 0)
      return { ...named, target: { kind: 'stream', phase: phase.name, stream: only } }
    return elsewhere(metric, `for every ${wanted}, not for the phase "${phase.name}" as a whole`, [phase], of)
  }
  if (target.kind === 'operation' && of.includes('phase') && phase.operations.length === 1) return { ...named, target }
  if (of.includes('phase'))
    return elsewhere(metric, `for the phase "${phase.name}" as a whole, not for ${partNames[target.kind]}`, [phase], of)
  return elsewhere(metric, `for every ${wanted}, not for ${partNames[target.kind]}`, [phase], of)
}

const partNames = {
  operation: 'one of its operations',
  step: 'a step of one of its operations',
  stream: 'a change stream',
  storage: 'the sizes on disk',
} as const

function elsewhere(
  metric: string,
  where: string,
  phases: readonly PhaseShape[],
  of: readonly MetricTarget['kind'][],
): AddressIssue {
  const first = phases.flatMap(targetsIn).find(({ target }) => of.includes(target.kind))
  return {
    reason: `"${metric}" is known ${where}`,
    nearest: first === undefined ? null : `${first.name}.${metric}`,
  }
}
