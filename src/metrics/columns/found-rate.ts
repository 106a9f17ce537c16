import { defineColumns } from './column.ts'

const ofSearch = { source: 'client', of: ['phase'] } as const

/** Columns for a search for the highest rate at which limits hold. Empty for other phases. */
export const foundRateColumns = defineColumns(ofSearch, {
  foundRate: {
    title: 'Rate under the Limits (ops/s)',
    meaning:
      'Result of a search ("kind": "findRate"): the highest rate at which its limits held, and a separate step confirmed that.',
    better: 'higher',
    value: ({ phase }) => phase.rate?.ratePerSecond ?? null,
  },
  foundRateLow: {
    title: 'Lower End (ops/s)',
    meaning:
      'The nearest rate below the found one, by a quarter of "precisionPercent" or more, at which the limits held.',
    value: ({ phase }) => phase.rate?.low ?? null,
  },
  foundRateHigh: {
    title: 'Upper End (ops/s)',
    meaning:
      'The nearest rate above the found one, by half of "precisionPercent" or more, at which a limit was missed: twice, or in a longer step. Empty if none was missed.',
    value: ({ phase }) => phase.rate?.high ?? null,
  },
})
