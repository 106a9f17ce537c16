import { successes, computeSummary } from '../../metrics/latency.ts'
import { type Calls } from '../../metrics/scope.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { type PhaseResult, type Result } from '../../results/schema.ts'
import { type LatencySummary } from '../../results/schema/latency.ts'
import { matchedNothing } from '../../results/warnings/matched-nothing.ts'

/**
 * Lines as YCSB's `TextMeasurementsExporter` prints them, for programs that read those: a block for each phase of each run.
 * What mongo-perf does not measure, such as garbage collections of a Java client, is left out. A step counts under its name,
 * together with the operation of that name, as the two halves of a read-modify-write do in YCSB.
 */
export function ycsbLines({ variants }: Result): string {
  const blocks = variants.flatMap(({ label, run, phases }) =>
    phases.map((phase) => ({
      title: [label, `run ${run}`, phase.name].filter((part) => part !== '').join(', '),
      phase,
    })),
  )
  // A single block is what YCSB prints; it has no comments.
  const titled = blocks.length > 1
  return blocks
    .map(({ title, phase }) => `${titled ? `# ${title.replaceAll('\n', '\\n')}\n` : ''}${formatPhaseBlock(phase)}`)
    .join('\n')
}

const hasSteps = (measured: Calls): boolean => 'steps' in measured && measured.steps.length > 0

function formatPhaseBlock({ operations, wallSeconds, writeConcern }: PhaseResult): string {
  const isAcknowledged = writeConcern['w'] !== 0
  const calls = operations.reduce((sum, { ok, failed, unknown }) => sum + ok + failed + unknown, 0)
  const measured: readonly Calls[] = [...operations, ...operations.flatMap(({ steps }) => steps)]
  const lines = [
    line('OVERALL', 'RunTime(ms)', Math.round(wallSeconds * 1000)),
    line('OVERALL', 'Throughput(ops/sec)', javaDouble(wallSeconds > 0 ? calls / wallSeconds : 0)),
    ...[...groupBy(measured, ({ name }) => measurementName(name))].flatMap(([name, same]) =>
      formatMeasurementLines(
        name,
        same,
        sumCalls(same, (one) => foundNothing(one, isAcknowledged)),
      ),
    ),
  ]
  return `${lines.join('\n')}\n`
}

const line = (measurement: string, metric: string, value: number | string): string =>
  `[${measurement}], ${metric}, ${value}`

/** Formats a number as Java prints a `double`. */
function javaDouble(value: number): string {
  const isPlain = value === 0 || (value >= 1e-3 && value < 1e7)
  const [digits = '', exponent] = (isPlain ? String(value) : value.toExponential()).split('e')
  return `${digits}${digits.includes('.') ? '' : '.0'}${exponent === undefined ? '' : `E${Number(exponent)}`}`
}

const sumCalls = (measured: readonly Calls[], count: (one: Calls) => number): number =>
  measured.reduce((sum, one) => sum + count(one), 0)

/** Calls without the record that they name: successes here, and failures of YCSB. */
const foundNothing = (one: Calls, isAcknowledged: boolean): number =>
  one.kind === 'findOne' ? Math.max(0, one.ok - (one.documents ?? one.ok)) : isAcknowledged ? matchedNothing(one) : 0

/** "readModifyWrite" is READ-MODIFY-WRITE. */
const measurementName = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toUpperCase()

function formatMeasurementLines(name: string, measured: readonly Calls[], notFound: number): readonly string[] {
  const failed = measured.flatMap(({ latency }) => [latency.failed, latency.unknown].filter((part) => part !== null))
  return [
    ...latencyLines(name, computeSummary(successes(measured)), -notFound),
    ...(measured.every(hasSteps) ? [] : returnLines(name, measured, notFound)),
    ...latencyLines(`${name}-FAILED`, computeSummary(failed), notFound),
  ]
}

const microseconds = (ms: number): number => Math.round(ms * 1000)

/** @param more Operations whose latencies are in another summary. */
function latencyLines(name: string, summary: LatencySummary | null, more: number): readonly string[] {
  const operations = (summary?.count ?? 0) + more
  const counted = operations > 0 ? [line(name, 'Operations', operations)] : []
  if (summary === null) return counted
  return [
    ...counted,
    line(name, 'AverageLatency(us)', javaDouble(summary.meanMs * 1000)),
    line(name, 'MinLatency(us)', microseconds(summary.minMs)),
    line(name, 'MaxLatency(us)', microseconds(summary.maxMs)),
    line(name, '50thPercentileLatency(us)', microseconds(summary.p50Ms)),
    line(name, '95thPercentileLatency(us)', microseconds(summary.p95Ms)),
    line(name, '99thPercentileLatency(us)', microseconds(summary.p99Ms)),
  ]
}

function returnLines(name: string, measured: readonly Calls[], notFound: number): readonly string[] {
  const counts = {
    OK: sumCalls(measured, ({ ok }) => ok) - notFound,
    NOT_FOUND: notFound,
    ERROR: sumCalls(measured, ({ failed, unknown }) => failed + unknown),
  }
  return Object.entries(counts).flatMap(([status, count]) => (count > 0 ? [line(name, `Return=${status}`, count)] : []))
}
