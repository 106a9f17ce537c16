import { createCanvas, loadImage } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { type Drawing } from '../../../src/report/charts/drawing/drawing.ts'
import { drawPng } from '../../../src/report/charts/drawing/png.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { inLight } from '../../fakes/in-light.ts'

const variants = [10, 100, 1000, 70_000].map((ok, row) =>
  fakeVariant({
    row,
    parameters: { step: { value: row, label: `step ${row}` } },
    phases: [fakePhase({ operations: [fakeOperation({ ok })] })],
  }),
)

const bars = { kind: 'bar', x: { parameter: 'step' }, y: ['operations'] }
const fewer = { where: { '@lt': [{ '@param': 'step' }, 2] } }

const drawnAs = (...charts: readonly object[]): readonly Drawing[] =>
  createCharts(evaluateReport(fakeResult({ variants, spec: { report: { tables: [], charts } as never } }))).map(inLight)
const only = (chart: object): Drawing => drawnAs(chart)[0] ?? fail('no chart')

const titleOf = ({ chart }: Drawing) => chart.options?.scales?.['y']?.['title' as never]

test('the title of a logarithmic axis states its scale', () => {
  expect(titleOf(only(bars))).toMatchObject({ text: ['Operations, log scale'] })
  expect(titleOf(only({ ...bars, kind: 'line' }))).toMatchObject({ text: ['Operations, log scale'] })
  expect(titleOf(only({ ...bars, scale: 'linear' }))).toMatchObject({ text: ['Operations'] })
})

test('logarithmic axes of one measure reach equally far in all charts of a report', () => {
  const [all, some, linear] = drawnAs(bars, { ...bars, ...fewer, scale: 'log' }, { ...bars, ...fewer, scale: 'linear' })
  expect(all?.ticks['y']?.map(({ label }) => label)).toEqual(['10', '100', '1000', '10,000', '100,000'])
  expect(some?.ticks['y']).toEqual(all?.ticks['y'])
  expect(some?.chart.options?.scales?.['y']).toEqual(all?.chart.options?.scales?.['y'])
  expect(linear?.ticks).toEqual({})
})

/** How much of an image has the colour of the first line. */
async function paintedIn(drawing: Drawing): Promise<number> {
  const image = await loadImage(await drawPng(drawing))
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, image.width, image.height)
  const isPainted = (_: number, index: number): boolean =>
    index % 4 === 0 && data[index] === 0 && data[index + 1] === 0x72 && data[index + 2] === 0xb2
  return data.filter(isPainted).length
}

test('on a logarithmic axis, points stand where bars would end', async () => {
  const logarithmic = only(bars)
  const asBars = await paintedIn({ ...logarithmic, dotted: [] })
  const asPoints = await paintedIn(logarithmic)
  expect(logarithmic.dotted).toEqual([0])
  expect(asPoints).toBeGreaterThan(1000)
  expect(asPoints).toBeLessThan(asBars / 20)
  expect(only({ ...bars, scale: 'linear' }).dotted).toEqual([])
})

test('the text of a chart of points does not call it a bar chart', () => {
  const report = { tables: [], charts: [bars, { ...bars, scale: 'linear' }] }
  const alts = createCharts(evaluateReport(fakeResult({ variants, spec: { report: report as never } }))).map(
    ({ alt }) => alt,
  )
  expect(alts.map((alt) => alt.split(':')[0])).toEqual(['Dot chart', 'Bar chart'])
})

test('the numbers of linear axes are written as in texts: four digits plain, commas from 10,000 on', () => {
  const { scales = {} } = only({ ...bars, scale: 'linear' }).chart.options ?? {}
  const { format } = (scales['y']?.ticks ?? {}) as { format?: Intl.NumberFormatOptions }
  expect([1000, 10_000].map((value) => new Intl.NumberFormat('en-US', format).format(value))).toEqual([
    '1000',
    '10,000',
  ])
})
