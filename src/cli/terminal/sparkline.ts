const levels = '▁▂▃▄▅▆▇█'

/** Numbers as a line of bars from 0 to the largest of them, one character each. */
export function sparkline(values: readonly number[]): string {
  const max = Math.max(...values)
  return values.map((value) => levels[max > 0 ? Math.min(7, Math.floor((value / max) * 8)) : 0]).join('')
}
