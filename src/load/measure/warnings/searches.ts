import { figure, type WarningRule, wording } from './warning.ts'

/** Warnings about saturation searches. */
export const ofSearches: readonly WarningRule[] = [
  {
    code: 'peak-at-the-end',
    finds: ({ peak, endedBecause }) =>
      endedBecause === 'seconds' &&
      peak !== null &&
      peak.workers !== null &&
      peak.workers === peak.steps.at(-1)?.workers
        ? wording`Throughput was highest with ${figure(peak.workers)} workers, the maximum that was tried`
        : undefined,
    advice: 'More workers may give even more: raise "to".',
  },
]
