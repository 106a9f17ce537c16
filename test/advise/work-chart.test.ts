import { expect, test } from 'vitest'
import { type AdvisedShape } from '../../src/advise/advise-on-collection.ts'
import { adviceHtml } from '../../src/advise/page.ts'
import { workChart } from '../../src/advise/page.ts'
import { exampleAdvice } from '../fakes/example-advice.ts'
import { fail } from '../fakes/fail.ts'

const { collections } = exampleAdvice()
const [orders = fail('It has two collections')] = collections

/** The picture for shapes, which have a group each. */
function draw(shapes: readonly AdvisedShape[]) {
  const [block] = workChart({ collections: [{ ...orders, shapes }] })
  return block?.kind === 'chart' ? block.chart : fail('There is no chart')
}

test('shapes with most work come first, today and with the advice', () => {
  const { picture } = draw(orders.shapes)
  expect(picture.x).toMatchObject({ labels: expect.arrayContaining(['find {customer}']) })
  expect(picture.lines.map(({ label, points }) => [label, points[0]?.y])).toEqual([
    ['today', 124 * 126_000],
    ['with the advice', 124 * 12_000.5],
  ])
  expect(picture.y[0]?.scale).toBe('logarithmic')
})

test('work that lies close together has bars, which begin at 0', () => {
  const [first = fail('It has shapes')] = orders.shapes
  const one = Object.assign({}, first, { today: 10, advised: 5 })
  expect(draw([one]).picture.y[0]?.scale).toBe('linear')
  // A logarithmic scale has no place for 0.
  const { picture } = draw([Object.assign({}, one, { advised: 0 })])
  expect(picture.lines.map(({ points }) => points[0]?.y)).toEqual([10 * first.group.count, null])
})

test('without operations there is no chart, and with many it says how many are left out', () => {
  expect(workChart({ collections: [] })).toEqual([])
  const [first = fail('It has shapes')] = orders.shapes
  const many = Array.from({ length: 40 }, () => Object.assign({}, first, { group: { ...first.group } }))
  expect(draw(many).caption).toBe('the 30 shapes with most work of 40')
})

test('the page has the chart, and a table for each collection', () => {
  const html = adviceHtml(exampleAdvice())
  expect(html).toContain('data-chart')
  expect(html.match(/<caption>Operations on \w+<\/caption>/g)).toEqual([
    '<caption>Operations on orders</caption>',
    '<caption>Operations on items</caption>',
  ])
})
