import { jsonText } from '../../json.ts'
import { groupBy } from '../group-by.ts'
import { type Comparison } from './compare.ts'
import { sameWithin, type Verdict } from './direction.ts'

/** The remarks under the table: how many rows keep direction and order, and the source of the figures. */
export const remarksOn = (comparison: Comparison): readonly string[] =>
  [counted(comparison), unmatched(comparison), origin(comparison)].filter((line) => line !== '')

function counted({ base, directions, order, spec }: Comparison): string {
  const wanted = Object.entries(spec.base).map(([name, value]) => `${name} ${jsonText(value)}`)
  const first =
    base === null
      ? `The base row (${wanted.join(', ')}) was not measured: there are no ratios.`
      : `Published direction from the base row (${base.row.variant.label}): kept by ${kept(directions, 'row', 'rows')}.`
  return order.length === 0
    ? first
    : `${first} Published order: kept by ${kept(order, 'pair of rows', 'pairs of rows')}.`
}

/** "3 of 5 rows (1 turned, 1 flat here)". */
function kept(verdicts: readonly Verdict[], one: string, several: string): string {
  const groups = groupBy(verdicts, (verdict) => verdict)
  const others = [...groups]
    .filter(([verdict]) => verdict !== 'kept')
    .map(([verdict, { length }]) => `${length} ${verdict}`)
  const rest = others.length === 0 ? '' : ` (${others.join(', ')})`
  const noun = verdicts.length === 1 ? one : several
  return `${groups.get('kept')?.length ?? 0} of ${verdicts.length} ${noun}${rest}`
}

const percent = `${sameWithin * 100} %`

/** What the words of a comparison mean. */
export const publishedDefinitions =
  `Direction: above the base row, below it, or flat, within ${percent} of it. ` +
  `Order: which of two rows is above the other, if their published figures differ by more than ${percent}. ` +
  '"inconclusive": the runs of the two rows overlap.'

function unmatched({ rows, notMeasured }: Comparison): string {
  const notPublished = rows.filter(({ published }) => published === null).length
  const parts = [
    notPublished === 0 ? '' : `${counts(notPublished, 'row')} here without a published figure`,
    notMeasured === 0 ? '' : `${counts(notMeasured, 'published row')} without a row here`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `Left out of the counts: ${parts.join(', ')}.`
}

function origin({ table }: Comparison): string {
  const { title, author, version, date } = table.source
  const edition = version === undefined ? '' : `, version ${version}`
  const published = date === undefined ? '' : `, ${date}`
  const meaning = table.meaning === null ? '' : ` Under "${table.column}" it has ${table.meaning}.`
  return (
    `Published: "${title}" by ${author}${edition}${published}, section "${table.section}". ` +
    `Its hardware differs (${table.hardware}): compare ratios, not figures.${meaning}`
  )
}

const counts = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
