/** Normalizes white space and commas. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s*,[\s,]*/g, ', ')
    .trim()

/** Whether two texts are equal apart from white space and commas. */
export const sameText = (a: string, b: string): boolean => plainText(a) === plainText(b)
