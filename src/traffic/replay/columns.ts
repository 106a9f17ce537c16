import { mergeLatencies, percentileMs } from '../../load/measure/latency.ts'
import { type ColumnScope, type OwnColumn, type OwnColumns, type OwnNumber } from '../../metrics/columns/own-column.ts'
import { computeStatistic, countSamples, samplesNeeded } from '../../metrics/latency.ts'
import { type RecordingHeader } from '../recording/header.ts'
import { type Survey } from './survey.ts'
import { type ShapeTally, type Tally } from './tally.ts'

type Percent = 50 | 99

/** Recorded percentiles below it are not shown: a profile and a log have whole milliseconds, less than which is 0 there. In ms. */
const minMs: Readonly<Record<RecordingHeader['source'], number>> = { proxy: 0, pcap: 0, profile: 10, log: 10 }

/**
 * Columns of a replay, for its shapes and for all of them together: what was recorded, beside what was measured.
 * @param source Of the recording.
 * @param tally Of the run that was measured last.
 */
export function replayColumns(
  { shapes, recorded, overTime }: Survey,
  source: RecordingHeader['source'],
  tally: () => Tally,
): OwnColumns {
  const indexes = new Map(shapes.list.map(({ name }, index) => [name, index]))
  const indexesIn = ({ operations }: ColumnScope): readonly number[] =>
    operations.flatMap(({ name }) => indexes.get(name) ?? [])

  const unlessRounded = (ms: number | null): number | null => (ms === null || ms < minMs[source] ? null : ms)

  /** Null where it would be chance, or nothing but rounding. */
  function recordedMs(scope: ColumnScope, percent: Percent): number | null {
    const part = mergeLatencies(indexesIn(scope).map((index) => recorded[index]?.latency))
    if (part === undefined || part.count < samplesNeeded(percent / 100)) return null
    return unlessRounded(percentileMs(part, percent))
  }
  function ratio(scope: ColumnScope, percent: Percent): number | null {
    const before = recordedMs(scope, percent)
    const latencies = scope.operations.flatMap(({ latency }) => latency.ok ?? [])
    const here = computeStatistic(latencies, `p${percent}Ms`)
    const isChance = countSamples(latencies) < samplesNeeded(percent / 100)
    return before === null || here === null || before === 0 || isChance ? null : here / before
  }
  function endOfRatio(end: 'low' | 'high', scope: ColumnScope, percent: Percent): number | null {
    const of = ratio(scope, percent)
    return of === null ? null : (tally().latencies.interval(indexesIn(scope), percent, of)?.[end] ?? null)
  }
  const recordedColumn = (percent: Percent): OwnColumn => ({
    title: `Recorded p${percent} (ms)`,
    unit: 'ms',
    value: (scope) => recordedMs(scope, percent),
    ...(overTime !== undefined && { perSecond: () => overTime[`p${percent}Ms`].map(unlessRounded) }),
  })
  const ratioColumns = (percent: Percent): OwnColumns => ({
    [`p${percent}Ratio`]: ratioColumn(`Ratio p${percent}`, (scope) => ratio(scope, percent)),
    [`p${percent}RatioLow`]: ratioColumn(`Ratio p${percent}, 95 % Low`, (scope) => endOfRatio('low', scope, percent)),
    [`p${percent}RatioHigh`]: ratioColumn(`Ratio p${percent}, 95 % High`, (scope) =>
      endOfRatio('high', scope, percent),
    ),
  })
  const count = (title: string, what: keyof ShapeTally): OwnColumn => ({
    title,
    digits: 0,
    better: 'lower',
    value: (scope) => indexesIn(scope).reduce((sum, index) => sum + (tally().shapes[index]?.[what] ?? 0), 0),
  })
  return {
    shape: {
      title: 'Shape',
      isText: true,
      value: (scope) => {
        const [only, ...others] = indexesIn(scope)
        return only === undefined || others.length > 0 ? null : (shapes.list[only]?.text ?? null)
      },
    },
    recordedCalls: {
      title: 'Recorded Calls',
      digits: 0,
      value: (scope) => indexesIn(scope).reduce((sum, index) => sum + (recorded[index]?.calls ?? 0), 0),
    },
    recordedP50Ms: recordedColumn(50),
    recordedP99Ms: recordedColumn(99),
    ...ratioColumns(50),
    ...ratioColumns(99),
    differing: count('Differing', 'differing'),
    notSent: count('Not Sent', 'notSent'),
    onTimePercent: {
      title: 'Sent within 1 ms (%)',
      unit: '%',
      digits: 1,
      better: 'higher',
      value: ({ phase, operations }) =>
        operations === phase.operations && tally().due > 0 ? (tally().onTime / tally().due) * 100 : null,
    },
  }
}

const ratioColumn = (title: string, value: OwnNumber['value']): OwnColumn => ({
  title,
  unit: '×',
  better: 'lower',
  value,
})
