import { Problem } from '../src/core/errors.ts'

/** Context that a benchmark of our own code is handed. */
export type BenchContext = {
  /** Path of a `mongod`, looked for only when asked. */
  readonly mongod: () => Promise<string>
  /** The same of a `redis-server` or `valkey-server`. */
  readonly redis: () => Promise<string>
  readonly print: (line: string) => void
  /** The only part of it that is asked for. Undefined: all of it. */
  readonly part: string | undefined
  /** Folder for files that it writes. Undefined: one that it makes. */
  readonly out: string | undefined
  /** Whether the bench only shows that it works, where it can be made short. */
  readonly quick: boolean
}

export type Bench = (context: BenchContext) => Promise<void>

/** A name that no benchmark has, or no part of one. */
export const unknownName = (what: string, name: string | undefined, known: readonly string[]): Problem =>
  new Problem('usage', `There is no ${what} "${name}"`, { hint: `There are ${known.join(', ')}.` })

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Cost of an operation: time of the wall clock, and CPU time of all threads of this process. */
export type Cost = { readonly wallUs: number; readonly cpuUs: number }

export async function measureCost(run: () => Promise<unknown>, operations: number): Promise<Cost> {
  const cpu = process.cpuUsage()
  const startMs = performance.now()
  await run()
  const wallMs = performance.now() - startMs
  const { user, system } = process.cpuUsage(cpu)
  return { wallUs: (wallMs * 1000) / operations, cpuUs: (user + system) / operations }
}

/** Measures all sides once per round, by turns who goes first: other load on the machine meets all of them. */
export async function interleave<Side extends string, Measured>(
  sides: readonly Side[],
  rounds: number,
  measure: (side: Side) => Promise<Measured>,
): Promise<Readonly<Record<Side, readonly Measured[]>>> {
  const measured = Object.fromEntries(sides.map((side) => [side, []])) as unknown as Record<Side, Measured[]>
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) measured[side].push(await measure(side))
  return measured
}

export const computeMedian = <Measured>(measured: readonly Measured[], figure: (of: Measured) => number): number =>
  median(measured.map(figure))

/** Median of the ratios of the rounds: two sides of one round met the same machine. */
export const medianRatio = <Measured>(
  measured: readonly Measured[],
  beside: readonly Measured[],
  figure: (of: Measured) => number,
): number => median(measured.map((of, round) => figure(of) / figure(beside[round] as Measured)))
