import { cellText } from '../../metrics/format.ts'
import { getMeasures } from '../../results/check-metrics.ts'
import { type RowCheck, rowChecks } from '../../results/row-checks.ts'
import { type CheckResult, type Result } from '../../results/schema.ts'
import { type PlainColumn, plainTable } from '../tables/table.ts'
import { type Block, createListBlocks, tableBlock } from './block.ts'

const verdicts = {
  held: 'held',
  violated: 'violated',
  allowed: 'loss allowed',
  'not-checked': 'not checked',
} as const satisfies Record<CheckResult['status'], string>

/** A table of all checks, with remarks. Empty if there are none. */
export function checkBlocks(result: Result): readonly Block[] {
  const all = rowChecks(result)
  if (all.length === 0) return []
  const columns: readonly PlainColumn<RowCheck>[] = [
    ...(all.some(({ label }) => label !== '') ? [{ title: 'Row', cell: ({ label }: RowCheck) => label }] : []),
    ...(all.some(({ run }) => run > 1) ? [{ title: 'Run', cell: ({ run }: RowCheck) => run }] : []),
    { title: 'Check', cell: ({ check: { name, kind } }) => (name === kind ? name : `${name} (${kind})`) },
    { title: 'Verdict', cell: ({ check }) => verdicts[check.status], alarming: [verdicts.violated] },
    { title: 'Figures', cell: ({ check }) => formatCheckFigures(check) },
  ]
  return [tableBlock(plainTable('Checks', columns, all)), ...createListBlocks(all.flatMap(remarksOn))]
}

/** All figures of a check. Zeros are shown too, because a zero is often the expected result. */
const formatCheckFigures = ({ kind, measures }: CheckResult): string =>
  Object.entries(measures)
    .map(([name, value]) => `${getMeasures(kind)[name]?.title ?? name} ${cellText(value, null)}`)
    .join(', ')

/** The others, which differ in an id or a time, are in the result. */
const maxExamples = 3

/** The reason and the first examples of a check that did not hold. */
function remarksOn({ label, run, check }: RowCheck): readonly string[] {
  const { name, status, reason, evidence } = check
  if (status === 'held') return []
  const where = [label === '' ? '' : ` in row "${label}"`, run > 1 ? `, run ${run}` : ''].join('')
  const examples = [...new Set(evidence)]
  const more = examples.length > maxExamples ? [`and ${examples.length - maxExamples} more like these`] : []
  const texts = [...(reason === null ? [] : [reason]), ...examples.slice(0, maxExamples), ...more]
  return texts.length === 0 ? [] : [`${name}${where}: ${texts.join('; ')}.`]
}
