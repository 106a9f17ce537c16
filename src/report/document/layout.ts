import { Problem } from '../../core/errors.ts'
import { titleBlock } from './markers.ts'
import { type ParsedDocument, removeLineEnd } from './parse-document.ts'

/** The shapes of the sections of a document: all of a report, or what a published section shows, with the rest folded. */
export const layouts = ['full', 'article'] as const

/** Shape of the sections of a document. */
export type Layout = (typeof layouts)[number]

const findTitle = ({ blocks }: ParsedDocument) => blocks.find(({ name }) => name === titleBlock)

/**
 * The layout that the title block of a document names. Default: "full".
 * @throws {Problem} "document-invalid" if it names another one.
 */
export function readLayout(document: ParsedDocument, file: string): Layout {
  const title = findTitle(document)
  const named = title?.attributes['layout'] ?? 'full'
  const layout = layouts.find((one) => one === named)
  if (layout !== undefined) return layout
  throw new Problem('document-invalid', `${file}:${(title?.from ?? 0) + 1}: there is no layout "${named}"`, {
    hint: `Layouts are ${layouts.map((one) => `"${one}"`).join(' and ')}.`,
  })
}

/**
 * Writes a layout into the title block, so that later updates keep it.
 * @throws {Problem} "document-invalid" if the document has none.
 */
export function withLayout(document: ParsedDocument, layout: Layout, file: string): string {
  const title = findTitle(document)
  if (title === undefined)
    throw new Problem('document-invalid', `${file} has no block "${titleBlock}", which keeps the layout`, {
      hint: `Nothing was written. Add <!-- mongo-perf ${titleBlock} --> and <!-- /mongo-perf ${titleBlock} --> on separate lines.`,
    })
  if (readLayout(document, file) === layout) return document.lines.join('')
  const line = document.lines[title.from] ?? ''
  const bare = removeLineEnd(line).replace(/\s+layout="[^"]*"/, '')
  return document.lines
    .with(title.from, bare.replace(/\s*-->\s*$/, ` layout="${layout}" -->`) + line.slice(removeLineEnd(line).length))
    .join('')
}
