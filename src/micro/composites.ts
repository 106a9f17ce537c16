import { type Average, averages, type MicroTask } from './task.ts'

/** Names of the composite scores. */
export const compositeNames = [...averages, 'DriverBench'] as const
/** The name of a composite score. */
export type CompositeName = (typeof compositeNames)[number]

/** A composite score in MB/s, or the missing tasks. */
export type Composite =
  | { readonly name: CompositeName; readonly status: 'scored'; readonly megabytesPerSecond: number }
  | { readonly name: CompositeName; readonly status: 'incomplete'; readonly missing: readonly string[] }

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * The composite scores: averages as in the specification. DriverBench is the average of ReadBench and WriteBench.
 * @param scores MB/s of the measured tasks, by name.
 */
export function compositesOf(
  scores: ReadonlyMap<string, number>,
  tasks: readonly Pick<MicroTask, 'name' | 'countsIn'>[],
): readonly Composite[] {
  const membersOf = (average: Average): readonly string[] =>
    tasks.filter(({ countsIn }) => countsIn.includes(average)).map(({ name }) => name)
  const score = (members: readonly string[]): number => mean(members.map((name) => scores.get(name) ?? Number.NaN))
  const composite = (name: CompositeName, parts: readonly (readonly string[])[]): Composite => {
    const missing = parts.flat().filter((member) => !scores.has(member))
    if (missing.length > 0) return { name, status: 'incomplete', missing }
    return { name, status: 'scored', megabytesPerSecond: mean(parts.map(score)) }
  }
  return [
    ...averages.map((name) => composite(name, [membersOf(name)])),
    composite('DriverBench', [membersOf('ReadBench'), membersOf('WriteBench')]),
  ]
}
