/** Groups the digits of a number at the beginning of a text, for a sentence: "27,080 ms". Four digits need no comma. */
export const groupDigits = (text: string | number): string =>
  String(text).replace(/^-?\d{5,}/, (digits) => Number(digits).toLocaleString('en-US'))

/** Formats a number with its noun: "1 row", "27,080 rows". */
export const formatQuantity = (number: number, noun: string): string =>
  `${groupDigits(number)} ${noun}${number === 1 ? '' : 's'}`
