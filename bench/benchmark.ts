/** What a benchmark of our own code is handed. */
export type BenchContext = {
  /** Path of a `mongod`, looked for only when asked. */
  readonly mongod: () => Promise<string>
  readonly print: (line: string) => void
}

export type Bench = (context: BenchContext) => Promise<void>

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
