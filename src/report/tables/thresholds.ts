import { thresholdVerdicts, type Verdict } from '../../metrics/thresholds.ts'
import { type Result } from '../../results/schema.ts'
import { plainTable, type Table } from './table.ts'

/** Every threshold with its worst row. Empty if there are none. */
export function thresholdTables(result: Result): readonly Table[] {
  const verdicts = thresholdVerdicts(result)
  if (verdicts.length === 0) return []
  const hasLabels = verdicts.some(({ label }) => label !== '')
  return [
    plainTable(
      'Thresholds',
      [
        { title: 'Threshold', cell: ({ threshold }) => threshold },
        { title: 'Worst', cell: formatWorstValue },
        ...(hasLabels ? [{ title: 'Row', cell: ({ label }: Verdict) => label }] : []),
        { title: 'Verdict', cell: formatVerdict },
      ],
      verdicts,
    ),
  ]
}

const formatVerdict = ({ verdict, reason }: Verdict): string =>
  verdict === 'not judged' ? `${verdict}: ${reason}` : verdict

const formatWorstValue = ({ measured, reason }: Verdict): number | string | null =>
  measured === null ? reason : Number(measured.toPrecision(6))
