import { type CheckKind, type CheckMeasure, checkMeasures, measuresOf } from '../../results/check-measures.ts'
import { type CheckResult } from '../../results/schema.ts'
import { isNumber, median } from '../statistics.ts'
import { type Column } from './column.ts'

/** A figure of a kind of check: "acknowledgedWritesSurvive.lost". In an address, the name of the check comes first. */
type CheckColumn = {
  [Kind in CheckKind]: `${Kind}.${keyof (typeof checkMeasures)[Kind] & string}`
}[CheckKind]

const ofRuns = {
  median,
  max: (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values)),
  min: (values: readonly number[]) => (values.length === 0 ? null : Math.min(...values)),
} as const satisfies Record<CheckMeasure['ofRuns'], (values: readonly number[]) => number | null>

const shownOf = {
  median: '',
  max: '; with several runs the maximum',
  min: '; with several runs the minimum',
} as const satisfies Record<CheckMeasure['ofRuns'], string>

/** Columns for the figures of checks. */
export const checkColumns = Object.fromEntries(
  Object.keys(checkMeasures).flatMap((kind) =>
    Object.entries(measuresOf(kind)).map(([name, measure]): [string, Column] => [
      `${kind}.${name}`,
      {
        title: measure.title,
        unit: '',
        meaning: measure.meaning.replace(/\.$/, `${shownOf[measure.ofRuns]}.`),
        source: 'client',
        digits: 0,
        of: ['check'],
        ofChecks: (checks: readonly CheckResult[]) =>
          ofRuns[measure.ofRuns](checks.map(({ measures }) => measures[name]).filter(isNumber)),
      },
    ]),
  ),
) as Readonly<Record<CheckColumn, Column>>
