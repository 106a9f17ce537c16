/** Splits a text into lines that keep their line ends. */
export const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(/(?<=\n)/))

/** A line without its line end. */
export const contentOf = (line: string): string => line.replace(/\r?\n$/, '')

/** The line end of a text, taken from its first line. */
export const lineEndOf = (text: string): string => (/\r?\n/.exec(text) ?? ['\n'])[0]

/** Replaces blocks by other texts. The number of lines stays the same, so that indexes remain valid. */
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
 * Inserts texts between lines, each with an empty line above it.
 * @param added Texts by the index of the line above them; -1 for the beginning.
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
