import { groupBy } from '../metrics/group-by.ts'
import { successes, summaryOf } from '../metrics/latency.ts'
import { type Calls } from '../metrics/scope.ts'
import { type PhaseResult, type Result } from '../results/schema.ts'
import { type LatencySummary } from '../results/schema/latency.ts'

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
    .map(({ title, phase }) => `${titled ? `# ${title.replaceAll('\n', '\\n')}\n` : ''}${blockOf(phase)}`)
    .join('\n')
}

const hasSteps = (measured: Calls): boolean => 'steps' in measured && measured.steps.length > 0

function blockOf({ operations, wallSeconds }: PhaseResult): string {
  const calls = operations.reduce((sum, { ok, failed, unknown }) => sum + ok + failed + unknown, 0)
  const measured: readonly Calls[] = [...operations, ...operations.flatMap(({ steps }) => steps)]
  const lines = [
    line('OVERALL', 'RunTime(ms)', Math.round(wallSeconds * 1000)),
    line('OVERALL', 'Throughput(ops/sec)', wallSeconds > 0 ? calls / wallSeconds : 0),
    ...[...groupBy(measured, ({ name }) => measurementName(name))].flatMap(([name, same]) => linesOf(name, same)),
  ]
  return `${lines.join('\n')}\n`
}

const line = (measurement: string, metric: string, value: number): string => `[${measurement}], ${metric}, ${value}`

/** "readModifyWrite" is READ-MODIFY-WRITE. */
const measurementName = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toUpperCase()

function linesOf(name: string, measured: readonly Calls[]): readonly string[] {
  const failed = measured.flatMap(({ latency }) => [latency.failed, latency.unknown].filter((part) => part !== null))
  return [
    ...latencyLines(name, summaryOf(successes(measured))),
    ...(measured.every(hasSteps) ? [] : returnLines(name, measured)),
    ...latencyLines(`${name}-FAILED`, summaryOf(failed)),
  ]
}

const microseconds = (ms: number): number => Math.round(ms * 1000)

function latencyLines(name: string, summary: LatencySummary | null): readonly string[] {
  if (summary === null) return []
  return [
    line(name, 'Operations', summary.count),
    line(name, 'AverageLatency(us)', summary.meanMs * 1000),
    line(name, 'MinLatency(us)', microseconds(summary.minMs)),
    line(name, 'MaxLatency(us)', microseconds(summary.maxMs)),
    line(name, '50thPercentileLatency(us)', microseconds(summary.p50Ms)),
    line(name, '95thPercentileLatency(us)', microseconds(summary.p95Ms)),
    line(name, '99thPercentileLatency(us)', microseconds(summary.p99Ms)),
  ]
}

/** A read that finds nothing is a success here, with a count of its own. */
function returnLines(name: string, measured: readonly Calls[]): readonly string[] {
  const sum = (count: (one: Calls) => number): number => measured.reduce((total, one) => total + count(one), 0)
  const missing = sum((one) => ('missing' in one ? (one.missing ?? 0) : 0))
  const counts = {
    OK: sum(({ ok }) => ok) - missing,
    NOT_FOUND: missing,
    ERROR: sum(({ failed, unknown }) => failed + unknown),
  }
  return Object.entries(counts).flatMap(([status, count]) => (count > 0 ? [line(name, `Return=${status}`, count)] : []))
}
