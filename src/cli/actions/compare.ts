import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { type Baseline } from '../../report/baselines/baseline.ts'
import { readBaseline } from '../../report/baselines/folder.ts'
import { compareResults } from '../../report/comparison/compare-results.ts'
import { readResult } from '../../results/files/results-file.ts'
import { type Result } from '../../results/schema.ts'
import { type CliContext } from '../cli-context.ts'
import { type CompareFlags } from '../commands/compare.ts'
import { toCompareOptions } from '../options/comparison-options.ts'
import { printComparison } from '../results/print-comparison.ts'
import { sidesText } from '../results/use-baselines.ts'

/** Compares the results of two sides, and prints what differs. */
export async function compare(
  one: string,
  other: string | undefined,
  flags: CompareFlags,
  cli: CliContext,
): Promise<void> {
  const { strict = false, out, html, format } = flags
  const { a, b, note } = await findSides(one, other, flags)
  const comparison = compareResults(a, b, toCompareOptions(flags))
  await printComparison({ a, b, comparison }, { strict, out, html, format, note }, cli)
}

type Sides = {
  readonly a: readonly Result[]
  readonly b: readonly Result[]
  /** Description of A and B, unless both were named by the user. */
  readonly note?: string
}

/**
 * Reads what is compared: the results at two paths, or a baseline and the results at one.
 * @throws {Problem} "usage" for one path without a baseline, or two with one.
 */
async function findSides(
  one: string,
  other: string | undefined,
  { baseline, baselines }: CompareFlags,
): Promise<Sides> {
  if (baseline === undefined) {
    if (other !== undefined) return { a: await findResults(one), b: await findResults(other) }
    throw new Problem('usage', 'There is nothing to compare with', {
      hint: 'Name a second result, or a baseline: --baseline main.',
    })
  }
  if (other !== undefined)
    throw new Problem('usage', '--baseline is one side of the comparison, so there is one result beside it', {
      hint: `Leave one of them out: mongo-perf compare ${other} --baseline ${baseline}`,
    })
  const b = await findResults(one)
  const known: Baseline[] = []
  for (const { spec } of b) known.push(await readBaseline({ folder: baselines, name: baseline }, spec.name))
  const [first] = known
  return { a: known.map(({ result }) => result), b, ...(first && { note: sidesText(baseline, first) }) }
}

/**
 * Reads a result, or all results of a folder. Those that a run has kept in "previous" are left out.
 * @throws {Problem} "result-unreadable" if there is none.
 */
async function findResults(given: string): Promise<readonly Result[]> {
  const isFolder = await stat(given).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const files = isFolder ? await resultsIn(given) : [given]
  if (files.length === 0)
    throw new Problem('result-unreadable', `There is no result in the folder ${given}`, {
      hint: 'A run writes <out>/<spec name>/result.json.',
    })
  return Promise.all(files.map(readResult))
}

async function resultsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true })
  return entries
    .filter(isResult)
    .toSorted()
    .map((entry) => join(folder, entry))
}

function isResult(entry: string): boolean {
  const parts = entry.split(sep)
  return parts.at(-1) === 'result.json' && !parts.includes('previous')
}
