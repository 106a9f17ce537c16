import { sum } from '../statistics.ts'
import { type Columns } from './column.ts'

/** Column for individual latencies, if a phase keeps them. */
export const singleCallColumns = {
  latencyMs: {
    title: 'Latency (ms)',
    unit: 'ms',
    meaning:
      'Latency of each successful operation, measured at the client, for line charts over the operations ("x": "operation").',
    source: 'client',
    digits: 2,
    of: ['phase', 'operation'],
    perCall: ({ operations }) => {
      const kept = operations.flatMap((calls) => ('samples' in calls && calls.samples !== null ? [calls.samples] : []))
      if (kept.length === 0) return null
      const points = kept.flatMap(({ numbers, ms }) =>
        numbers.map((number, index) => ({ x: number + 1, y: ms[index] ?? 0 })),
      )
      return { points: points.toSorted((a, b) => a.x - b.x), dropped: sum(kept.map(({ dropped }) => dropped)) }
    },
  },
} as const satisfies Columns
