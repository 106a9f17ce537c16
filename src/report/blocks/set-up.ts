import { type Result } from '../../results/schema.ts'
import { type Block } from './block.ts'

/** The commands that made the servers and collections of the rows, folded. Empty: nothing was made. */
export function setUpBlocks({ variants }: Result): readonly Block[] {
  const rows = variants.toSorted((a, b) => a.row - b.row || a.run - b.run)
  const lines = new Map(rows.flatMap(({ commands }) => commands).map((line) => [withoutPlace(line), line]))
  if (lines.size === 0) return []
  const summary = `The ${lines.size === 1 ? 'command' : `${lines.size} commands`} that set up servers and collections`
  return [{ kind: 'folded', summary, blocks: [{ kind: 'code', text: [...lines.values()].join('\n') }] }]
}

/** Servers of later rows do the same on other ports, in other temporary folders. */
const withoutPlace = (line: string): string =>
  line.replaceAll(/(?<=:|--port[ =])\d{4,5}\b/g, '').replaceAll(/(?<=\/mongo-perf-[\w-]+-)\w{6}\b/g, '')
