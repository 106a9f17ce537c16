import { describe, expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { drawPng } from '../../../src/report/charts/drawing/png.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { inLight } from '../../fakes/in-light.ts'

const overTime = { kind: 'line', x: 'second', y: ['opsPerSecond', 'p99Ms'] }
const phase = fakePhase({
  name: 'mix',
  wallSeconds: 4,
  operations: [fakeOperation({ name: 'find', ok: 4000 }), fakeOperation({ name: 'insert', ok: 2000 })],
})

function drawn(warmup: object, parameters = {}) {
  const effective = { phases: [{ name: 'mix', ...warmup }] }
  const spec = { effective, report: { tables: [], charts: [overTime] } } as never
  const result = fakeResult({ variants: [fakeVariant({ phases: [phase], parameters })], spec })
  return createCharts(evaluateReport(result))[0] ?? fail('no chart')
}

describe('throughput and latency over time', () => {
  test('are two panels with one time axis', () => {
    const { scales = {} } = inLight(drawn({})).chart.options ?? {}
    expect([scales['y'], scales['y2']]).toEqual([
      expect.objectContaining({ stack: 'panels', position: 'left' }),
      expect.objectContaining({ stack: 'panels', position: 'left' }),
    ])
    expect(Object.keys(scales).filter((name) => name.startsWith('x'))).toEqual(['x'])
  })

  test('of a mix are the total above the percentiles of its operations', () => {
    const { lines } = drawn({}).picture
    expect(lines.map(({ axis, label }) => [axis, label])).toEqual([
      [0, 'Throughput (ops/s)'],
      [1, 'find, p99 (ms)'],
      [1, 'insert, p99 (ms)'],
    ])
    expect(lines[0]?.points[0]?.y).toBe(
      phase.operations.reduce((sum, { perSecond }) => sum + (perSecond.ok[0] ?? 0), 0),
    )
  })
})

describe('a warm-up', () => {
  test('is shaded before the window, with its length from the parameters', () => {
    const chart = drawn({ warmup: { seconds: { '@param': 'warm' } } }, { warm: { value: 0.1 } })
    const { overlay, chart: lines } = inLight(chart)
    expect(overlay).toMatchObject({ bands: [{ from: -0.1, to: 0 }], labels: [{ at: -0.1, text: 'warm-up' }] })
    expect(lines.options?.scales?.['x']).toMatchObject({ min: -0.1, max: 4 })
    expect(chart.alt).toContain('Before it, a warm-up of 0.1 s.')
  })

  test('takes little of the time line, however long it was', () =>
    expect(inLight(drawn({ warmup: { seconds: 300 } })).overlay?.bands).toEqual([{ from: -0.2, to: 0 }]))

  test('is not drawn where there was none', () => {
    expect(inLight(drawn({})).overlay).toBeNull()
    expect(inLight(drawn({ warmup: { operations: 100 } })).overlay).toBeNull()
  })

  test('is drawn: without it the picture is another', async () => {
    const drawing = inLight(drawn({ warmup: { seconds: 0.5 } }))
    const [full, without] = await Promise.all([drawPng(drawing), drawPng({ ...drawing, overlay: null })])
    expect(full.equals(without)).toBe(false)
  })
})
