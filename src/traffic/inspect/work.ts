import { readableNumber } from '../../metrics/format.ts'
import { type Block, paragraph, tableBlock } from '../../report/blocks/block.ts'
import { plainTable } from '../../report/tables/table.ts'
import { type ShapeSummary } from './summarize.ts'

/** Says which shape took most of the time and why, where the recording tells what the server did. Else it says nothing. */
export function createWorkAnswer(shapes: readonly ShapeSummary[]): readonly Block[] {
  const [most] = listWorked(shapes)
  if (most === undefined) return []
  const { name, work, documentsPerCall, timePercent } = most
  const returned = documentsPerCall === null ? '' : ` and returns ${readableNumber(documentsPerCall)}`
  const examined = `on average it examines ${readableNumber(work.documents)} documents${returned}`
  const plan = work.plan === '' ? '' : `, with the plan ${work.plan}`
  return [paragraph(`${readableNumber(timePercent)} % of the time went to ${name}: ${examined}${plan}.`, 'strong')]
}

/**
 * Lists what the server did for each shape, the one that took most of the time first.
 * @param shown How many shapes. Default: all.
 */
export function createWorkBlocks(shapes: readonly ShapeSummary[], shown = Infinity): readonly Block[] {
  const worked = listWorked(shapes).slice(0, shown)
  if (worked.length === 0) return []
  const table = plainTable(
    'Work of the server',
    [
      { title: 'Time %', cell: ({ timePercent }) => timePercent, digits: 'significant' },
      { title: 'Examined', cell: ({ work }) => work.documents, digits: 'significant' },
      { title: 'Keys', cell: ({ work }) => work.keys, digits: 'significant' },
      { title: 'Returned', cell: ({ documentsPerCall }) => documentsPerCall, digits: 'significant' },
      { title: 'Plan', cell: ({ work }) => work.plan },
      { title: 'Shape', cell: ({ name }) => name },
    ],
    worked,
  )
  return [tableBlock(table)]
}

function listWorked(shapes: readonly ShapeSummary[]) {
  const totalUs = Math.max(
    1,
    shapes.reduce((sum, shape) => sum + shape.totalUs, 0),
  )
  return shapes
    .flatMap(({ work, ...shape }) =>
      work === null ? [] : [{ ...shape, work, timePercent: (100 * shape.totalUs) / totalUs }],
    )
    .toSorted((a, b) => b.totalUs - a.totalUs)
}
