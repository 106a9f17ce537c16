import { Problem } from '../errors.ts'
import { type Overrides } from '../spec/overrides.ts'
import { type SpecRow } from '../spec/read-rows.ts'
import { type Spec } from '../spec/schema.ts'
import { parseThreshold, thresholdForm } from '../language/thresholds.ts'
import { faultText, thresholdFaults } from './check-addresses.ts'
import { shapeOfSpec } from './shape.ts'

/**
 * Adds the thresholds of the command line to those of the spec.
 * @throws {Problem} "usage" for one that cannot be read, or that names what the spec does not measure.
 */
export function withThresholds(
  rows: readonly SpecRow[],
  { thresholds = [], abortOnThreshold = false }: Overrides,
): readonly SpecRow[] {
  for (const text of thresholds) for (const { spec } of rows) refuseUnknown(text, spec)
  const given = thresholds.map((holds) => ({ holds, abort: false }))
  return rows.map((row) => ({
    ...row,
    spec: {
      ...row.spec,
      thresholds: [...row.spec.thresholds, ...given].map(({ holds, abort }) => ({
        holds,
        abort: abort || abortOnThreshold,
      })),
    },
  }))
}

function refuseUnknown(text: string, spec: Spec): void {
  if (parseThreshold(text) === undefined)
    throw new Problem('usage', `The threshold "${text}" cannot be read`, { hint: `Write ${thresholdForm}.` })
  const [found] = thresholdFaults(text, shapeOfSpec(spec))
  if (found === undefined) return
  throw new Problem('usage', `The threshold "${text}" cannot be checked: ${faultText(found)}`, {
    hint: '`mongo-perf list columns` names the measures; phases and operations are those of the spec.',
  })
}
