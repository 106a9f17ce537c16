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

/** Spaces at which a line may end: none between a number and its unit, and none around a comparison. */
const breaks = /(?<! [<>=]=?)(?: (?!(?:%|ms|µs|s|[kMG]B)(?!\w))|(?<!(?<![\w.,])[\d.,]+) )(?![<>=]=? )/

/** Breaks a text at spaces, each line as full as the width allows. A number stays with its unit, a limit such as "p99Ms < 10" whole. */
export function fillLines(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(breaks)) {
    const line = lines.at(-1)
    if (line !== undefined && `${line} ${word}`.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
