import { figure, type WarningRule, wording } from './warning.ts'

export const ofSearches: readonly WarningRule[] = [
  {
    code: 'peak-at-the-end',
    finds: ({ load, outcome, endedBecause }) =>
      endedBecause === 'seconds' &&
      load === 'findPeak' &&
      outcome !== null &&
      outcome.found !== null &&
      outcome.high === null
        ? wording`Throughput was highest with ${figure(outcome.found)} workers, the maximum that was tried`
        : undefined,
    advice: 'More workers may give even more: raise "to".',
  },
]
