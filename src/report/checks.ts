import { measuresOf } from '../results/check-measures.ts'
import { type CheckResult, type Result, type VariantResult } from '../results/schema.ts'
import { cellText } from './format.ts'
import { escapeText, markdownTable } from './markdown-table.ts'

/** A check in a run of a row. */
export type RowCheck = {
  /** The label of the row. */
  readonly label: string
  readonly run: number
  readonly check: CheckResult
}

/** Every check of every run, start-up runs among them: what a server loses then is lost as well. */
export const rowChecks = (result: Result): readonly RowCheck[] =>
  result.variants.toSorted((a, b) => a.row - b.row || a.run - b.run).flatMap(checksOf)

const checksOf = ({ label, run, checks }: VariantResult): readonly RowCheck[] =>
  checks.map((check) => ({ label, run, check }))

/** Those that were violated: what should never happen did. */
export const violatedChecks = (result: Result): readonly RowCheck[] =>
  rowChecks(result).filter(({ check }) => check.status === 'violated')

const verdicts = {
  held: 'held',
  violated: '**violated**',
  allowed: 'loss allowed',
  'not-checked': 'not checked',
} as const satisfies Record<CheckResult['status'], string>

/** What a check found, in a sentence without a final period: its first example, or the reason. */
export function firstFinding({ reason, evidence }: CheckResult): string {
  const [first] = evidence
  return first ?? reason ?? 'no example was kept'
}

/** What every check found, row by row. Empty where there are none. */
export function checksText(result: Result): string {
  const all = rowChecks(result)
  if (all.length === 0) return ''
  const columns = everyColumn.filter(({ isShown }) => isShown(all))
  const table = markdownTable(
    columns.map(({ title }) => title),
    all.map((row) => columns.map(({ cell }) => cell(row))),
  )
  const remarks = all.flatMap(remarksOn).map((line) => `- ${escapeText(line)}`)
  return [table, ...(remarks.length > 0 ? [remarks.join('\n')] : [])].join('\n\n')
}

type Column = {
  readonly title: string
  readonly cell: (row: RowCheck) => string
  readonly isShown: (all: readonly RowCheck[]) => boolean
}

const always = (): boolean => true

const everyColumn: readonly Column[] = [
  { title: 'Row', cell: ({ label }) => label, isShown: (all) => all.some(({ label }) => label !== '') },
  { title: 'Run', cell: ({ run }) => String(run), isShown: (all) => all.some(({ run }) => run > 1) },
  { title: 'Check', cell: ({ check }) => nameIn(check), isShown: always },
  { title: 'Verdict', cell: ({ check }) => verdicts[check.status], isShown: always },
  { title: 'Figures', cell: ({ check }) => figuresOf(check), isShown: always },
]

const nameIn = ({ name, kind }: CheckResult): string => (name === kind ? name : `${name} (${kind})`)

/** Zeros of what should be zero are told too: that is what was looked for. */
const figuresOf = ({ kind, measures }: CheckResult): string =>
  Object.entries(measures)
    .map(([name, value]) => `${measuresOf(kind)[name]?.title ?? name} ${cellText(value, null)}`)
    .join(', ')

/** Why a check is not simply held, with its examples. */
function remarksOn({ label, run, check }: RowCheck): readonly string[] {
  const { name, status, reason, evidence } = check
  if (status === 'held') return []
  const where = [label === '' ? '' : ` in row "${label}"`, run > 1 ? `, run ${run}` : ''].join('')
  const texts = [...(reason === null ? [] : [reason]), ...evidence]
  return texts.length === 0 ? [] : [`${name}${where}: ${texts.join('; ')}.`]
}
