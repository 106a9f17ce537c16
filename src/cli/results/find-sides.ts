import { type Baseline } from '../../report/baselines/baseline.ts'
import { readBaseline } from '../../report/baselines/folder.ts'
import { Problem } from '../../core/errors.ts'
import { type Sides } from './compare.ts'
import { findResults } from './find-results.ts'
import { sidesText } from './use-baselines.ts'

/**
 * Reads what is compared: the results at two paths, or a baseline and the results at one.
 * @throws {Problem} "usage" for one path without a baseline, or two with one.
 */
export async function findSides(
  one: string,
  other: string | undefined,
  { baseline, baselines }: { readonly baseline?: string; readonly baselines: string },
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
