/** Groups the digits of a number at the beginning of a text, for sentences, tables and charts: "27,080 ms". Four digits need no comma. */
export const groupDigits = (text: string | number): string =>
  String(text).replace(/^-?\d{5,}/, (digits) => digits.replaceAll(/\B(?=(\d{3})+$)/g, ','))

/** The same for `Intl` and the ticks of axes. */
export const grouping = { useGrouping: 'min2' } as const

/** Formats a number in the same way, with as many digits as the options allow. */
export const formatNumber = (value: number, digits: Intl.NumberFormatOptions): string =>
  value.toLocaleString('en-US', { ...grouping, ...digits })

/** Formats a number with its noun: "1 row", "27,080 rows". */
export const formatQuantity = (number: number, noun: string): string =>
  `${groupDigits(number)} ${noun}${number === 1 ? '' : 's'}`
