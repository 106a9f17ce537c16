import { type Shape } from '../report/scope.ts'
import { code, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'

/** A spec that the examples are addresses of: two phases, an operation of two steps, a change stream, a check. */
export const exampleShape: Shape = {
  phases: [
    { name: 'load', operations: [{ name: 'insertMany', steps: [] }], streams: [], keepsSamples: false },
    {
      name: 'mix',
      operations: [
        { name: 'findOne', steps: [] },
        { name: 'transfer', steps: ['withdraw', 'deposit'] },
      ],
      streams: ['watch'],
      keepsSamples: false,
    },
  ],
  checks: [{ name: 'survive', kind: 'acknowledgedWritesSurvive' }],
}

export const exampleAddresses: readonly (readonly [address: string, meaning: string])[] = [
  ['mix.opsPerSecond', 'the phase `mix` as a whole'],
  ['findOne.p99Ms', 'the operation `findOne`'],
  ['mix.findOne.p99Ms', 'the same, if another phase has an operation of that name'],
  ['transfer.withdraw.p99Ms', 'one step of the operation `transfer`'],
  ['watch.lagP99Ms', 'the change stream `watch`'],
  ['survive.lost', 'the check `survive`'],
  ['mix.cpuPercent', 'what the server did in the phase `mix`'],
  ['storage.totalGB', 'what the data of the row take on disk'],
]

export const exampleThresholds: readonly (readonly [threshold: string, meaning: string])[] = [
  ['findOne.p99Ms < 5', '99 % of the calls took less than 5 ms'],
  ['insertMany.docsPerSecond >= 10000', 'at least 10000 documents a second'],
  ['mix.errors == 0', 'no call of the phase failed'],
]

const renderAddresses = (): string =>
  paragraphs(
    'An address says which figure is meant: `[phase.][operation.[step.]]measure`, `[phase.]stream.measure` or `check.measure`. The measure is a name of [Columns](columns.md). ' +
      'Where only one phase is measured, the measure alone is enough; in a table with a row for each operation it is that of the operation.',
    'With the measured phases `load` (`insertMany`) and `mix` (`findOne`, the steps `withdraw` and `deposit` of `transfer`, the change stream `watch`) and the check `survive`:',
    table(
      ['Address', 'Is'],
      exampleAddresses.map(([address, meaning]) => [code(address), meaning]),
    ),
    'An address that is unknown or could mean several things is refused before anything starts, with the nearest name.',
    '## Thresholds',
    'A threshold is an address, a comparison (`<`, `<=`, `>`, `>=` or `==`) and a number, in the list `thresholds` of the spec. It is held against every row, on the medians that tables show; a row without the figure misses it. A missed threshold makes the exit code 5.',
    table(
      ['Threshold', 'Holds when'],
      exampleThresholds.map(([threshold, meaning]) => [code(threshold), meaning]),
    ),
    'As an object it can also [end the run](spec.md#thresholds) with the first row that misses it: `{"holds": "errors == 0", "abort": true}`.',
    'A threshold on `errors`, `failed` or `unknown` says how many calls may fail; without one, a run with failed calls ends with exit code 7.',
  )

export const addressesPage: Page = {
  file: 'addresses.md',
  title: 'Addresses and thresholds',
  summary: 'How a figure is named, and what must hold of it.',
  render: renderAddresses,
}
