import { groupBy } from '../../metrics/statistics.ts'
import { type Result } from '../../results/schema.ts'
import { type Block } from './block.ts'

/** The commands that made the servers and collections of the rows, folded. Empty: nothing was made. */
export function setUpBlocks({ variants }: Result): readonly Block[] {
  const rows = variants.toSorted((a, b) => a.row - b.row || a.run - b.run)
  const groups = groupBy(
    rows.flatMap(({ commands }) => commands),
    withoutPlace,
  )
  if (groups.size === 0) return []
  const summary = `The ${groups.size === 1 ? 'command' : `${groups.size} commands`} that set up servers and collections`
  const text = [...groups.values()].flatMap(([first = '']) => first).join('\n')
  return [{ kind: 'folded', summary, blocks: [{ kind: 'code', text }] }]
}

/** Servers of later rows do the same on other ports, in other folders and groups of ours. */
const withoutPlace = (line: string): string =>
  line
    .replaceAll(/(?<=:|--port[ =])\d{4,5}\b/g, '')
    .replaceAll(/(?<=\/mongo-perf-)(?:\d+-\d+|([\w-]+)-\w{6})(?=\/|$)/g, '$1')
