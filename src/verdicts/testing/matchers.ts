import { withHints } from '../../core/errors.ts'
import { printable } from '../../core/printable.ts'
import { formatQuantity, groupDigits } from '../../core/quantities.ts'
import { readableNumber } from '../../metrics/format.ts'
import { median } from '../../metrics/statistics.ts'
import { meanInterval } from '../../statistics/estimate.ts'
import { expectations, type MatcherName } from './expectations/index.ts'
import { type Expectation, type ExpectationVerdict } from './expectations/judgement.ts'
import { type Measurement } from './measurement.ts'
import { addAtEnd, printNote } from './runner-output.ts'
import { type CallLoad } from './work/work.ts'

/** Arguments of an expectation beside the measurement. */
export type GivenTo<Name extends MatcherName> =
  (typeof expectations)[Name] extends Expectation<infer Given> ? Given : never

export type MatcherAnswer = { readonly pass: boolean; readonly message: () => string }

/**
 * Judges one expectation. One about which nothing can be said passes with a note, unless the measurement is strict; so does one of time where
 * nothing was timed.
 * @param isNot Whether the opposite is expected, as with `.not`: the answer of a matcher is then turned round.
 */
export function judge<Name extends MatcherName>(
  name: Name,
  measurement: Measurement,
  given: GivenTo<Name>,
  { isNot = false, note = printNote }: { readonly isNot?: boolean; readonly note?: (text: string) => void } = {},
): MatcherAnswer & { readonly verdict: ExpectationVerdict } {
  const expectation = expectations[name] as Expectation<readonly unknown[]>
  const { verdict, because, advice, isOfTime = false } = withHints(expectation)(measurement, ...given)
  const found = `${measurement.name} ${because}`
  const { strict } = measurement
  if (advice !== undefined) note(`${found} ${advice}`)
  if (verdict === 'cannot tell' && !strict) {
    note(`cannot tell: ${found}`)
    addAtEnd({ undecided: `${measurement.name} ${name}` })
  }
  const passes: Readonly<Record<ExpectationVerdict, boolean>> = {
    holds: true,
    missed: false,
    'cannot tell': strict === isNot,
    'not timed': !isNot,
  }
  const why =
    verdict === 'cannot tell' && strict ? ' Cannot tell, which counts as missed: the measurement is strict.' : ''
  return {
    verdict,
    pass: passes[verdict],
    message: () => printable(isOfTime ? `${found}${why}\n${formatMeasurement(measurement)}` : found),
  }
}

/** Called by a test runner with its state. */
type Matcher = (
  this: { readonly isNot?: boolean } | undefined,
  measurement: unknown,
  ...given: readonly never[]
) => MatcherAnswer

/** For `expect.extend`. */
export const matchers = Object.fromEntries(
  Object.keys(expectations).map((name): [string, Matcher] => [
    name,
    function (measurement, ...given) {
      const { isNot = false } = this ?? {}
      return judge(name as MatcherName, measurement as Measurement, given as never, { isNot })
    },
  ]),
) as Readonly<Record<MatcherName, Matcher>>

/** The expectations of a measurement for a test runner without matchers, such as `node:test`: each throws when it is missed. */
export type Verification = { readonly [Name in MatcherName]: (...given: GivenTo<Name>) => void }

/**
 * Verifies a measurement: `verify(measurement).toHaveP99Below(20)`.
 * @throws {Error} with the figures, when an expectation is missed.
 */
export const verify = (measurement: Measurement): Verification =>
  Object.fromEntries(
    Object.keys(expectations).map((name) => [
      name,
      (...given: readonly unknown[]) => {
        const { pass, message } = judge(name as MatcherName, measurement, given as never)
        if (!pass) throw new Error(message())
      },
    ]),
  ) as Verification

const barWidth = 40

/** A measurement in a few lines: its figures, and its latencies as a histogram. */
const formatMeasurement = (measurement: Measurement): string =>
  [...listFigures(measurement), ...histogramLines(measurement.distribution)].join('\n')

/** Throughput with its interval, and percentiles of latency. None where nothing was timed. */
export function listFigures({ rounds, calls, latency, load }: Measurement): readonly string[] {
  if (latency === null) return []
  const rates = rounds.map(({ callsPerSecond }) => callsPerSecond)
  const interval = meanInterval(rates.filter((rate) => rate > 0))
  const range =
    interval === null ? '' : ` (95 % interval: ${readableNumber(interval.low)} to ${readableNumber(interval.high)})`
  return [
    `${groupDigits(calls.ok + calls.failed)} operations in ${rounds.length} rounds, ${loadText(load)}: ${readableNumber(median(rates) ?? 0)} per second${range}`,
    `p50 ${readableNumber(latency.p50Ms)} ms, p95 ${readableNumber(latency.p95Ms)} ms, p99 ${readableNumber(latency.p99Ms)} ms`,
  ]
}

const loadText = (load: CallLoad): string =>
  'workers' in load ? formatQuantity(load.workers, 'worker') : `a rate of ${load.ratePerSecond} per second`

function histogramLines(distribution: Measurement['distribution']): readonly string[] {
  const most = Math.max(...distribution.map(({ calls }) => calls))
  const edges = distribution.map(({ upToMs }) => `≤ ${upToMs} ms`)
  const width = Math.max(...edges.map((edge) => edge.length))
  return distribution.map(({ calls }, i) => {
    const bar = '█'.repeat(Math.ceil((calls / most) * barWidth))
    return `  ${(edges[i] ?? '').padStart(width)} ${bar} ${groupDigits(calls)}`
  })
}
