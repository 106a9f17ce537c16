/** Middle value, or the mean of the two middle ones. Null when there is none. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0
  return (lower + upper) / 2
}

/** Least and maximum of any number of values: a function takes no more than some hundred thousand arguments. */
export function rangeOf(values: readonly number[]): { readonly min: number; readonly max: number } {
  return {
    min: values.reduce((least, value) => Math.min(least, value), Infinity),
    max: values.reduce((maximum, value) => Math.max(maximum, value), -Infinity),
  }
}

/** (max - min) / median. Null for fewer than two values, which have no spread, and where the median is 0. */
export function spread(values: readonly number[]): number | null {
  const middle = median(values)
  if (values.length < 2 || middle === null || middle === 0) return null
  return (Math.max(...values) - Math.min(...values)) / middle
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Null when nothing was divided by: a rate over no time, or a share of no calls, is unknown and not 0. */
export function ratio(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
