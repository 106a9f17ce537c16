import { Problem } from '../../core/errors.ts'
import { titleBlock } from './markers.ts'
import { type Document, findBlock, getLine, print, replaceBlocks } from './parse-document.ts'

/** The shapes of the sections of a document: all of a report, or what a published section shows, with the rest folded. */
export const layouts = ['full', 'article'] as const

export type Layout = (typeof layouts)[number]

/**
 * The layout that the title block of a document names. Default: "full".
 * @throws {Problem} "document-invalid" if it names another one.
 */
export function readLayout(document: Document): Layout {
  const title = findBlock(document, titleBlock)
  const named = title?.attributes['layout'] ?? 'full'
  const layout = layouts.find((one) => one === named)
  if (title === undefined || layout !== undefined) return layout ?? 'full'
  throw new Problem('document-invalid', `${document.file}:${getLine(document, title)}: there is no layout "${named}"`, {
    hint: `Layouts are ${layouts.map((one) => `"${one}"`).join(' and ')}.`,
  })
}

/**
 * Writes a layout into the title block, so that later updates keep it.
 * @throws {Problem} "document-invalid" if the document has none.
 */
export function withLayout(document: Document, layout: Layout): string {
  if (findBlock(document, titleBlock) === undefined)
    throw new Problem('document-invalid', `${document.file} has no block "${titleBlock}", which keeps the layout`, {
      hint: `Nothing was written. Add <!-- mongo-perf ${titleBlock} --> and <!-- /mongo-perf ${titleBlock} --> on separate lines.`,
    })
  if (readLayout(document) === layout) return print(document.nodes)
  const laidOut = replaceBlocks(document, ({ name, text }) =>
    name === titleBlock ? text.replace(/^.*/, (marker) => withAttribute(marker, layout)) : null,
  )
  return print(laidOut.nodes)
}

const withAttribute = (marker: string, layout: Layout): string =>
  marker.replace(/\s+layout="[^"]*"/, '').replace(/\s*-->\s*$/, ` layout="${layout}" -->`)
