/** A text in lines that keep their ends, so that joining them gives back every byte. */
export const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(/(?<=\n)/))

/** A line without its end. */
export const contentOf = (line: string): string => line.replace(/\r?\n$/, '')

/** How the lines of a text end: as its first one does. */
export const lineEndOf = (text: string): string => (/\r?\n/.exec(text) ?? ['\n'])[0]

/** The lines with other texts in the place of blocks. There are as many as before, so that they keep their indexes. */
export function withBlocks(
  { lines }: { readonly lines: readonly string[] },
  filled: readonly { readonly block: { readonly from: number; readonly to: number }; readonly text: string }[],
): readonly string[] {
  const changed = [...lines]
  for (const { block, text } of filled) {
    changed.fill('', block.from, block.to)
    const last = changed[block.to] ?? ''
    changed[block.to] = text + last.slice(contentOf(last).length)
  }
  return changed
}

/**
 * The lines with texts between them, each with an empty line above it.
 * @param added Texts by the index of the line that they follow; -1 for the beginning.
 */
export function withAdded(
  lines: readonly string[],
  added: ReadonlyMap<number, readonly string[]>,
  lineEnd: string,
): readonly string[] {
  const follow = (line: string, index: number): string =>
    (added.get(index) ?? []).reduce((so, text) => followedBy(so, text, lineEnd), line)
  return [follow('', -1), ...lines.map(follow)]
}

function followedBy(line: string, text: string, lineEnd: string): string {
  const isWhole = line === '' || line.endsWith('\n')
  if (isWhole && line.trim() === '') return line + text + lineEnd
  return isWhole ? line + lineEnd + text + lineEnd : line + lineEnd + lineEnd + text
}
