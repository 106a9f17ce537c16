import { legendOf } from '../markdown/legend.ts'
import { type ParsedDocument } from './parse-document.ts'

/** The definitions that the sections of a document need. */
export const legendText = ({ lines, blocks }: ParsedDocument): string =>
  legendOf(
    blocks
      .filter(({ name }) => !name.startsWith('@'))
      .map(({ from, to }) => lines.slice(from + 1, to).join('\n'))
      .join('\n'),
  )
