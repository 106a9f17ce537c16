import { unjudged } from '../../src/load/run-load.ts'
import { type Search } from '../../src/report/prose/search-text.ts'
import { type PhaseResult, type Result } from '../../src/results/schema.ts'
import { type WindowResult } from '../../src/results/schema/windows.ts'
import { fakePhase, fakeResult, fakeVariant } from './fake-result.ts'

/** A step at a rate, whose limits are a p99 of 10 ms and no errors. */
export const aStep = (at: number, p99Ms: number | null, given: Partial<WindowResult> = {}): WindowResult => ({
  ...unjudged,
  at,
  purpose: 'step',
  held: p99Ms !== null && p99Ms < 10,
  seconds: 5,
  ok: at * 5,
  errors: 0,
  opsPerSecond: at,
  latency: null,
  limits: [
    { limit: 'responseP99Ms < 10', measured: p99Ms, held: p99Ms !== null && p99Ms < 10 },
    { limit: 'errors == 0', measured: 0, held: true },
  ],
  busiest: 'server CPU (its host 71 % busy)',
  ...given,
})

/** A search that found 1,750 operations per second, which the server's CPU limited. */
export const foundRate: Search = {
  kind: 'findRate',
  holds: ['responseP99Ms < 10', 'errors == 0'],
  steps: [
    aStep(800, 2),
    aStep(1600, 6),
    aStep(3200, null, { endedEarly: true, dropped: 700 }),
    aStep(3200, 900, { purpose: 'again', endedEarly: true, limitedBy: 'server CPU (its host 97 % busy)' }),
    aStep(1750, 8, { purpose: 'confirm', limitedBy: 'server CPU (its host 92 % busy)' }),
  ],
  found: 1750,
  low: 1600,
  high: 1900,
  confirmed: true,
}

/** A search that found 1190 MB of cache. */
export const foundCache: Search = {
  ...foundRate,
  kind: 'findCache',
  steps: [
    aStep(2000, 4),
    aStep(1000, 30),
    aStep(1000, 20, { purpose: 'again', limitedBy: 'disk of the server (96 % busy)' }),
    aStep(1410, 5),
    aStep(1190, 8, { purpose: 'confirm' }),
  ],
  found: 1190,
  low: 1000,
  high: 1410,
}

/** What a search without an answer has in its place. */
const none = { found: null, low: null, high: null, confirmed: false }

/** Searches that did not find a rate. */
export const missedRate: Partial<Search> = {
  ...none,
  high: 100,
  steps: [aStep(100, 30), aStep(100, 30, { purpose: 'again' })],
}
export const abortedSearch: Partial<Search> = { ...none, low: 400, high: 800 }
export const abortedStep: Partial<Search> = { ...none, steps: [] }

export const phaseOfSearch = (
  { steps: windows, kind: load, ...outcome }: Search,
  given: Partial<PhaseResult> = {},
): PhaseResult => fakePhase({ load, windows: [...windows], outcome, ...given })

/** A result of these searches, each in a row, by what differs from the one above. */
export const resultOfSearches = (...searches: readonly Partial<Search>[]): Result =>
  fakeResult({
    variants: searches.map((search, row) =>
      fakeVariant({
        row,
        label: searches.length > 1 ? `row ${row + 1}` : '',
        phases: [phaseOfSearch({ ...foundRate, ...search })],
      }),
    ),
  })
