import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take minutes, the longest first. */
export const longest = JSON.parse(readFileSync('test/longest.json', 'utf8')) as readonly string[]

function rank({ moduleId }: TestSpecification): number {
  const at = longest.indexOf(path.relative('', moduleId))
  return at === -1 ? longest.length : at
}

/**
 * Starts the longest files first: one of them that starts last has a worker of its own, and the others nothing left to do. Vitest goes by
 * durations only where it has run before, and on a fresh clone by sizes, which say little.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- that of Vitest, which returns another list
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}
