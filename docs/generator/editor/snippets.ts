import { readFileSync } from 'node:fs'
import { type Json, type JsonObject } from '../../../src/core/json.ts'
import { checks } from '../../../src/servers/checks/index.ts'
import { faultKinds } from '../../../src/servers/faults/index.ts'
import { operationKinds } from '../../../src/spec/operations/index.ts'
import { printSpec } from '../../../src/spec/parse/print-spec.ts'

/** A text to start from: `${1:name}` is a place to fill in, with what stands there until then. */
export type Snippet = { readonly label: string; readonly description: string; readonly text: string }

const snippet = (label: string, description: string, text: string): Snippet => ({ label, description, text })

// Places are filled in by their numbers: those of a phase come after those of the spec around it.
const closed = `{ "kind": "closed", "workers": \${7:8} }`
const open = `{ "kind": "open", "ratePerSecond": \${7:1000} }`
const findRate = `{ "kind": "findRate", "to": \${7:20000}, "holds": ["\${8:responseP99Ms < 10}", "errors == 0"] }`
const findCache = `{ "kind": "findCache", "ratePerSecond": \${7:1000}, "holds": ["\${8:responseP99Ms < 10}", "errors == 0"] }`
const findPeak = `{ "kind": "findPeak", "to": \${7:64} }`

const phase = (load: string, end = '\n  "stopAfter": { "seconds": ${9:30} },'): string => `{
  "name": "\${6:read}",
  "load": ${load},${end}
  "operations": [
    { "kind": "findOne", "filter": { "_id": { "@key": {} } } }$0
  ]
}`

const indented = (text: string): string => text.replaceAll('\n', '\n    ')

const spec = `{
  "name": "\${1:my-spec}",
  "title": "\${2:What is measured}",
  "data": {
    "collection": "\${3:orders}",
    "rows": \${4:10000},
    "document": { "_id": { "@row": {} }, "\${5:customer}": { "@int": { "max": 999 } } }
  },
  "phases": [
    ${indented(phase(closed))}
  ]
}`

const dataSets = [
  snippet(
    'data set',
    'A collection with documents that are made up.',
    `{
  "collection": "\${1:orders}",
  "rows": \${2:10000},
  "document": { "_id": { "@row": {} }, "\${3:customer}": { "@int": { "max": 999 } } },
  "indexes": [{ "key": { "\${3:customer}": 1 } }]
}`,
  ),
  snippet(
    'data set: file',
    'A collection with documents of a file: JSON, CSV, or of a dump.',
    `{ "collection": "\${1:orders}", "file": "\${2:orders.jsonl}" }`,
  ),
  snippet(
    'data set: existing',
    'A collection that exists already, on a target of kind "existing".',
    `{ "existing": "\${1:shop.orders}" }`,
  ),
]

const byHand = {
  SpecInput: [snippet('spec', 'A whole spec: one collection, one phase with a closed loop.', spec)],
  Target: [
    snippet('standalone', 'A standalone server that is started for the run.', '{ "kind": "standalone" }'),
    snippet('replicaSet', 'A replica set that is started for the run.', `{ "kind": "replicaSet", "members": \${1:3} }`),
    snippet('existing', 'Your server, by the URI in MONGO_PERF_URI.', '{ "kind": "existing" }'),
  ],
  Index: [snippet('index', 'A secondary index.', `{ "key": { "\${1:customer}": 1 } }`)],
  StopAfter: [
    snippet('after seconds', 'The phase lasts so long.', `{ "seconds": \${1:30} }`),
    snippet('after operations', 'The phase makes so many calls.', `{ "operations": \${1:100000} }`),
    snippet(
      'when precise',
      'The phase ends once its throughput is known to within so many percent.',
      `{ "seconds": \${1:120}, "precisionPercent": \${2:2} }`,
    ),
  ],
  Warmup: [snippet('warm-up', 'Calls before the clock starts.', `{ "seconds": \${1:5} }`)],
  Repeat: [snippet('repeat', 'So many runs of every row.', `{ "times": \${1:6} }`)],
  SingleDataSet: dataSets,
  DataSet: dataSets,
  Phase: [
    snippet('phase', 'A phase with a closed loop: so many workers, as fast as the server answers.', phase(closed)),
    snippet('phase: open loop', 'A phase with calls at a given rate, whether or not the server keeps up.', phase(open)),
    snippet('phase: findRate', 'A search for the highest rate at which limits hold.', phase(findRate, '')),
    snippet('phase: findPeak', 'A search for the number of workers with the most throughput.', phase(findPeak, '')),
  ],
  Load: [
    snippet('closed loop', 'So many workers, each as fast as the server answers.', closed),
    snippet('open loop', 'Calls at a given rate, whether or not the server keeps up.', open),
    snippet(
      'open loop in stages',
      'Rates one after the other. The phase then has neither "stopAfter" nor "warmup".',
      `{
  "kind": "open",
  "stages": [
    { "seconds": \${1:5}, "ratePerSecond": \${2:500}, "measured": false },
    { "seconds": \${3:30}, "ratePerSecond": \${2:500}, "toRatePerSecond": \${4:2000} }
  ]
}`,
    ),
    snippet('search: findRate', 'The highest rate at which limits hold. The phase then has no "stopAfter".', findRate),
    snippet(
      'search: findCache',
      'The smallest cache with which limits hold. The phase then has no "stopAfter".',
      findCache,
    ),
    snippet('search: findPeak', 'The workers with the most throughput. The phase then has no "stopAfter".', findPeak),
  ],
  Column: [
    snippet('column', 'A measured column with a heading.', `{ "metric": "\${1:p99Ms}", "title": "\${2:p99 (ms)}" }`),
    snippet('column of a parameter', 'Its label, else its value.', `{ "parameter": "\${1:size}" }`),
    snippet(
      'computed column',
      'An expression, evaluated for each row.',
      `{ "title": "\${1:Errors (%)}", "value": { "@multiply": [{ "@divide": [{ "@metric": "errors" }, { "@metric": "operations" }] }, 100] } }`,
    ),
  ],
  Table: [
    snippet(
      'table',
      'A row for each variant.',
      `{ "title": "\${1:Performance}", "columns": ["opsPerSecond", "p50Ms", "\${2:p99Ms}", "errors"] }`,
    ),
    snippet(
      'table of operations',
      'A row for each measured operation.',
      `{
  "title": "\${1:Operations}",
  "rows": "operations",
  "columns": [{ "row": "operation", "title": "Operation" }, "opsPerSecond", "p50Ms", "\${2:p99Ms}", "errors"]
}`,
    ),
  ],
  Chart: [
    snippet(
      'chart: bars',
      'A group of bars for each value of a parameter.',
      `{ "kind": "bar", "x": { "parameter": "\${1:size}" }, "y": ["\${2:opsPerSecond}"] }`,
    ),
    snippet(
      'chart: over time',
      'Lines over the seconds of the timed window.',
      `{ "kind": "line", "x": "second", "y": ["\${1:opsPerSecond}", "\${2:p99Ms}"] }`,
    ),
    snippet(
      'chart: saturation',
      'Latency against throughput, for the steps of a search.',
      `{ "kind": "saturation", "rows": "windows", "along": { "row": "window", "title": "Workers" }, "x": "opsPerSecond", "y": ["\${1:p99Ms}"] }`,
    ),
    snippet(
      'chart: percentiles',
      'The latency distribution of each operation.',
      `{ "kind": "percentiles", "series": [{ "row": "\${1:operation}" }] }`,
    ),
  ],
} as const satisfies Readonly<Record<string, readonly Snippet[]>>

/** Thresholds to start from. */
export const thresholdSnippets: readonly Snippet[] = [
  snippet('no errors', 'No operation failed.', '"errors == 0"'),
  snippet('p99 below a limit', '99 % of the operations took less.', '"${1:p99Ms} < ${2:10}"'),
  snippet('throughput of at least', 'At least so many operations per second.', '"${1:opsPerSecond} >= ${2:1000}"'),
]

const prefixes = {
  SpecInput: '',
  SingleDataSet: '',
  Phase: '',
  Load: 'load ',
  Operation: 'op ',
  Fault: 'fault ',
  Check: 'check ',
  Table: '',
  Chart: '',
} as const

/** The snippets as a file of VS Code. Their prefixes begin with the part that they are for. */
export function snippetsFile(): Readonly<Record<string, object>> {
  const given = createSnippets()
  return Object.fromEntries([
    ...Object.entries(prefixes).flatMap(([title, word]) => (given[title] ?? []).map(fileEntry(word))),
    ...thresholdSnippets.map(fileEntry('threshold ')),
  ])
}

const fileEntry =
  (word: string) =>
  ({ label, description, text }: Snippet): readonly [string, object] => [
    `mongo-perf: ${word}${label}`,
    {
      scope: 'json,jsonc',
      prefix: `mp-${word}${label}`.replaceAll(/[^A-Za-z\d]+/g, '-'),
      body: text.split('\n'),
      description,
    },
  ]

const examples = new URL('../../../fixtures/examples/operations/', import.meta.url)

/** Returns the operation of a kind in its example. */
export function exampleOperation(example: JsonObject, kind: string): Json {
  const phases = example['phases'] as readonly { readonly operations: readonly JsonObject[] }[]
  const found = phases.flatMap(({ operations: list }) => list).find((operation) => operation['kind'] === kind)
  if (!found) throw new Error(`The example of "${kind}" has no operation of this kind`)
  return found
}

const readExample = (kind: string): Json =>
  exampleOperation(JSON.parse(readFileSync(new URL(`${kind}.json`, examples), 'utf8')) as JsonObject, kind)

/** The text of a value in a snippet, in which nothing is filled in. */
const literally = (value: Json): string =>
  printSpec(value)
    .trimEnd()
    .replaceAll(/[\\$]/g, String.raw`\$&`)

type Kind = { readonly kind: string; readonly summary: string; readonly example: JsonObject }

const ofKind = ({ kind, summary, example }: Kind): Snippet => snippet(kind, summary, literally({ kind, ...example }))

/** Snippets by the title of the part that they stand for: those by hand, and the example of every kind. */
export const createSnippets = (): Readonly<Record<string, readonly Snippet[]>> => ({
  ...byHand,
  Operation: operationKinds.map(({ kind, summary }) => snippet(kind, summary, literally(readExample(kind)))),
  Fault: faultKinds.map(ofKind),
  Check: checks.map(ofKind),
})
