import { functions } from '../../../src/language/functions/index.ts'
import { generators } from '../../../src/language/generators/index.ts'
import { getColumn, measures } from '../../../src/metrics/columns/index.ts'
import { checks } from '../../../src/servers/checks/index.ts'
import { faultKinds } from '../../../src/servers/faults/index.ts'
import { operationKinds, operations } from '../../../src/spec/operations/index.ts'

/** What an editor is to show at the `|` of a text. */
export type Probe = {
  readonly title: string
  readonly text: string
  /** All that it offers, in the order of the list. */
  readonly offers?: readonly string[]
  /** Some of what it offers. */
  readonly offersAlso?: readonly string[]
  readonly lacks?: readonly string[]
  /** A part of what it shows over the mark. */
  readonly hover?: string
  /** All that it underlines, each with its reason. */
  readonly problems?: readonly string[]
}

/** A spec that is right but for the fields that are added. */
const spec = (fields: string): string =>
  `{ "name": "x", "phases": [{ "name": "p", "stopAfter": { "seconds": 1 }, "operations": [{ "kind": "find" }] }], ${fields} }`

const phase = (fields: string): string =>
  `{ "name": "x", "phases": [{ "name": "p", "operations": [{ "kind": "find" }], ${fields} }] }`

const operation = (text: string): string =>
  `{ "name": "x", "phases": [{ "name": "p", "stopAfter": { "seconds": 1 }, "operations": [${text}] }] }`

const filter = (text: string): string => operation(`{ "kind": "findOne", "filter": { "_id": ${text} } }`)

const report = (text: string): string => spec(`"report": { ${text} }`)
const columns = (text: string): string => report(`"tables": [{ "title": "t", "columns": [${text}] }]`)
const chart = (text: string): string => report(`"charts": [${text}]`)

const kindsOf = (list: readonly { readonly kind: string }[]): readonly string[] =>
  list.map(({ kind }) => kind).toSorted()

const operationNames = kindsOf(operationKinds)
const loads = ['closed', 'findCache', 'findPeak', 'findRate', 'open']
const loadSnippets = [
  'closed loop',
  'open loop',
  'open loop in stages',
  'search: findCache',
  'search: findPeak',
  'search: findRate',
]
const charts = ['bar', 'line', 'percentiles', 'saturation']
const targets = ['existing', 'replicaSet', 'sharded', 'standalone']
const addresses = measures.filter((measure) => !getColumn(measure).of.includes('storage'))
const words = [...functions, ...generators].map(({ keyword }) => keyword)
const notAccepted = 'Value is not accepted. Valid values:'
const thresholdIs = 'must be a metric, a comparison (< <= > >= ==) and a number, as in "findOne.p99Ms < 5"'

/** Kinds, in the order in which a spec names them. */
const quoted = (kinds: readonly string[]): string => kinds.map((kind) => `"${kind}"`).join(', ')

export const probes: readonly Probe[] = [
  { title: 'an empty file', text: '|', offers: ['spec'], problems: [] },
  { title: 'an empty spec', text: '{|}', offersAlso: ['name', 'data', 'phases', 'report', 'thresholds', 'target'] },
  {
    title: 'several collections of a data set',
    text: spec(
      '"data": { "collection": "tenant", "collections": { "@map": { "input": { "@range": [0, 9] }, "as": "n", "in": "a" } } }|',
    ),
    problems: [],
  },
  {
    title: 'a collection that is drawn',
    text: operation('{ "kind": "findOne", "collection": { "@concat": ["tenant", { "@int": { "max": 9 } }] } }|'),
    problems: [],
  },
  { title: 'a phase', text: '{ "phases": [|] }', offersAlso: ['phase', 'phase: open loop', 'phase: findRate'] },
  { title: 'a list of phases', text: '{ "phases": | }', offersAlso: ['phase', 'phase: findPeak'] },
  {
    title: 'the keys of a phase',
    text: '{ "phases": [{|}] }',
    offersAlso: ['load', 'stopAfter', 'operations', 'faults'],
  },
  { title: 'a data set', text: '{ "data": | }', offersAlso: ['data set', 'data set: file', 'data set: existing'] },
  {
    title: 'the keys of a data set',
    text: '{ "data": {|} }',
    offersAlso: ['collection', 'rows', 'document', 'indexes', 'file', 'columns', 'namespace', 'metadata'],
  },
  {
    title: 'types of columns of a file',
    text: '{ "data": { "collection": "a", "file": "a.csv", "columns": { "at": "|" } } }',
    offersAlso: ['auto', 'date', 'string', 'skip'],
  },
  { title: 'the values of an option', text: '{ "engine": | }', offersAlso: ['driver', 'wire'] },
  { title: 'a target', text: spec('"target": |'), offersAlso: ['existing', 'replicaSet', 'standalone'] },
  { title: 'kinds of targets', text: spec('"target": { "kind": "|" }'), offers: targets },

  { title: 'an operation', text: operation('|'), offers: operationNames },
  { title: 'a list of operations', text: phase('"operations": |'), offers: [...operationNames, 'null'] },
  { title: 'the first key of an operation', text: operation('{|}'), offersAlso: ['kind'], lacks: ['filter', 'update'] },
  { title: 'kinds of operations', text: operation('{ "kind": "|" }'), offers: operationNames },
  { title: 'a kind without quotes', text: operation('{ "kind": | }'), offersAlso: operationNames },
  { title: 'a kind that has begun', text: operation('{ "kind": "find|" }'), offers: operationNames, problems: [] },
  {
    title: 'the keys of an operation',
    text: operation('{ "kind": "findOne", | }'),
    offersAlso: ['filter', 'projection', 'sort', 'weight', 'when', 'remember'],
    lacks: ['update', 'pipeline', 'documents', '@param', 'kind'],
  },
  {
    title: 'the keys of an update',
    text: operation('{ "kind": "updateOne", | }'),
    offersAlso: ['filter', 'update', 'upsert'],
    lacks: ['pipeline', 'projection'],
  },
  {
    title: 'steps of a transaction',
    text: operation('{ "kind": "transaction", "steps": [{ "kind": "|" }] }'),
    offersAlso: ['findOne', 'updateOne', 'bulkWrite'],
    lacks: ['transaction', 'changeStream', 'gridfsUpload'],
  },
  {
    title: 'steps',
    text: operation('{ "kind": "steps", "steps": [{ "kind": "|" }] }'),
    offers: kindsOf(operations),
  },

  { title: 'a load', text: phase('"load": |'), offersAlso: loadSnippets },
  { title: 'the first key of a load', text: phase('"load": {|}'), offersAlso: ['kind'], lacks: ['workers', 'to'] },
  { title: 'kinds of loads', text: phase('"load": { "kind": "|" }'), offers: loads },
  {
    title: 'the keys of an open loop',
    text: phase('"load": { "kind": "open", | }'),
    offers: ['arrivals', 'maxInFlight', 'ratePerSecond', 'stages', 'threads'],
  },
  {
    title: 'the keys of a search',
    text: phase('"load": { "kind": "findRate", | }'),
    offersAlso: ['holds', 'from', 'to', 'secondsPerStep'],
    lacks: ['workers', 'stages'],
  },
  {
    title: 'limits of a search',
    text: phase('"load": { "kind": "findRate", "to": 9, "holds": [|] }'),
    offers: ['no errors', 'p99 below a limit', 'throughput of at least'],
  },
  {
    title: 'the keys of one of several loads',
    text: phase('"loads": [{|}]'),
    offersAlso: ['name', 'load', 'operations', 'from', 'until', 'alternate', 'readPreference'],
    lacks: ['stopAfter', 'faults', 'workers'],
  },
  { title: 'when one of several loads calls', text: phase('"loads": [{ "load": { "kind": "|" } }]'), offers: loads },
  { title: 'a fault', text: phase('"faults": [|]'), offers: kindsOf(faultKinds) },
  { title: 'kinds of faults', text: phase('"faults": [{ "kind": "|" }]'), offers: kindsOf(faultKinds) },
  {
    title: 'the keys of a fault',
    text: phase('"faults": [{ "kind": "kill", | }]'),
    offersAlso: ['atSeconds', 'target', 'forSeconds'],
    lacks: ['rttMs', 'groups'],
  },
  {
    title: 'servers that a fault meets',
    text: phase('"faults": [{ "kind": "kill", "target": "|" }]'),
    offersAlso: ['primary', 'secondaries', 'minority', 'all'],
  },
  { title: 'the end of a phase', text: phase('"stopAfter": |'), offersAlso: ['after seconds', 'after operations'] },
  { title: 'a check', text: spec('"checks": [|]'), offersAlso: kindsOf(checks) },
  { title: 'kinds of checks', text: spec('"checks": [{ "kind": "|" }]'), offers: kindsOf(checks) },
  { title: 'a threshold', text: spec('"thresholds": [|]'), offersAlso: ['no errors', 'p99 below a limit'] },

  { title: 'words in a value', text: filter('{|}'), offersAlso: words },
  {
    title: 'words where a number may stand',
    text: spec('"data": { "rows": {|} }'),
    offersAlso: ['@param', '@multiply'],
  },
  { title: 'a word that has begun', text: filter('{ "@|" }'), offersAlso: ['@key', '@int'] },
  { title: 'arguments of a generator', text: filter('{ "@int": {|} }'), offersAlso: ['min', 'max', 'distribution'] },
  {
    title: 'arguments of a reference',
    text: filter('{ "@ref": {|} }'),
    offersAlso: ['collection', 'field', 'distribution'],
  },
  { title: 'lists of words', text: filter('{ "@oneOf": { "words": "|" } }'), offersAlso: ['cities.de', 'names.en'] },
  {
    title: 'over a generator with a bound that is an expression',
    text: filter('{ "@i|nt": { "min": 1, "max": { "@var": "x" } } }'),
    hover: 'An int32 of the range',
    problems: [],
  },
  {
    title: 'distributions',
    text: filter('{ "@key": { "distribution": "|" } }'),
    offersAlso: ['zipfian', 'uniform', 'latest', 'hotspot'],
  },

  { title: 'a table', text: report('"tables": [|]'), offersAlso: ['table', 'table of operations'] },
  { title: 'columns', text: columns('|'), offersAlso: [...addresses, 'storage.totalGB'], lacks: ['totalGB'] },
  { title: 'a column in quotes', text: columns('"|"'), offersAlso: addresses },
  { title: 'the metric of a column', text: columns('{ "metric": "|" }'), offersAlso: addresses },
  { title: 'kinds of columns', text: columns('{|}'), offersAlso: ['metric', 'value', 'parameter', 'row', 'machine'] },
  { title: 'a metric in an expression', text: columns('{ "value": { "@metric": "|" } }'), offersAlso: addresses },
  { title: 'parts of a row', text: columns('{ "row": "|" }'), offersAlso: ['operation', 'number', 'window'] },
  {
    title: 'a chart',
    text: chart('|'),
    offers: ['chart: bars', 'chart: over time', 'chart: percentiles', 'chart: saturation'],
  },
  { title: 'kinds of charts', text: chart('{ "kind": "|" }'), offers: charts },
  { title: 'metrics of a chart', text: chart('{ "kind": "line", "x": "second", "y": [|] }'), offersAlso: addresses },

  {
    title: 'over a kind',
    text: operation('{ "kind": "find|One" }'),
    hover: '`findOne`: Read one document.',
    problems: [],
  },
  { title: 'over a key', text: phase('"st|opAfter": { "seconds": 1 }'), hover: 'When the phase ends.' },
  { title: 'over a word', text: filter('{ "@in|t": {} }'), hover: 'An int32 of the range' },
  { title: 'over a column', text: columns('"p99|Ms"'), hover: '`p99Ms`: p99 (ms). 99th percentile', problems: [] },
  {
    title: 'over a metric with its place',
    text: columns('"p.find.p99|Ms"'),
    hover: 'The metric to show',
    problems: [],
  },
  { title: 'over a chart', text: chart('{ "k|ind": "percentiles" }'), hover: 'The latency distribution', problems: [] },

  {
    title: 'a name of another form',
    text: '{ "name": "Bad Name|", "phases": [{ "name": "p", "operations": [{ "kind": "find" }] }] }',
    problems: ['"Bad Name": must be small letters, digits and hyphens, with no hyphen first'],
  },
  {
    title: 'an unknown kind',
    text: phase('"load": { "kind": "opne|" }'),
    problems: [`"opne": ${notAccepted} ${quoted(['closed', 'open', 'findPeak', 'findRate', 'findCache'])}.`],
  },
  {
    title: 'a key of another kind',
    text: operation('{ "kind": "findOne", "update|": {} }'),
    problems: ['"update": Property update is not allowed.'],
  },
  {
    title: 'what a kind needs',
    text: phase('"load": { "kind": "closed" }|'),
    problems: ['"load": Missing property "workers".'],
  },
  { title: 'no kind', text: phase('"load": { "workers": 8 }|'), problems: ['"load": Missing property "kind".'] },
  {
    title: 'a number as text',
    text: phase('"load": { "kind": "closed", "workers": "8|" }'),
    problems: ['"8": Incorrect type. Expected "integer".'],
  },
  {
    title: 'an unknown word',
    text: filter('{ "@itn|": {} }'),
    problems: ['"@itn": Property @itn is not allowed.'],
  },
  {
    title: 'an unknown word in place of a part',
    text: operation('{ "@parm|": "x" }'),
    problems: ['"@parm": Property @parm is not allowed.'],
  },
  {
    title: 'an unknown argument of a generator',
    text: filter('{ "@int": { "mni|": 1 } }'),
    problems: ['"mni": Property mni is not allowed.'],
  },
  {
    title: 'a threshold without its sign',
    text: spec('"thresholds": ["p99Ms 5|"]'),
    problems: [`"p99Ms 5": ${thresholdIs}`],
  },
]
