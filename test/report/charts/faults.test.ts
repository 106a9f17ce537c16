import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { looks } from '../../../src/report/charts/drawing/look.ts'
import { createOverlay } from '../../../src/report/charts/drawing/overlay.ts'
import { drawPng } from '../../../src/report/charts/drawing/png.ts'
import { type Band } from '../../../src/report/charts/picture.ts'
import { type ReportChart } from '../../../src/report/charts/report-chart.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeAvailability, fakeElections, fakeFault, fakeLasting, fakeOccurrence } from '../../fakes/fake-faults.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { forAll } from '../../fakes/for-all.ts'
import { inLight } from '../../fakes/in-light.ts'
import { storedResult } from '../../fakes/stored-results.ts'

const seconds = 60
const insertOne = (given = {}) => fakeOperation({ name: 'insertOne', seconds, ...given })

const killed = (shift: number, given: Partial<PhaseResult> = {}): PhaseResult =>
  fakePhase({
    name: 'insert',
    wallSeconds: seconds,
    operations: [insertOne()],
    faults: [
      fakeFault('kill', fakeLasting(10 + shift, 25 + shift)),
      fakeFault('stepDown', fakeOccurrence(40 + shift, { primaryBefore: 'member1' })),
    ],
    elections: fakeElections({
      0: ['member0', 1],
      [10.5 + shift]: [null],
      20: ['member1', 2],
      [40.5 + shift]: ['member0', 3],
    }),
    ...given,
  })

const overTime = { kind: 'line', x: 'second', y: ['insert.opsPerSecond'] }

function drawn(phases: readonly PhaseResult[], charts: readonly object[] | null = [overTime]): readonly ReportChart[] {
  const variants = phases.map((phase, row) =>
    fakeVariant({ row, parameters: { w: { value: row, label: `w:${row}` } }, phases: [phase] }),
  )
  const report = charts === null ? { tables: [] } : { tables: [], charts }
  return createCharts(evaluateReport(fakeResult({ variants, spec: { report: report as never } })))
}

const first = (phases: readonly PhaseResult[], charts?: readonly object[]) =>
  drawn(phases, charts)[0] ?? fail('no chart')
const overlayIn = (...phases: readonly PhaseResult[]) => inLight(first(phases)).overlay ?? fail('no overlay')

const gap = (longestGapMs: number | null) => ({ availability: [fakeAvailability('kill', { longestGapMs })] })

describe('a chart over the seconds', () => {
  test('says in its title how long faults stopped the throughput', () => {
    expect(first([killed(0, gap(2310)), killed(0, gap(11_400))]).title).toMatch(
      /: longest gap 2\.31 s \(w:0\), 11\.4 s \(w:1\)$/,
    )
    expect(first([killed(0, gap(null))]).title).toMatch(/: median /)
  })

  test('shows faults as bands with their names above, and a fault of a moment as a line', () => {
    const { bands, labels, lanes } = overlayIn(killed(0))
    expect(bands).toEqual([
      { from: 10, to: 25 },
      { from: 40, to: 40 },
    ])
    expect(labels.map(({ at, text }) => [at, text])).toEqual([
      [10, 'kill'],
      [40, 'stepDown'],
    ])
    expect(lanes).toBe(1)
  })

  test('calls a fault by chance what was drawn', () => {
    const chance = { ...fakeFault('chance', fakeLasting(10, 25, { kind: 'pause' })), kind: 'random' }
    expect(overlayIn(killed(0, { faults: [chance] })).labels.map(({ text }) => text)).toEqual(['pause'])
  })

  test('shows who was primary below, each member in a colour of its own, and no primary as a gap', () => {
    const [{ title, segments } = fail('no strip')] = overlayIn(killed(0)).strips
    expect(title).toBe('Primary')
    expect(segments.map(({ from, to, text, short }) => [from, to, text, short])).toEqual([
      [0, 10.5, 'member0', '0'],
      [20, 40.5, 'member1', '1'],
      [40.5, 60, 'member0', '0'],
    ])
    expect(segments[0]?.fill).toBe(segments[2]?.fill)
    expect(segments[0]?.fill).not.toBe(segments[1]?.fill)
  })

  test('knows the primary of the beginning from the first fault where the watch began later', () => {
    const [strip] = overlayIn(killed(0, { elections: fakeElections({ 10.5: [null] }) })).strips
    expect(strip?.segments).toMatchObject([{ from: 0, to: 10.5, text: 'member0' }])
  })

  test('shows a fault that could not be undone to the end of the window', () => {
    const fault = fakeFault('pause', fakeLasting(10, 20, { undoneAtSeconds: null, error: 'not undone' }))
    expect(overlayIn(killed(0, { faults: [fault] })).bands).toEqual([{ from: 10, to: 60 }])
  })

  test('has the same height and nothing above or below without faults', () => {
    const plain = inLight(first([killed(0, { faults: [], elections: null })]))
    const full = inLight(first([killed(0)]))
    expect(plain.overlay).toBeNull()
    expect(full.height).toBeGreaterThan(plain.height)
    expect(JSON.stringify(plain.chart.data)).toBe(JSON.stringify(full.chart.data))
  })

  test('describes as text what was done and who was primary', () => {
    expect(first([killed(0)]).alt).toContain(
      'Faults: kill from 10 to 25 s; stepDown at 40 s. Primary: member0 from 0 to 10.5 s, member1 from 20 to 40.5 s, member0 from 40.5 to 60 s.',
    )
    const often = Array.from({ length: 20 }, (_, index) => fakeOccurrence(index * 3))
    expect(first([killed(0, { faults: [fakeFault('kill', ...often)] })]).alt).toContain(
      'Faults: kill 20 times from 0 s.',
    )
  })

  test('of operations has one strip for all of them', () => {
    const operations = [insertOne(), insertOne({ name: 'findOne' })]
    const chart = { kind: 'line', x: 'second', y: ['opsPerSecond'], series: [{ row: 'operation' }] }
    const { chart: lines, overlay } = inLight(first([killed(0, { operations })], [chart]))
    expect(lines.data.datasets).toHaveLength(2)
    expect(overlay?.strips.map(({ title }) => title)).toEqual(['Primary'])
  })
})

describe('of several rows', () => {
  test('faults are drawn once where they happened within a second of each other', () => {
    const { bands, strips } = overlayIn(killed(0), killed(0.75))
    expect(bands).toEqual([
      { from: 10, to: 25.75 },
      { from: 40, to: 40 },
    ])
    expect(strips.map(({ title, bands: own }) => [title, own])).toEqual([
      ['Primary: w:0', []],
      ['Primary: w:1', []],
    ])
  })

  test('a fault that took longer to undo in one of them is drawn to its last end, and the caption states it', () => {
    const late = killed(0, {
      faults: [
        fakeFault('kill', fakeLasting(10, 25, { undoneAtSeconds: 29 })),
        fakeFault('stepDown', fakeOccurrence(40, { primaryBefore: 'member1' })),
      ],
    })
    const { overlay, caption } = inLight(first([killed(0), late]))
    expect(overlay?.bands[0]).toEqual({ from: 10, to: 29 })
    expect(caption.join(' ').split(' · ')[0]).toSay('chart-faults-undone-last')
    expect(inLight(first([killed(0), killed(0.75)])).caption.join(' ')).not.toContain('Bands end')
  })

  test('different faults stand beside the primaries of their rows', () => {
    const paused = killed(0, { faults: [fakeFault('pause', fakeLasting(10, 16))] })
    const { bands, labels, strips } = overlayIn(killed(0), paused)
    expect([bands, labels]).toEqual([[], []])
    expect(strips.map(({ title }) => title)).toEqual([
      'Primary: w:0 · kill from 10 to 25 s; stepDown at 40 s',
      'Primary: w:1 · pause from 10 to 16 s',
    ])
    expect(strips[1]?.bands).toEqual([{ from: 10, to: 16 }])
  })

  test('different faults of too many rows are left out, and the caption states it', () => {
    const rows = [0, 2, 4, 6, 8].map((shift) => killed(shift))
    const { overlay, caption } = inLight(first(rows))
    expect(overlay).toBeNull()
    expect(caption.join(' ').split(' · ')[0]).toSay('chart-faults-not-drawn')
  })
})

describe('a spec that asks for no charts', () => {
  const titlesOverTime = ['Throughput (ops/s) over time', 'p99 (ms) and Max (ms) over time']
  test('shows throughput and latency over the faults of a row', () => {
    const charts = drawn([killed(0)], null)
    expect(charts.map(({ picture }) => picture.title)).toEqual(titlesOverTime)
    for (const chart of charts) expect(inLight(chart).overlay?.bands).toHaveLength(2)
  })

  test('shows them after the rows beside each other, of phases with faults alone', () => {
    const variants = [0, 1].map((row) =>
      fakeVariant({
        row,
        parameters: { w: { value: row } },
        phases: [fakePhase({ name: 'load' }), killed(0, { operations: [insertOne(), insertOne({ name: 'findOne' })] })],
      }),
    )
    const charts = createCharts(evaluateReport(fakeResult({ variants, spec: { report: { tables: [] } as never } })))
    expect(charts.map(({ picture }) => picture.title)).toEqual(['Throughput (ops/s) by w', ...titlesOverTime])
    const lines = ['insert.insertOne: p99 (ms)', 'insert.findOne: p99 (ms)', 'Max (ms)']
    expect(inLight(charts[2]).chart.data.datasets.map(({ label }) => label)).toEqual(
      lines.flatMap((line) => [`w: 0, ${line}`, `w: 1, ${line}`]),
    )
  })
})

const labelsOf = (bands: readonly Band[]) =>
  createOverlay({ x: { kind: 'linear', title: '', ticks: null, end: 100 }, bands }, looks.light)

/** Far more than a letter of them needs. */
const pixelsOf = (text: string): number => text.length * 7.5

test('no two names of faults lie on each other, whatever happens when, and names that came are shown as far as there is room', () => {
  const band = fc.record({
    label: fc.constantFrom('kill', 'pause', 'stepDown', 'a-partition-with-a-name-that-is-very-long-indeed'),
    from: fc.double({ min: 0, max: 100, noNaN: true }),
  })
  forAll(fc.array(band, { minLength: 1, maxLength: 20 }), (drawnBands) => {
    const bands = drawnBands.map(({ label, from }) => ({ label, from, to: from })).toSorted((a, b) => a.from - b.from)
    const { labels, lanes } = labelsOf(bands) ?? fail('no overlay')
    const places = labels.map(({ at, lane, text, isBefore }) => {
      const x = (at / 100) * 780
      return { lane, from: isBefore ? x - pixelsOf(text) : x, to: isBefore ? x : x + pixelsOf(text) }
    })
    for (const [index, one] of places.entries()) {
      expect(one.from).toBeGreaterThanOrEqual(0)
      expect(one.to).toBeLessThanOrEqual(780)
      for (const other of places.slice(index + 1))
        expect(one.lane !== other.lane || one.to <= other.from || other.to <= one.from).toBe(true)
    }
    expect(new Set(labels.map(({ text }) => text)).size).toBe(new Set(bands.map(({ label }) => label)).size)
    expect(lanes).toBeLessThanOrEqual(5)
  })
})

test('bands after the last second that is drawn are left out', () =>
  expect(labelsOf([{ label: 'kill', from: 101, to: 120 }])).toMatchObject({ bands: [], labels: [] }))

test('bands and strips are drawn: without them the picture is another', async () => {
  const [chart = fail('no chart')] = createCharts(evaluateReport(storedResult('failover')))
  const drawing = inLight(chart)
  const { overlay } = drawing
  const [full, noBands, noStrips] = await Promise.all([
    drawPng(drawing),
    drawPng({ ...drawing, overlay: overlay && { ...overlay, bands: [] } }),
    drawPng({ ...drawing, overlay: overlay && { ...overlay, strips: [] } }),
  ])
  expect(noBands.equals(full)).toBe(false)
  expect(noStrips.equals(full)).toBe(false)
})
