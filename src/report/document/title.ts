import { escapeCell } from '../markdown/escape.ts'
import { tableOfCells } from '../markdown/table.ts'
import { type Block } from './markers.ts'
import { hashOf, sourceOf } from './sources.ts'

/** Author, date and version of a document. Empty if it has no section. */
export function titleText({ attributes: { author = '' } }: Block, blocks: readonly Block[]): string {
  const cells = [
    ['**Author**', escapeCell(author)],
    ['**Date**', newest(blocks)],
    ['**Version**', versionOf(blocks)],
  ].filter(([, value]) => value !== '')
  return cells.length === 0 ? '' : tableOfCells(cells)
}

const valuesOf = (blocks: readonly Block[], attribute: string): readonly string[] =>
  blocks.flatMap(({ attributes }) => attributes[attribute] ?? [])

/** The date of the newest result. */
const newest = (blocks: readonly Block[]): string => valuesOf(blocks, 'measured').toSorted().at(-1) ?? ''

/** The versions of mongo-perf, the number of results, and a hash over them. */
function versionOf(blocks: readonly Block[]): string {
  const results = new Map(
    blocks.flatMap((block) => {
      const source = sourceOf(block)
      return source === null ? [] : [[source.path, source.sha256] as const]
    }),
  )
  if (results.size === 0) return ''
  const tools = [...new Set(valuesOf(blocks, 'version'))].toSorted()
  const hash = hashOf([...results.values()].toSorted().join('\n'))
  return [
    `mongo-perf ${tools.join(' and ')}`,
    `${results.size} ${results.size === 1 ? 'result' : 'results'}`,
    hash,
  ].join(', ')
}
