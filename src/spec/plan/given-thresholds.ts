import { Problem, Unmatched, type UnmatchedOption } from '../../core/errors.ts'
import { findingText } from '../../language/issues.ts'
import { parseThreshold, thresholdForm } from '../../language/thresholds.ts'
import { type OwnColumns } from '../../metrics/columns/own-column.ts'
import { type SpecRow } from '../fold/read-rows.ts'
import { type Overrides } from '../parse/overrides.ts'
import { thresholdIssues } from '../rules/addresses.ts'
import { shapeOfSpec } from './shape.ts'

/**
 * Adds the thresholds of the command line to those of the spec.
 * @throws {Problem} "usage" for all that cannot be read, or that name what the spec does not measure.
 */
export function withThresholds(
  rows: readonly SpecRow[],
  { thresholds = [], abortOnThreshold = false, columns = {} }: Overrides,
): readonly SpecRow[] {
  const issues = thresholds.flatMap((text) => findThresholdProblem(text, rows, columns) ?? [])
  if (issues.length > 0) {
    const hints = new Set(issues.map(({ hint }) => hint))
    const message = issues.map((issue) => issue.message).join('\n')
    const hint = [...hints].join(' ')
    const unmatched = issues.flatMap((issue) => issue.unmatched ?? [])
    throw unmatched.length === issues.length
      ? new Unmatched(unmatched, message, { hint })
      : new Problem('usage', message, { hint })
  }
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

type ThresholdIssue = {
  readonly message: string
  readonly hint: string
  /** Not for what is no threshold of any spec. */
  readonly unmatched?: UnmatchedOption
}

function findThresholdProblem(text: string, rows: readonly SpecRow[], columns: OwnColumns): ThresholdIssue | undefined {
  if (parseThreshold(text) === undefined)
    return { message: `The threshold "${text}" cannot be read`, hint: `Write ${thresholdForm}.` }
  const [found] = rows.flatMap(({ spec }) => thresholdIssues(text, shapeOfSpec(spec, columns)))
  return (
    found && {
      message: `The threshold "${text}" cannot be checked: ${findingText(found)}`,
      unmatched: {
        option: 'threshold',
        given: text,
        reason: 'no such metric',
        known: found.nearest ? [found.nearest] : [],
      },
      hint: '`mongo-perf list columns` names the metrics; phases and operations have the names of the spec.',
    }
  )
}
