import { type Doubt } from './warning.ts'

export const ofSearches: readonly Doubt[] = [
  {
    code: 'peak-at-the-end',
    finds: ({ peak, endedBecause }) =>
      endedBecause === 'seconds' &&
      peak !== null &&
      peak.workers !== null &&
      peak.workers === peak.steps.at(-1)?.workers
        ? `Throughput was greatest with ${peak.workers} workers, the most that were tried`
        : undefined,
    advice: 'More workers may be better still: raise "to".',
  },
]
