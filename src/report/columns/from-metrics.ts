import { type MemberResources } from '../../results/schema.ts'
import { callsOf, type Scope } from '../scope.ts'
import { isNumber, ratio, sum } from '../statistics.ts'
import { type PerRun, type Series } from './column.ts'

type MetricName = keyof MemberResources['totals']

/** With several primaries (shards) there is no one number to show; after a restart the totals would lie. */
function memberOf({ phase }: Scope): MemberResources | null {
  const [member, ...others] = phase.members.filter(({ role }) => role === 'primary' || role === 'standalone')
  return member === undefined || others.length > 0 || member.restarted ? null : member
}

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

export function count(name: MetricName): PerRun {
  return { value: (scope) => total(scope, [name]), perSecond: (scope) => perSecond(scope, [name]) }
}

export function rate(names: readonly MetricName[], unit = 1): PerRun {
  return {
    value: (scope) => ratio(total(scope, names), scope.phase.wallSeconds * unit),
    perSecond: (scope) => perSecond(scope, names)?.map((value) => ratio(value, unit)) ?? null,
  }
}

export function share(part: MetricName, whole: MetricName): PerRun {
  return {
    value: (scope) => times(ratio(total(scope, [part]), total(scope, [whole])), 100),
    perSecond: (scope) => {
      const wholes = perSecond(scope, [whole])
      return (
        perSecond(scope, [part])?.map((value, second) => times(ratio(value, wholes?.[second] ?? null), 100)) ?? null
      )
    },
  }
}

/** The server counts for the whole phase, so the calls of the whole phase divide it. */
export function perOperation(name: MetricName): PerRun {
  return { value: (scope) => ratio(total(scope, [name]), callsOf({ ...scope, operations: scope.phase.operations })) }
}

export function times(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor
}

function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}
