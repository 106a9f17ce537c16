import { type Result } from '../results/schema.ts'
import { choiceOf, varyingParameters } from './parameters.ts'
import { type ChartSpec, type ColumnSpec, type TableSpec } from './schema.ts'
import { type Shape, shapeOf } from './scope.ts'

const resources = [
  'cpuPercent',
  'ioWaitPercent',
  'pagesReadPerSecond',
  'cacheWrittenKBps',
  'journalKBps',
  'diskIops',
  'diskWriteMBps',
  'diskReadMBps',
]

/** Tables for a spec that asks for none. */
export function defaultTables(result: Result): readonly TableSpec[] {
  const parameters = varyingParameters(result).map((parameter) => ({ parameter }))
  return [
    performanceTable(result, parameters),
    ...searchTables(result, parameters),
    ...streamTables(shapeOf(result), parameters),
    ...resourceTables(result, parameters),
  ]
}

function searchTables(result: Result, parameters: readonly ColumnSpec[]): readonly TableSpec[] {
  const ofSteps = ['opsPerSecond', 'meanMs', 'p50Ms', 'p99Ms', 'errors']
  return searchedPhases(result).flatMap((name) => [
    {
      title: `Best Number of Workers: ${name}`,
      rows: 'variants' as const,
      columns: [...parameters, `${name}.peakWorkers`, `${name}.peakOpsPerSecond`, `${name}.peakP99Ms`],
    },
    {
      title: `Steps: ${name}`,
      rows: 'peakSteps' as const,
      columns: [...parameters, { row: 'workers' as const }, ...ofSteps.map((measure) => `${name}.${measure}`)],
    },
  ])
}

function searchedPhases({ variants }: Result): readonly string[] {
  const searched = variants.flatMap(({ phases }) => phases.flatMap(({ name, peak }) => (peak === null ? [] : name)))
  return [...new Set(searched)]
}

function streamTables({ phases }: Shape, parameters: readonly ColumnSpec[]): readonly TableSpec[] {
  const measured = ['events', 'eventsPerSecond', 'lagP50Ms', 'lagP99Ms', 'lagMaxMs']
  return phases.flatMap(({ name, streams }) =>
    streams.map((stream) => ({
      title: `Change Stream: ${stream}`,
      rows: 'variants',
      columns: [...parameters, ...measured.map((measure) => `${name}.${stream}.${measure}`)],
    })),
  )
}

function performanceTable(result: Result, parameters: readonly ColumnSpec[]): TableSpec {
  const expected = expectsDocuments(result) ? ['found', 'missing'] : []
  const arrivals = sendsUnacknowledged(result) ? ['arrivedPercent'] : []
  const bulk = movesManyDocuments(result) ? ['dataLoadedMB', 'docsPerSecond', 'mbPerSecond'] : []
  const repeated = result.spec.repeat.times - result.spec.repeat.startUpRuns > 1 ? ['runs', 'spreadPercent'] : []
  const measured = [
    'wallSeconds',
    'operations',
    ...bulk,
    'opsPerSecond',
    'meanMs',
    'p50Ms',
    'p99Ms',
    ...expected,
    ...arrivals,
    'errors',
    ...repeated,
  ]
  return hasOneOperation(shapeOf(result))
    ? { title: 'Performance', rows: 'variants', columns: [...parameters, ...measured] }
    : { title: 'Performance', rows: 'operations', columns: [...parameters, { row: 'operation' }, ...measured] }
}

function resourceTables(result: Result, parameters: readonly ColumnSpec[]): readonly TableSpec[] {
  const seen = result.variants.some(({ phases }) =>
    phases.some(({ members }) => members.some(({ source }) => source !== null)),
  )
  if (!seen) return []
  const { phases } = shapeOf(result)
  return phases.map(({ name }) => ({
    title: phases.length === 1 ? 'Resource Usage' : `Resource Usage: ${name}`,
    rows: 'variants',
    columns: [...parameters, ...resources.map((measure) => `${name}.${measure}`)],
  }))
}

/** A chart for a spec that asks for none: the course of a single row (compact: its operations), or the rows beside each other. */
export function defaultCharts(result: Result): readonly ChartSpec[] {
  const shape = shapeOf(result)
  if (shape.phases.length === 0) return []
  const searched = searchedPhases(result)
  if (searched.length > 0) return searched.map(searchChart)
  // Of a mix, documents would say as much of how many an operation asks for as of its speed.
  const isMix = shape.phases.some(({ operations }) => operations.length > 1)
  const measure = movesManyDocuments(result) && !isMix ? 'docsPerSecond' : 'opsPerSecond'
  const [x, ...others] = mostValuesFirst(result)
  // A bare measure is that of the operation that a line stands for; with its phase in front it would be the whole phase's.
  if (x === undefined && result.compact) return [{ kind: 'bar', x: { row: 'operation' }, y: [measure] }]
  if (x === undefined) return [{ kind: 'line', x: 'second', y: [measure], series: [{ row: 'operation' }] }]
  const y = shape.phases.map(({ name }) => `${name}.${measure}`)
  return [{ kind: 'bar', x: { parameter: x }, y, series: others.map((parameter) => ({ parameter })) }]
}

const searchChart = (phase: string): ChartSpec => ({
  kind: 'line',
  x: { row: 'workers' },
  y: [`${phase}.opsPerSecond`, `${phase}.p99Ms`],
})

function mostValuesFirst(result: Result): readonly string[] {
  const values = (name: string): number => new Set(result.variants.map((variant) => choiceOf(variant, name))).size
  return varyingParameters(result).toSorted((a, b) => values(b) - values(a))
}

function hasOneOperation({ phases }: Shape): boolean {
  return phases.length <= 1 && (phases[0]?.operations.length ?? 0) <= 1
}

function movesManyDocuments({ variants }: Result): boolean {
  return variants.some(({ phases }) =>
    phases.some(({ operations }) =>
      operations.some(({ documents, ok }) => ok > 0 && documents !== null && documents > ok),
    ),
  )
}

const expectsDocuments = ({ variants }: Result): boolean =>
  variants.some(({ phases }) => phases.some(({ operations }) => operations.some(({ found }) => found !== null)))

const sendsUnacknowledged = ({ variants }: Result): boolean =>
  variants.some(({ phases }) => phases.some(({ unacknowledged }) => unacknowledged !== null))
