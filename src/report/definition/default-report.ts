import { isDeepStrictEqual } from 'node:util'
import { getColumn, isMetric } from '../../metrics/columns/index.ts'
import { findLimit } from '../../metrics/limited-by/index.ts'
import { type ChartSpec, type ColumnSpec, type TableSpec } from '../../metrics/report-schema.ts'
import { identifyChoice, parameterCell, varyingParameters } from '../../metrics/rows/parameters.ts'
import { type Shape } from '../../metrics/scope.ts'
import { isNumber } from '../../metrics/statistics.ts'
import { type PhaseResult, type Result } from '../../results/schema.ts'
import { type OperationResult } from '../../results/schema/calls.ts'

/** The figures of each kind of table, from left to right. */
const metrics = {
  closed: { percentiles: ['p50Ms', 'p99Ms'], times: ['meanMs', 'p50Ms', 'p99Ms'] },
  open: {
    percentiles: ['responseP50Ms', 'responseP99Ms'],
    times: ['serviceP50Ms', 'serviceP99Ms', 'responseP50Ms', 'responseP99Ms', 'responseMaxMs'],
  },
  transaction: [
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
  ],
  openLoop: ['ratePerSecond', 'opsPerSecond', 'dropped', 'late', 'waitP99Ms', 'waitMaxMs', 'peakInFlight'],
  pool: ['poolSize', 'poolWaitMeanMs', 'poolWaitP99Ms', 'poolWaitMaxMs'],
  stream: ['events', 'eventsPerSecond', 'lagP50Ms', 'lagP99Ms', 'lagMaxMs'],
  resources: [
    'cpuPercent',
    'ioWaitPercent',
    'pagesReadPerSecond',
    'cacheWrittenKBps',
    'journalKBps',
    'diskIops',
    'diskWriteMBps',
    'diskReadMBps',
  ],
} as const

/** The tables of a spec without its own. */
export function defaultTables(result: Result, shape: Shape): readonly TableSpec[] {
  const names = varyingParameters(result).map((parameter) => ({ parameter }))
  const { phases } = shape
  const titled = (title: string, phase: string): string => (phases.length === 1 ? title : `${title}: ${phase}`)
  const whole = (title: string, place: string, shown: readonly string[]): TableSpec => ({
    title,
    rows: 'variants',
    columns: [...names, ...addressMetrics(place, shown)],
  })
  const fitting = (title: string, place: string, shown: readonly string[]): readonly TableSpec[] => {
    const all = addressMetrics(place, shown)
    return createTables({ title, rows: 'variants', names, main: all, all })
  }
  const having = (has: (phase: PhaseResult) => boolean): readonly string[] =>
    phases.map(({ name }) => name).filter((name) => listPhases(result, name).some(has))
  return [
    ...performanceTables(result, shape, names),
    ...phases.flatMap(({ name: phase, operations }) =>
      operations
        .filter(({ name }) => isTransaction(result, phase, name))
        .flatMap(({ name }) => fitting(`Transactions: ${name}`, `${phase}.${name}`, metrics.transaction)),
    ),
    ...having(({ openLoop }) => openLoop !== null).flatMap((name) =>
      fitting(titled('Open Loop', name), name, metrics.openLoop),
    ),
    ...having(showsPool).map((name) => whole(titled('Connection Pool', name), name, metrics.pool)),
    ...phases.flatMap(({ name, streams }) =>
      streams.map((stream) => whole(`Change Stream: ${stream}`, `${name}.${stream}`, metrics.stream)),
    ),
    ...(knowsServers(result) ? phases : []).flatMap(({ name }) =>
      fitting(titled('Resource Usage', name), name, metrics.resources),
    ),
  ]
}

const addressMetrics = (place: string, names: readonly string[]): readonly string[] =>
  names.map((metric) => `${place}.${metric}`)

const isTransaction = (result: Result, phase: string, operation: string): boolean =>
  listPhases(result, phase).some(({ operations }) =>
    operations.some(({ name, transaction }) => name === operation && transaction !== null),
  )

/** In an open loop, the pool of the driver shows where calls waited for it. */
const minPoolWaitMs = 1

const showsPool = ({ load, pool }: PhaseResult): boolean =>
  pool !== null && (load !== 'open' || (pool.wait?.p99Ms ?? 0) >= minPoolWaitMs)

const searchedPhases = (result: Result): readonly string[] => [
  ...new Set(listPhases(result).flatMap(({ name, load }) => (load === 'findPeak' ? name : []))),
]

function performanceTables(result: Result, shape: Shape, names: readonly ColumnSpec[]): readonly TableSpec[] {
  const isRepeated = result.spec.repeat.times - result.spec.repeat.startUpRuns > 1
  const isBulk = movesManyDocuments(result)
  const throughput = isBulk ? 'docsPerSecond' : 'opsPerSecond'
  const interval: readonly ColumnSpec[] = isRepeated ? [{ metric: throughput, show: 'interval' }] : []
  const { percentiles, times } = listPhases(result).some(({ openLoop }) => openLoop) ? metrics.open : metrics.closed
  const expected = hasOperation(result, ({ found }) => found !== null) ? ['found', 'missing'] : []
  const arrivals = listPhases(result).some(({ unacknowledged }) => unacknowledged !== null) ? ['arrivedPercent'] : []
  const cpu = knowsServerCpu(result) ? ['serverCpuUsPerOperation'] : []
  const limit = hasKnownLimit(result) ? ['limitedBy'] : []
  const failing = [
    ...(hasOperation(result, ({ failed }) => failed > 0) ? ['errors'] : []),
    ...(expected.length > 0 && hasOperation(result, ({ missing }) => (missing ?? 0) > 0) ? ['missing'] : []),
  ]
  return createTables({
    title: 'Performance',
    rows: hasOneOperation(shape) ? 'variants' : 'operations',
    names: hasOneOperation(shape) ? names : [...names, { row: 'operation' }],
    main: [throughput, ...interval, ...percentiles, ...arrivals, ...cpu, ...limit],
    ifAny: failing,
    all: [
      'wallSeconds',
      'operations',
      ...(isBulk ? ['dataLoadedMB', 'docsPerSecond', 'mbPerSecond'] : []),
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

/** The phases of all rows, or those of a name. */
const listPhases = ({ variants }: Result, name?: string): readonly PhaseResult[] =>
  variants.flatMap(({ phases }) => phases.filter((phase) => name === undefined || phase.name === name))

const hasOperation = (result: Result, is: (operation: OperationResult) => boolean): boolean =>
  listPhases(result).some(({ operations }) => operations.some(is))

const knowsServers = (result: Result): boolean =>
  listPhases(result).some(({ members }) => members.some(({ source }) => source !== null))

const knowsServerCpu = (result: Result): boolean =>
  listPhases(result).some(({ members }) => members.some(({ totals }) => isNumber(totals.processCpuUs ?? null)))

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
  const names = new Set(listPhases(result).flatMap(({ name, faults }) => (faults.length > 0 ? name : [])))
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
  if (listPhases(result).every(({ openLoop }) => openLoop !== null)) return 'responseP99Ms'
  return chooseThroughputMeasure(result, isMix)
}

const chooseThroughputMeasure = (result: Result, isMix: boolean): string =>
  movesManyDocuments(result) && !isMix ? 'docsPerSecond' : 'opsPerSecond'

const searchCharts = (phase: string): readonly ChartSpec[] => [
  { kind: 'line', x: { row: 'window', title: 'Workers' }, y: [`${phase}.opsPerSecond`, `${phase}.p99Ms`] },
  {
    kind: 'saturation',
    along: { row: 'window', title: 'Workers' },
    x: `${phase}.opsPerSecond`,
    y: [`${phase}.p99Ms`],
  },
]

/** Fewer points make no curve. */
const minRates = 3

/** Whether a parameter is a number in all rows, and each row offers another rate by it. */
function offersRates(result: Result, parameter: string): boolean {
  const values = new Set(result.variants.map((variant) => parameterCell(variant, parameter)))
  const rates = new Set(listPhases(result).map(({ openLoop }) => openLoop?.ratePerSecond))
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

const hasOneOperation = ({ phases }: Shape): boolean => phases.length <= 1 && (phases[0]?.operations.length ?? 0) <= 1

const movesManyDocuments = (result: Result): boolean =>
  hasOperation(result, ({ documents, ok }) => ok > 0 && documents !== null && documents > ok)

const hasKnownLimit = ({ variants }: Result): boolean =>
  variants.some((variant) =>
    variant.phases.some((phase) => findLimit({ variant, phase, operations: phase.operations, streams: [] }) !== null),
  )
