import { Problem } from '../core/errors.ts'
import { didYouMean, nearest } from '../core/nearest.ts'
import { type MicroTask } from './task.ts'

/**
 * The tasks to measure, in the order of the list: the named ones, or all, reduced to those with `filter` in name or title.
 * @throws {Problem} for an unknown name, and if no task is left.
 */
export function chooseTasks(
  tasks: readonly MicroTask[],
  names: readonly string[],
  filter: string | undefined,
): readonly MicroTask[] {
  const known = tasks.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw noSuchTask(unknown, known)
  const named = names.length === 0 ? tasks : tasks.filter(({ name }) => names.includes(name))
  if (filter === undefined) return named
  const text = filter.toLowerCase()
  const chosen = named.filter(({ name, title }) => `${name}\n${title}`.toLowerCase().includes(text))
  if (chosen.length > 0) return chosen
  throw new Problem('usage', `No microbenchmark has "${filter}" in its name`, {
    hint: '`mongo-perf list micro` shows them all.',
  })
}

function noSuchTask(name: string, known: readonly string[]): Problem {
  return new Problem('usage', `There is no microbenchmark "${name}"${didYouMean(nearest(name, known))}`, {
    hint: '`mongo-perf list micro` shows them all; --filter takes a part of a name.',
  })
}
