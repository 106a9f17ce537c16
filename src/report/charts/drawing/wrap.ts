/** Breaks a text at spaces into the minimum number of lines for a width in characters, of about equal length. Longer words are not broken. */
export function wrap(text: string, width: number): string[] {
  const lines = fillLines(text, width)
  let balanced = lines
  for (let narrower = width - 1; narrower > 0; narrower -= 1) {
    const tried = fillLines(text, narrower)
    if (tried.length > lines.length) return balanced
    balanced = tried
  }
  return balanced
}

/** Breaks a text at spaces, each line as full as the width allows. */
export function fillLines(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && `${line} ${word}`.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
