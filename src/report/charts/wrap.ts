/** Breaks at spaces so that lines stay within so many characters; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && `${line} ${word}`.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

export function wrapAll(texts: readonly string[], width: number): string[][] {
  return texts.map((text) => wrap(text, width))
}
