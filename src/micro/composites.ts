import { type Average, averages, type MicroTask } from './task.ts'

export const compositeNames = [...averages, 'DriverBench'] as const
export type CompositeName = (typeof compositeNames)[number]

/** A score made of those of tasks (MB/s), or the tasks that it lacks. */
export type Composite =
  | { readonly name: CompositeName; readonly status: 'scored'; readonly megabytesPerSecond: number }
  | { readonly name: CompositeName; readonly status: 'incomplete'; readonly missing: readonly string[] }

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * Plain averages, as the specification makes them; DriverBench is that of ReadBench and WriteBench, whatever the number of their tasks.
 * @param scores MB/s of the tasks that were measured, by name.
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
