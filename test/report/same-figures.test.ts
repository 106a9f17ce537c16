import { describe, expect, test } from 'vitest'
import { parseAddress } from '../../src/metrics/address.ts'
import { measuredCell, listRows } from '../../src/metrics/rows/rows.ts'
import { describeShape } from '../../src/metrics/scope.ts'
import { median } from '../../src/metrics/statistics.ts'
import { readMetric } from '../../src/metrics/value-of.ts'
import { compareResults } from '../../src/report/comparison/compare-results.ts'
import { comparisonText } from '../../src/report/comparison/text.ts'
import { evaluateReport } from '../../src/report/definition/report-spec.ts'
import { collectRunPoints } from '../../src/report/html/article.ts'
import { rounded } from '../../src/report/html/markup.ts'
import { createOverview } from '../../src/report/prose/overview.ts'
import { renderReport } from '../../src/report/report.ts'
import { readResult } from '../../src/results/files/results-file.ts'
import { type Result } from '../../src/results/schema.ts'
import { resultWith } from '../fakes/compared-results.ts'

/** Six runs of each row, with histograms. */
const measured = await readResult('fixtures/results/performance-tables/insert-batch-size/result.json')
const measures = ['docsPerSecond', 'p50Ms', 'p99Ms', 'meanMs', 'maxMs', 'errors'] as const
const shape = describeShape(measured)

/** As tables, thresholds and `valueOf` have it. */
const cellOf = (result: Result, label: string, measure: string) => readMetric(result, measure, label)

describe('a metric of a result has one figure', () => {
  const { figures } = compareResults(measured, measured, { measures })

  test('in tables and in comparisons', () => {
    const shown = figures.map(({ row, measure, figureA, figureB }) => [row, measure, figureA, figureB])
    expect(shown).toEqual(
      figures.map(({ row, measure }) => {
        const cell = cellOf(measured, row, measure)
        return [row, measure, cell, cell]
      }),
    )
    // Of this result the figures of latencies are others than the medians of their runs.
    expect(figures.filter(({ a, figureA }) => Math.abs((median(a) ?? 0) / figureA - 1) > 0.01).length).toBeGreaterThan(
      3,
    )
  })

  test('in charts of every run', () => {
    const points = collectRunPoints(evaluateReport(measured))
    expect(points.length).toBeGreaterThan(0)
    for (const { title, rows } of points) {
      const address = ['docsPerSecond', 'p50Ms', 'p99Ms', 'meanMs', 'serverCpuUsPerOperation', 'opsPerSecond']
        .map((name) => parseAddress(name, shape))
        .find(({ column }) => column.title === title)
      if (address === undefined) continue
      expect(rows.map(({ figure }) => figure)).toEqual(
        listRows(measured, 'variants').map((row) => rounded(Number(measuredCell(row, address)))),
      )
    }
  })

  test('on the cards of a page', () => {
    const labels = listRows(measured, 'variants').map(({ variant }) => variant.label)
    const p99s = labels.flatMap((label) => cellOf(measured, label, 'p99Ms') ?? [])
    const card = createOverview(evaluateReport(measured), renderReport(measured).tree).metrics.find(
      ({ title }) => title === 'p99 latency',
    )
    const [low, high] = [Math.min(...p99s), Math.max(...p99s)].map((value) => value.toFixed(value < 100 ? 2 : 0))
    expect(card?.value).toBe(`${low} – ${high} ms`)
  })

  test('and reports name how it is made, once', () => {
    expect(renderReport(measured).markdown.match(/Runs together: percentiles/g)).toHaveLength(1)
    expect(renderReport(resultWith({ '': [100] })).markdown).not.toContain('Runs together:')
  })
})

describe('a ratio beside two figures', () => {
  test('is theirs where runs are too few for an interval', () => {
    const [a, b] = [resultWith({ '': [100, 110, 400] }), resultWith({ '': [200, 220, 230] })]
    const comparison = compareResults(a, b, { measures: ['opsPerSecond'] })
    expect(comparison.figures).toMatchObject([{ figureA: 110, figureB: 220, ratio: 2 }])
    expect(comparisonText(comparison, 'text')).toMatch(/\| B \/ A \| .*\n.*\n.*\| 2\.000 \|/)
  })

  test('of means is in the table, and a comparison says where most runs differ the other way', () => {
    const a = Array.from({ length: 20 }, (_, run) => (run % 20 < 9 ? 100 : 1000) + run)
    const b = Array.from({ length: 20 }, (_, run) => 900 + run)
    const comparison = compareResults(resultWith({ '': a }), resultWith({ '': b }), { measures: ['opsPerSecond'] })
    expect(comparison.figures).toMatchObject([{ figureA: 1009.5, figureB: 909.5, verdict: { kind: 'higher' } }])
    const text = comparisonText(comparison, 'text')
    expect(text).toHaveLine('comparison-limit-other-way')
  })
})
