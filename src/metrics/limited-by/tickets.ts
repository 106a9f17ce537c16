import { type MetricName } from '../columns/column.ts'
import { isNumber, sum } from '../statistics.ts'
import { type LimitRule } from './rule.ts'

/** The most operations of a kind that WiredTiger admits. From MongoDB 7.0 on the server may admit fewer, which it does not report. */
const tickets = 128
const minUsed = 0.9

const kinds: readonly (readonly [name: string, metric: MetricName])[] = [
  ['read', 'ticketsReadOut'],
  ['write', 'ticketsWriteOut'],
]

/** Operations that wait to be admitted to the storage engine. */
export const ticketsUsedUp: LimitRule = {
  name: 'tickets',
  remedy: 'shorter operations, so that fewer wait for a ticket of the storage engine',
  finds({ phase }) {
    const used = phase.members.flatMap(({ perSecond }) =>
      kinds.map(([name, metric]) => {
        const seconds = (perSecond[metric] ?? []).filter(isNumber)
        return { name, mean: seconds.length === 0 ? 0 : sum(seconds) / seconds.length }
      }),
    )
    const [most] = used.toSorted((one, other) => other.mean - one.mean)
    if (most === undefined || most.mean < minUsed * tickets) return null
    return { share: most.mean / tickets, text: `${Math.round(most.mean)} of ${tickets} ${most.name} tickets` }
  },
}
