import { expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { looks } from '../../../src/report/charts/drawing/look.ts'
import { type Point } from '../../../src/report/charts/picture.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { collectRunPoints } from '../../../src/report/html/article.ts'
import { createOverview } from '../../../src/report/prose/overview.ts'
import { renderReport } from '../../../src/report/report.ts'
import { type Result } from '../../../src/results/schema.ts'
import { fail } from '../../fakes/fail.ts'
import { fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { inLight } from '../../fakes/in-light.ts'

const warned = {
  comparable: [],
  'lower bound': [{ code: 'threads-apart', message: 'a', advice: '' }],
  'do not compare': [{ code: 'fault-failed', message: 'b', advice: '' }],
} as const

/** A result with a row of each trust, each run twice. */
function resultWith(
  chart: object,
  levels: readonly (keyof typeof warned)[] = ['comparable', 'lower bound', 'do not compare'],
): Result {
  const variants = levels.flatMap((level, row) =>
    [1, 2].map((run) =>
      fakeVariant({
        row,
        run,
        label: level,
        parameters: { batch: { value: 10 ** row } },
        phases: [fakePhase({ warnings: [...warned[level]] })],
      }),
    ),
  )
  return fakeResult({
    variants,
    spec: {
      report: { tables: [{ title: 'T', rows: 'variants', columns: ['opsPerSecond'] }], charts: [chart] } as never,
    },
  })
}

const line = { kind: 'line', x: { parameter: 'batch' }, y: ['opsPerSecond'] }
const bars = { kind: 'bar', x: { parameter: 'label' }, y: ['opsPerSecond'] }

function drawn(result: Result) {
  const [chart = fail('no chart')] = createCharts(evaluateReport(result))
  return { chart, drawing: inLight(chart) }
}

const crossed = (result: Result): readonly number[] =>
  drawn(result).drawing.marks.flatMap(({ index, isCrossed }) => (isCrossed ? [index] : []))

test.each([
  ['pointBackgroundColor', line],
  ['backgroundColor', bars],
])(
  'a point or bar is filled only where it compares, and crossed out where it is not to be compared: %s',
  (fill, chart) => {
    const result = resultWith(chart)
    const [dataset = fail('no dataset')] = drawn(result).drawing.chart.data.datasets
    const fills = dataset[fill as keyof typeof dataset] as readonly string[]
    expect(fills.map((colour) => colour === looks.light.ground)).toEqual([false, true, true])
    expect(crossed(result)).toEqual([2])
  },
)

const legendOf = (...levels: readonly (keyof typeof warned)[]): string =>
  drawn(resultWith(line, ['comparable', ...levels])).chart.picture.legend ?? ''

test('the explanation names what is there', () => {
  expect(legendOf('lower bound')).toSay('chart-legend-hollow')
  expect(legendOf('do not compare')).toSay('chart-legend-crossed-out')
  expect(legendOf('lower bound', 'do not compare')).toSay('chart-legend-hollow-and-crossed-out')
  expect(legendOf('comparable')).not.toMatch(/hollow|crossed/)
})

test('a page has the trust in the rows whose runs it draws', () => {
  const result = resultWith(line)
  const [measure = fail('no measure')] = collectRunPoints(evaluateReport(result))
  expect(measure.rows.map(({ trust }): Point['trust'] => trust)).toEqual([undefined, 'lower bound', 'do not compare'])
  expect(measure.remark).toSay('page-points-remark')
})

const cards = (result: Result) =>
  createOverview(evaluateReport(result), renderReport(result).tree).metrics.map(({ of }) => of)

test('a row that does not compare is in no title of courses, and on no card beside others', () => {
  const courses = { kind: 'line', x: 'second', y: ['opsPerSecond'], series: [{ parameter: 'label' }] }
  const titleOf = (...levels: Parameters<typeof resultWith>[1] & object) =>
    drawn(resultWith(courses, levels)).chart.title
  const bound = 'do not compare'
  expect(titleOf('comparable', 'lower bound')).toMatch(/over time: medians .*comparable.*lower bound/)
  expect(titleOf('comparable', bound)).toMatch(/over time: median 1000 ops\/s \(comparable\)$/)
  expect(titleOf(bound)).toMatch(/over time$/)
  expect(cards(resultWith(bars))).not.toContainEqual(expect.stringContaining('3 rows'))
  expect(cards(resultWith(bars, [bound]))).not.toEqual([])
})
