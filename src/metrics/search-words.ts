import { formatQuantity } from '../core/quantities.ts'
import { type PhaseResult } from '../results/schema.ts'
import { readableNumber } from './format.ts'

/** Loads that look for something in steps. */
export type SearchKind = Exclude<PhaseResult['load'], 'closed' | 'open'>

/** Texts about each kind of search, in the order of their sections. `places` heads what differs between steps; `kneeOf` names what is divided by latency to find the knee of a curve over them; `ends` names the end of the interval that held, then the one that missed. */
export const searchWords = {
  findRate: {
    title: 'Rate under the Limits',
    places: 'Rate (ops/s)',
    unit: 'operations per second',
    formatPlace: (at: number): string => `${readableNumber(at)} ops/s`,
    kneeOf: 'rate',
    ends: ['low', 'high'],
  },
  findCache: {
    title: 'Cache under the Limits',
    places: 'Cache (MB)',
    unit: 'MB of cache',
    formatPlace: (at: number): string => `${readableNumber(at)} MB of cache`,
    kneeOf: null,
    ends: ['high', 'low'],
  },
  findPeak: {
    title: 'Best Number of Workers',
    places: 'Workers',
    unit: 'workers',
    formatPlace: (at: number): string => formatQuantity(at, 'worker'),
    kneeOf: 'throughput',
    ends: ['low', 'high'],
  },
} as const satisfies Record<SearchKind, object>

export const searchKinds = Object.keys(searchWords) as readonly SearchKind[]
