import { isDeepStrictEqual } from 'node:util'
import { getColumn, isMetric } from '../../metrics/columns/index.ts'
import { findLimit } from '../../metrics/limited-by/index.ts'
import { type ChartSpec, type ColumnSpec, type TableSpec } from '../../metrics/report-schema.ts'
import { identifyChoice, parameterCell, varyingParameters } from '../../metrics/rows/parameters.ts'
import { type Shape } from '../../metrics/scope.ts'
import { isNumber } from '../../metrics/statistics.ts'
import { type PhaseResult, type Result } from '../../results/schema.ts'

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

export function defaultTables(result: Result, shape: Shape): readonly TableSpec[] {
  const parameters = varyingParameters(result).map((parameter) => ({ parameter }))
  return [
    ...performanceTables(result, shape, parameters),
    ...transactionTables(result, shape, parameters),
    ...planTables(result, shape, parameters),
    ...poolTables(result, shape, parameters),
    ...searchTables(result, parameters),
    ...streamTables(shape, parameters),
    ...resourceTables(result, shape, parameters),
  ]
}

const ofTransactions = [
  'committedPerSecond',
  'p50Ms',
  'p99Ms',
  'attemptsPerCommit',
  'aborts',
  'unknownCommits',
  'commits',
  'conflicts',
  'firstTryP50Ms',
  'firstTryP99Ms',
  'commitP50Ms',
  'commitP99Ms',
]

function transactionTables(result: Result, { phases }: Shape, parameters: readonly ColumnSpec[]): readonly TableSpec[] {
  return phases.flatMap(({ name: phase, operations }) =>
    operations
      .filter(({ name }) => isTransaction(result, phase, name))
      .flatMap(({ name }) => {
        const all = ofTransactions.map((metric) => `${phase}.${name}.${metric}`)
        return createTables({ title: `Transactions: ${name}`, rows: 'variants', names: parameters, main: all, all })
      }),
  )
}

const isTransaction = ({ variants }: Result, phase: string, operation: string): boolean =>
  variants.some(({ phases }) =>
    phases.some(
      ({ name, operations }) =>
        name === phase && operations.some((one) => one.name === operation && one.transaction !== null),
    ),
  )

const planned = ['ratePerSecond', 'opsPerSecond', 'dropped', 'late', 'waitP99Ms', 'waitMaxMs', 'peakInFlight']

/** Tables on the plan of each open loop. */
function planTables(result: Result, { phases }: Shape, parameters: readonly ColumnSpec[]): readonly TableSpec[] {
  return phases
    .filter(({ name }) => collectPhases(result).some((phase) => phase.name === name && phase.openLoop !== null))
    .flatMap(({ name }) => {
      const all = planned.map((metric) => `${name}.${metric}`)
      const title = phases.length === 1 ? 'Open Loop' : `Open Loop: ${name}`
      return createTables({ title, rows: 'variants', names: parameters, main: all, all })
    })
}

/** In an open loop, the pool of the driver shows where calls waited for it. */
const minPoolWaitMs = 1

const showsPool = ({ load, pool }: PhaseResult): boolean =>
  pool !== null && (load !== 'open' || (pool.wait?.p99Ms ?? 0) >= minPoolWaitMs)

function poolTables(result: Result, { phases }: Shape, parameters: readonly ColumnSpec[]): readonly TableSpec[] {
  return phases
    .filter(({ name }) => collectPhases(result).some((phase) => phase.name === name && showsPool(phase)))
    .map(({ name }) => ({
      title: phases.length === 1 ? 'Connection Pool' : `Connection Pool: ${name}`,
      rows: 'variants',
      columns: [
        ...parameters,
        ...['poolSize', 'poolWaitMeanMs', 'poolWaitP99Ms', 'poolWaitMaxMs'].map((metric) => `${name}.${metric}`),
      ],
    }))
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
      columns: [...parameters, { row: 'workers' as const }, ...ofSteps.map((metric) => `${name}.${metric}`)],
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
      columns: [...parameters, ...measured.map((metric) => `${name}.${stream}.${metric}`)],
    })),
  )
}

function performanceTables(result: Result, shape: Shape, parameters: readonly ColumnSpec[]): readonly TableSpec[] {
  const expected = expectsDocuments(result) ? ['found', 'missing'] : []
  const isOpen = hasOpenLoop(result)
  const times = isOpen
    ? ['serviceP50Ms', 'serviceP99Ms', 'responseP50Ms', 'responseP99Ms', 'responseMaxMs']
    : ['meanMs', 'p50Ms', 'p99Ms']
  const arrivals = sendsUnacknowledged(result) ? ['arrivedPercent'] : []
  const bulk = movesManyDocuments(result) ? ['dataLoadedMB', 'docsPerSecond', 'mbPerSecond'] : []
  const isRepeated = result.spec.repeat.times - result.spec.repeat.startUpRuns > 1
  const throughput = bulk.length > 0 ? 'docsPerSecond' : 'opsPerSecond'
  const interval: readonly ColumnSpec[] = isRepeated ? [{ metric: throughput, show: 'interval' }] : []
  const limit = hasKnownLimit(result) ? ['limitedBy'] : []
  const cpu = knowsServerCpu(result) ? ['serverCpuUsPerOperation'] : []
  const percentiles = isOpen ? ['responseP50Ms', 'responseP99Ms'] : ['p50Ms', 'p99Ms']
  return createTables({
    title: 'Performance',
    rows: hasOneOperation(shape) ? 'variants' : 'operations',
    names: hasOneOperation(shape) ? parameters : [...parameters, { row: 'operation' }],
    main: [throughput, ...interval, ...percentiles, ...arrivals, ...cpu, ...limit],
    ifAny: ['errors', ...expected.filter((metric) => metric === 'missing')].filter((metric) => occurs(result, metric)),
    all: [
      'wallSeconds',
      'operations',
      ...bulk,
      'opsPerSecond',
      ...times,
      ...expected,
      ...arrivals,
      'errors',
      ...(isRepeated ? ['runs', ...interval] : []),
      ...cpu,
      ...limit,
    ],
  })
}

/** More columns than these do not fit a page. */
const maxColumns = 7
const minMetrics = 3

type DefaultTable = Pick<TableSpec, 'title' | 'rows'> & {
  readonly names: readonly ColumnSpec[]
  /** Metrics from left to right, the last ones only as far as there is room. */
  readonly main: readonly ColumnSpec[]
  /** Metrics that there is always room for. */
  readonly ifAny?: readonly ColumnSpec[]
  readonly all: readonly ColumnSpec[]
}

/** A table that fits a page, and a folded one with all figures where there are others. */
function createTables({ title, rows, names, main, ifAny = [], all }: DefaultTable): readonly TableSpec[] {
  const room = Math.max(minMetrics, maxColumns - names.length - ifAny.length)
  const shown = [...main.slice(0, room), ...ifAny]
  const isRest = all.some((column) => !shown.some((one) => isDeepStrictEqual(one, column)))
  return [
    { title, rows, columns: [...names, ...shown] },
    ...(isRest ? [{ title: `${title}: All Figures`, rows, columns: [...names, ...all], fold: true }] : []),
  ]
}

/** Whether calls failed, or documents were missing. */
const occurs = ({ variants }: Result, metric: string): boolean =>
  variants.some(({ phases }) =>
    phases.some(({ operations }) =>
      operations.some(({ failed, missing }) => (metric === 'errors' ? failed : (missing ?? 0)) > 0),
    ),
  )

const knowsServers = ({ variants }: Result): boolean =>
  variants.some(({ phases }) => phases.some(({ members }) => members.some(({ source }) => source !== null)))

const knowsServerCpu = ({ variants }: Result): boolean =>
  variants.some(({ phases }) =>
    phases.some(({ members }) => members.some(({ totals }) => isNumber(totals.processCpuUs ?? null))),
  )

function resourceTables(result: Result, shape: Shape, parameters: readonly ColumnSpec[]): readonly TableSpec[] {
  if (!knowsServers(result)) return []
  return shape.phases.flatMap(({ name }) => {
    const all = resources.map((metric) => `${name}.${metric}`)
    const title = shape.phases.length === 1 ? 'Resource Usage' : `Resource Usage: ${name}`
    return createTables({ title, rows: 'variants', names: parameters, main: all, all })
  })
}

/** The charts of a spec without its own: a single row over time (compact: its operations), or a comparison of rows; phases with faults over time. */
export function defaultCharts(result: Result, shape: Shape): readonly ChartSpec[] {
  if (shape.phases.length === 0) return []
  const searched = searchedPhases(result)
  if (searched.length > 0) return searched.flatMap(searchCharts)
  // In a mix, documents per second depend on the sizes of results as much as on throughput.
  const isMix = shape.phases.some(({ operations }) => operations.length > 1)
  const metric = chartedMetric(result, isMix)
  const [x, ...others] = parametersByValues(result)
  // A measure without a place is that of the operation of the line.
  if (x === undefined && result.compact) return [{ kind: 'bar', x: { row: 'operation' }, y: [metric] }]
  const ofFaults = result.compact || result.spec.rows > maxLines ? [] : faultCharts(result, shape)
  if (x === undefined && ofFaults.length > 0) return ofFaults
  if (x === undefined) return overTime(result, shape, chooseThroughputMeasure(result, isMix))
  const y = shape.phases.map(({ name }) => `${name}.${metric}`)
  const series = others.map((parameter) => ({ parameter }))
  return [
    { kind: 'bar', x: { parameter: x }, y, series },
    ...(offersRates(result, x) ? shape.phases.map(({ name }) => saturationChart(name, x, series)) : []),
    ...ofFaults,
  ]
}

/** Throughput above latency, for each phase. */
function overTime(result: Result, { phases }: Shape, throughput: string): readonly ChartSpec[] {
  return phases.map(({ name, operations }): ChartSpec => {
    const [latency] = latencyPerSecond(result, name)
    const median = latency === 'responseP99Ms' ? 'responseP50Ms' : 'p50Ms'
    const isMix = operations.length > 1
    // A measure without a place is that of each operation where operations do not combine.
    const places = phases.length === 1 ? [''] : isMix ? operations.map((one) => `${name}.${one.name}.`) : [`${name}.`]
    // More lines than one for each operation would be too many.
    const latencies = places.flatMap((place) => (isMix ? [latency] : [median, latency]).map((metric) => place + metric))
    return { kind: 'line', x: 'second', y: [`${name}.${throughput}`, ...latencies] }
  })
}

/** Maximum number of rows whose lines are distinguishable. */
const maxLines = 7

/** Throughput and latency per second of each phase with faults. */
function faultCharts(result: Result, { phases: shapes }: Shape): readonly ChartSpec[] {
  const phases = result.variants.flatMap((variant) => variant.phases)
  const names = new Set(phases.flatMap(({ name, faults }) => (faults.length > 0 ? name : [])))
  return shapes
    .filter(({ name }) => names.has(name))
    .flatMap(({ name, operations }): readonly ChartSpec[] => {
      const [latency, maximum] = latencyPerSecond(result, name)
      // Percentiles of several operations cannot be combined.
      const places = operations.length === 1 ? [name] : operations.map((operation) => `${name}.${operation.name}`)
      return [
        { kind: 'line', x: 'second', y: [`${name}.opsPerSecond`] },
        // The maximum shows operations that waited for a pause: they are too few for a percentile.
        { kind: 'line', x: 'second', y: [...places.map((place) => `${place}.${latency}`), `${name}.${maximum}`] },
      ]
    })
}

/** The response time where it is known: in an open loop it includes the wait. */
function latencyPerSecond({ variants }: Result, name: string): readonly [latency: string, maximum: string] {
  const scopes = variants.flatMap((variant) =>
    variant.phases
      .filter((phase) => phase.name === name)
      .flatMap((phase) =>
        phase.operations.map((operation) => ({ variant, phase, operations: [operation], streams: [] })),
      ),
  )
  const isKnown = (metric: string): boolean => {
    const column = isMetric(metric) ? getColumn(metric) : null
    if (column === null || !('perSecond' in column)) return false
    return scopes.some((scope) => column.perSecond?.(scope)?.some(isNumber) === true)
  }
  return isKnown('responseP99Ms') ? ['responseP99Ms', 'responseMaxMs'] : ['p99Ms', 'maxMs']
}

function chartedMetric(result: Result, isMix: boolean): string {
  // The throughput of an open loop is given by its plan.
  if (collectPhases(result).every(({ openLoop }) => openLoop !== null)) return 'responseP99Ms'
  return chooseThroughputMeasure(result, isMix)
}

const chooseThroughputMeasure = (result: Result, isMix: boolean): string =>
  movesManyDocuments(result) && !isMix ? 'docsPerSecond' : 'opsPerSecond'

const searchCharts = (phase: string): readonly ChartSpec[] => [
  { kind: 'line', x: { row: 'workers' }, y: [`${phase}.opsPerSecond`, `${phase}.p99Ms`] },
  {
    kind: 'saturation',
    along: { row: 'workers' },
    x: `${phase}.opsPerSecond`,
    y: [`${phase}.p99Ms`],
  },
]

/** Fewer points make no curve. */
const minRates = 3

/** Whether a parameter is a number in all rows, and each row offers another rate by it. */
function offersRates(result: Result, parameter: string): boolean {
  const values = new Set(result.variants.map((variant) => parameterCell(variant, parameter)))
  const rates = new Set(collectPhases(result).map(({ openLoop }) => openLoop?.ratePerSecond))
  return [...values].every(isNumber) && values.size >= minRates && rates.size >= minRates
}

const saturationChart = (phase: string, parameter: string, series: ChartSpec['series']): ChartSpec => ({
  kind: 'saturation',
  along: { parameter },
  x: `${phase}.opsPerSecond`,
  y: [`${phase}.responseP99Ms`],
  series,
})

function parametersByValues(result: Result): readonly string[] {
  const values = (name: string): number => new Set(result.variants.map((variant) => identifyChoice(variant, name))).size
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

const collectPhases = ({ variants }: Result): readonly PhaseResult[] => variants.flatMap(({ phases }) => phases)

const hasOpenLoop = (result: Result): boolean => collectPhases(result).some(({ openLoop }) => openLoop !== null)

const expectsDocuments = ({ variants }: Result): boolean =>
  variants.some(({ phases }) => phases.some(({ operations }) => operations.some(({ found }) => found !== null)))

const hasKnownLimit = ({ variants }: Result): boolean =>
  variants.some((variant) =>
    variant.phases.some((phase) => findLimit({ variant, phase, operations: phase.operations, streams: [] }) !== null),
  )

const sendsUnacknowledged = ({ variants }: Result): boolean =>
  variants.some(({ phases }) => phases.some(({ unacknowledged }) => unacknowledged !== null))
