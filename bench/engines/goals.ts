import { type Cost, computeMedian, medianRatio } from '../benchmark.ts'
import { isLimit, type SideName } from './side.ts'
import { type Costs } from './work.ts'

/** Goal of the wire engine. */
export type Goal =
  | { readonly kind: 'throughput'; readonly over: SideName; readonly atLeast: number }
  /** Only where the client was the limit of the driver engine is there something to win. */
  | { readonly kind: 'throughput of clients'; readonly over: 'driver'; readonly atLeast: number }
  | { readonly kind: 'CPU'; readonly over: SideName; readonly atMost: number }
  | { readonly kind: 'CPU alone'; readonly atMostUs: number }

/** A goal in words. */
export function goalText(goal: Goal): string {
  switch (goal.kind) {
    case 'throughput':
    case 'throughput of clients':
      return `≥ ${goal.atLeast} × ${goal.over}`
    case 'CPU':
      return `CPU ≤ ${goal.atMost} × ${goal.over}`
    case 'CPU alone':
      return `CPU ≤ ${goal.atMostUs} µs`
  }
}

/** Describes what was measured of a goal, and whether it is met. */
export function judge(goal: Goal, costs: Costs): string {
  const wire = costs.wire
  if (!wire) return 'no wire engine here'
  if (goal.kind === 'CPU alone') {
    const us = computeMedian(wire, ({ cpuUs }) => cpuUs)
    return `${us.toFixed(2)} µs, ${verdict(us <= goal.atMostUs)}`
  }
  const over = costs[goal.over]
  if (!over) return `no ${goal.over} here`
  switch (goal.kind) {
    case 'throughput': {
      const ratio = throughputRatio(wire, over)
      return `${ratio.toFixed(2)} ×, ${verdict(ratio >= goal.atLeast)}`
    }
    case 'throughput of clients': {
      const ratio = throughputRatio(wire, over)
      const limited = over.filter(isLimit).length > over.length / 2
      return `${ratio.toFixed(2)} ×, ${limited ? verdict(ratio >= goal.atLeast) : `${goal.over} is not the limit`}`
    }
    case 'CPU': {
      const ratio = medianRatio(wire, over, ({ cpuUs }) => cpuUs)
      return `${ratio.toFixed(3)} ×, ${verdict(ratio <= goal.atMost)}`
    }
  }
}

/** Whether a goal is met, in a word. */
export const verdict = (isMet: boolean): string => (isMet ? 'met' : 'missed')

const throughputRatio = (of: readonly Cost[], over: readonly Cost[]): number =>
  medianRatio(over, of, ({ wallUs }) => wallUs)
