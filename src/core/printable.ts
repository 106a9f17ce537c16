/** Spells a character as JSON does, so that printed JSON stays JSON. */
function spelledOut(characters: string): string {
  const units = Array.from({ length: characters.length }, (_, at) => characters.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/** Characters that move the cursor, clear the screen, begin an escape code or turn the direction of a text; not the ends of lines. */
const steering = /(?![\n\t]|\r\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/**
 * A text for a terminal, a log or a Markdown document: whatever would steer a terminal is spelled out. Servers, results and files of others have a say in most
 * of what is printed.
 */
export const printable = (text: string): string => text.replaceAll(steering, spelledOut)

/** The same for a part of a line, such as a name: ends of lines and characters that are not seen are spelled out too. */
export const printableName = (text: string): string => text.replaceAll(/\p{C}/gu, spelledOut)

/** A text of a URI or a file's name without its percent signs. One that has them in another sense stays as it is. */
export function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
