import { type MemberResources } from '../../results/schema/servers.ts'
import { isOfHost, metrics } from '../../results/server-metrics.ts'
import { countCallsOfWindow, type Scope } from '../scope.ts'
import { isNumber, ratio, sum } from '../statistics.ts'
import { type MetricName, type PerRun, type Series } from './column.ts'
import { asRates } from './per-second.ts'

/** A column computed from metrics of a member. */
type FromMetrics = PerRun & Required<Pick<PerRun, 'metrics'>>

/** The member of the row, else those that take the writes: one, or in a sharded cluster the primary of each shard. */
function selectMembers({ phase, member: wanted }: Scope): readonly MemberResources[] {
  return phase.members.filter(({ member, role }) =>
    wanted === undefined ? role === 'primary' || role === 'standalone' : member === wanted,
  )
}

const getShardName = ({ member }: MemberResources): string => member.slice(0, Math.max(0, member.lastIndexOf('/')))

/**
 * The members whose values of a metric add up. Empty with several primaries of one set, and after a restart, which makes totals
 * unusable.
 */
function addends(scope: Scope, name: MetricName): readonly MemberResources[] {
  const members = selectMembers(scope)
  const isClear = new Set(members.map(getShardName)).size === members.length
  if (!isClear || members.some(({ restarted }) => restarted)) return []
  // Servers that we started are on one machine, and all of them report what it did.
  return isOfHost(metrics[name]) && scope.variant.server?.startedByUs === true ? members.slice(0, 1) : members
}

/** The sum of values. Null: there are none, or one is missing. */
function sumOfAll(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter(isNumber)
  return known.length === 0 || known.length < values.length ? null : sum(known)
}

/** The sum of the totals of metrics. Null if one is missing. */
export function total(scope: Scope, names: readonly MetricName[]): number | null {
  return sumOfAll(names.map((name) => sumOfAll(addends(scope, name).map(({ totals }) => totals[name]))))
}

function perSecond(scope: Scope, names: readonly MetricName[]): Series | null {
  const courses = names.flatMap((name) => addends(scope, name).map((member) => member.perSecond[name] ?? []))
  const seconds = Math.max(0, ...courses.map(({ length }) => length))
  if (seconds === 0) return null
  return Array.from({ length: seconds }, (_, second) => sumOfAll(courses.map((course) => course[second])))
}

function computeRates(scope: Scope, names: readonly MetricName[]): Series | null {
  const rises = perSecond(scope, names)
  return rises === null ? null : asRates(rises, scope.phase.wallSeconds)
}

/** The total of a counter. */
export function count(name: MetricName): FromMetrics {
  return { value: (scope) => total(scope, [name]), perSecond: (scope) => computeRates(scope, [name]), metrics: [name] }
}

/** The total of counters per second. */
export function rate(names: readonly MetricName[], unit = 1): FromMetrics {
  return {
    value: (scope) => ratio(total(scope, names), scope.phase.wallSeconds * unit),
    perSecond: (scope) => computeRates(scope, names)?.map((value) => ratio(value, unit)) ?? null,
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
    value: (scope) => ratio(total(scope, [name]), countCallsOfWindow(scope)),
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
    value: (scope) => findMax(namedIn(scope).map(({ totals }) => totals[name])),
    perSecond(scope) {
      const courses = namedIn(scope).flatMap((member) => {
        const course = member.perSecond[name]
        return course === undefined ? [] : [course]
      })
      const seconds = Math.max(0, ...courses.map(({ length }) => length))
      if (seconds === 0) return null
      return Array.from({ length: seconds }, (_, second) => findMax(courses.map((course) => course[second])))
    },
    metrics: [name],
  }
}

function findMax(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter(isNumber)
  return known.length === 0 ? null : Math.max(...known)
}

/** A value times a factor; null stays null. */
export function times(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor
}
