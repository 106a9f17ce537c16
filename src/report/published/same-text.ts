/** One space where people have put several, one comma with a space behind it where they slipped, and no space around. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s*,[\s,]*/g, ', ')
    .trim()

export const sameText = (a: string, b: string): boolean => plainText(a) === plainText(b)
