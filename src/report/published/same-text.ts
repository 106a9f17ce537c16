/** One space where people have put several, and none around. */
export const plainText = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

export const sameText = (a: string, b: string): boolean => plainText(a) === plainText(b)
