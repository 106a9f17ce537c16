import { type MemberResources } from '../../results/schema/servers.ts'
import { callsOf, type Scope } from '../scope.ts'
import { isNumber, ratio, sum } from '../statistics.ts'
import { type MetricName, type PerRun, type Series } from './column.ts'
import { asRates } from './per-second.ts'

/** A column computed from metrics of a member. */
type FromMetrics = PerRun & Required<Pick<PerRun, 'metrics'>>

/** The member of the row, else the one that takes the writes. */
function membersOf({ phase, member: wanted }: Scope): readonly MemberResources[] {
  return phase.members.filter(({ member, role }) =>
    wanted === undefined ? role === 'primary' || role === 'standalone' : member === wanted,
  )
}

/** Null with several primaries (shards), and after a restart, which makes totals unusable. */
function memberOf(scope: Scope): MemberResources | null {
  const [member, ...others] = membersOf(scope)
  return member === undefined || others.length > 0 || member.restarted ? null : member
}

/** The sum of the totals of metrics. Null if one is missing. */
export function total(scope: Scope, names: readonly MetricName[]): number | null {
  const totals = memberOf(scope)?.totals
  const values = names.map((name) => totals?.[name]).filter(isNumber)
  return values.length < names.length ? null : sum(values)
}

function perSecond(scope: Scope, names: readonly MetricName[]): Series | null {
  const series = memberOf(scope)?.perSecond
  const [first, ...others] = names.map((name) => series?.[name] ?? [])
  if (first === undefined || first.length === 0) return null
  return first.map((value, second) => others.reduce((so, other) => add(so, other[second] ?? null), value))
}

function ratesOf(scope: Scope, names: readonly MetricName[]): Series | null {
  const rises = perSecond(scope, names)
  return rises === null ? null : asRates(rises, scope.phase.wallSeconds)
}

/** The total of a counter. */
export function count(name: MetricName): FromMetrics {
  return { value: (scope) => total(scope, [name]), perSecond: (scope) => ratesOf(scope, [name]), metrics: [name] }
}

/** The total of counters per second. */
export function rate(names: readonly MetricName[], unit = 1): FromMetrics {
  return {
    value: (scope) => ratio(total(scope, names), scope.phase.wallSeconds * unit),
    perSecond: (scope) => ratesOf(scope, names)?.map((value) => ratio(value, unit)) ?? null,
    metrics: names,
  }
}

/** One counter in percent of another. */
export function share(part: MetricName, whole: MetricName): FromMetrics {
  return {
    value: (scope) => times(ratio(total(scope, [part]), total(scope, [whole])), 100),
    perSecond: (scope) => {
      const wholes = perSecond(scope, [whole])
      return (
        perSecond(scope, [part])?.map((value, second) => times(ratio(value, wholes?.[second] ?? null), 100)) ?? null
      )
    },
    metrics: [part, whole],
  }
}

/** A counter per operation of the whole phase, because the server counts for the whole phase. */
export function perOperation(name: MetricName): FromMetrics {
  return {
    value: (scope) => ratio(total(scope, [name]), callsOf({ ...scope, operations: scope.phase.operations })),
    metrics: [name],
  }
}

/** The mean of a time that the server accumulates, in milliseconds. */
export function meanMs(micros: readonly MetricName[], counts: readonly MetricName[]): FromMetrics {
  return {
    value: (scope) => ratio(total(scope, micros), times(total(scope, counts), 1000)),
    metrics: [...micros, ...counts],
  }
}

const namedIn = ({ phase: { members }, member: wanted }: Scope): readonly MemberResources[] =>
  wanted === undefined ? members : members.filter(({ member }) => member === wanted)

/** A gauge of secondaries: that of the row's member, else the maximum of all members. */
export function maximum(name: MetricName): FromMetrics {
  return {
    value: (scope) => maxOf(namedIn(scope).map(({ totals }) => totals[name])),
    perSecond(scope) {
      const courses = namedIn(scope).flatMap((member) => {
        const course = member.perSecond[name]
        return course === undefined ? [] : [course]
      })
      const seconds = Math.max(0, ...courses.map(({ length }) => length))
      if (seconds === 0) return null
      return Array.from({ length: seconds }, (_, second) => maxOf(courses.map((course) => course[second])))
    },
    metrics: [name],
  }
}

function maxOf(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter(isNumber)
  return known.length === 0 ? null : Math.max(...known)
}

/** A value times a factor; null stays null. */
export function times(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor
}

function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}
