import { type Shape } from '../../src/metrics/scope.ts'
import { code, paragraphs, table } from './markdown.ts'

/** The spec of the examples: two phases, an operation with two steps, a change stream, a check. */
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
    { name: 'size', operations: [], streams: [], keepsSamples: false, windows: 'steps' },
    { name: 'readers', operations: [], streams: [], keepsSamples: false, windows: 'pairs' },
  ],
  checks: [{ name: 'survive', kind: 'acknowledgedWritesSurvive' }],
}

/** Addresses with their meanings, for the page and its test. */
export const exampleAddresses: readonly (readonly [address: string, meaning: string])[] = [
  ['mix.opsPerSecond', 'the phase `mix` as a whole'],
  ['findOne.p99Ms', 'the operation `findOne`'],
  ['mix.findOne.p99Ms', 'the same, if another phase has an operation of that name'],
  ['transfer.withdraw.p99Ms', 'one step of the operation `transfer`'],
  ['watch.lagP99Ms', 'the change stream `watch`'],
  ['survive.lost', 'the check `survive`'],
  ['mix.cpuPercent', 'the CPU usage of the server in the phase `mix`'],
  ['storage.totalGB', 'the disk space of all data of the row'],
  ['size@found.p99Ms', 'the step of the search `size` that is its answer'],
  ['size@8.p99Ms', 'its step with 8 workers, or at a rate of 8'],
  ['readers@without.p99Ms', 'the windows of `readers` without the load that is on and off in turn; `@with`: with it'],
]

/** Thresholds with their meanings, for the page and its test. */
export const exampleThresholds: readonly (readonly [threshold: string, meaning: string])[] = [
  ['findOne.p99Ms < 5', '99 % of the operations took less than 5 ms'],
  ['insertMany.docsPerSecond >= 10000', 'at least 10000 documents per second'],
  ['mix.errors == 0', 'no operation of the phase failed'],
]

/** How a metric is named, and how a threshold limits it. */
export const renderAddresses = (): string =>
  paragraphs(
    '## Addresses',
    'An address names a metric: `[phase.][operation.[step.]]metric`, `phase@window.metric`, `[phase.]stream.metric` or `check.metric`. ' +
      'If only one phase is measured, the metric alone is enough; in a table with a row for each operation, it means the operation of the row. In a phase with several loads, the name of a load takes the place of the phase.',
    'These addresses belong to a spec with the phases `load` (`insertMany`) and `mix` (`findOne`, the steps `withdraw` and `deposit` of `transfer`, the change stream `watch`), the search `size`, the load `readers` with others, and the check `survive`:',
    table(
      ['Address', 'Meaning'],
      exampleAddresses.map(([address, meaning]) => [code(address), meaning]),
    ),
    'A search, and a phase with a load that is on and off in turn, have several windows; `@` names one of them. A window has times, operations, throughput, latency (in an open loop: response times) and errors. If several windows have the name, the median counts.',
    'Before anything starts, an unknown or ambiguous address is rejected, with the nearest name. `p99.9` is `p999Ms`.',
    '## Thresholds',
    'A threshold is an address, a comparison (`<`, `<=`, `>`, `>=` or `==`) and a number, in the list `thresholds` of the spec. It must hold in every row, for the value that tables show; a row without a value misses it, also if its percentile has too few samples. If a threshold is missed, the exit code is 5.',
    table(
      ['Threshold', 'Holds when'],
      exampleThresholds.map(([threshold, meaning]) => [code(threshold), meaning]),
    ),
    'On a busy machine, times and throughput say little about the work. If other programs, or other virtual machines, used 10 % of the CPU or more in most runs of a row, a threshold on times or throughput is "not judged" there instead of missed, and the report names the cause ("other programs used 83 % of the CPU"). With `--strict`, the exit code is 5 then too. Counts, such as errors, plans and sizes, are always judged.',
    'A threshold can also [end the run](spec.md#thresholds) at the first row that misses it: `{"holds": "errors == 0", "abort": true}`.',
    'To allow failed operations, set a threshold on `errors`, `failed` or `unknown`. Without one, a run with failed operations ends with exit code 7.',
  )
