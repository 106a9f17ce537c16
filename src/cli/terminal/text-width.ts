/** Characters that take two columns of a terminal: East Asian wide and full-width ones, and emoji. */
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u
/** Characters that take none, or move the cursor. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Mn}\p{Me}]/gu

const widthOfCharacter = (character: string): number => (wide.test(character) ? 2 : 1)

/** Columns that a line takes on a terminal. */
export const textWidth = (line: string): number =>
  [...line].reduce((sum, character) => sum + widthOfCharacter(character), 0)

/** The beginning of a line that fits so many columns. Characters that would take no column, or move the cursor, are left out. */
export function fitLine(line: string, columns: number): string {
  let width = 0
  let text = ''
  for (const character of line.replaceAll(unprintable, '')) {
    width += widthOfCharacter(character)
    if (width > columns) return text
    text += character
  }
  return text
}
