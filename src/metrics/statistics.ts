/** The median. Null if there are no values. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0
  return (lower + upper) / 2
}

/** The middle one of sorted items, and of two middle ones the first. Undefined if there are none. */
export const findMiddle = <Item>(sorted: readonly Item[]): Item | undefined =>
  sorted[Math.floor((sorted.length - 1) / 2)]

/** Minimum and maximum of any number of values: `Math.min` accepts only some hundred thousand arguments. */
export function computeRange(values: readonly number[]): { readonly min: number; readonly max: number } {
  return {
    min: values.reduce((min, value) => Math.min(min, value), Infinity),
    max: values.reduce((max, value) => Math.max(max, value), -Infinity),
  }
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** A quotient. Null if a part is unknown or the divisor is 0: a rate over no time is unknown, not 0. */
export function ratio(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

/** Groups items by a text, in the order of first appearance. */
export function groupBy<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const text = textOf(item)
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [item])
    else group.push(item)
  }
  return groups
}

/** Number of items whose value is at most `max`, by binary search. @param items Sorted by their values. */
export function countUpTo<Item>(items: readonly Item[], max: number, valueOf: (item: Item) => number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (valueOf(items[middle] as Item) <= max) low = middle + 1
    else high = middle
  }
  return low
}
