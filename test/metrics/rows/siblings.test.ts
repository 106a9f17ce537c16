import { expect, test } from 'vitest'
import { listRows } from '../../../src/metrics/rows/rows.ts'
import { createRowGroups } from '../../../src/metrics/rows/siblings.ts'
import { fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

/** Rows of two layouts, two journals and two write concerns, in this order. */
const all = ['PreSplit', 'Auto'].flatMap((layout) =>
  ['No', 'Yes'].flatMap((journal) => ['NORMAL', 'SAFE'].map((w) => ({ layout, journal, w }))),
)
const variants = all.map((values, row) =>
  fakeVariant({
    row,
    parameters: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
  }),
)
const placesOf = (pivot: string, only: (values: (typeof all)[number]) => boolean) => {
  const result = fakeResult({ variants: variants.filter(({ row }) => only(all[row] ?? fail(row))) })
  const groups = createRowGroups(listRows(result, 'variants'), [pivot], ['layout', 'journal', 'w'], () => true)
  return groups.map(({ index }) => index)
}
const fail = (row: number): never => {
  throw new Error(`no row ${row}`)
}

test.each([
  ['all rows', 'layout', () => true, [0, 1, 2, 3]],
  ['--only w=SAFE', 'layout', ({ w }) => w === 'SAFE', [1, 3]],
  ['--only layout=Auto', 'layout', ({ layout }) => layout === 'Auto', [0, 1, 2, 3]],
  ['--only w=SAFE --only journal=Yes', 'layout', ({ w, journal }) => w === 'SAFE' && journal === 'Yes', [3]],
  ['all rows, merged by the last parameter', 'w', () => true, [0, 1, 2, 3]],
] satisfies [string, string, (values: (typeof all)[number]) => boolean, number[]][])(
  'merged rows keep their letter with %s',
  (_, pivot, only, places) => expect(placesOf(pivot, only)).toEqual(places),
)
