import { numberText } from '../../metrics/format.ts'
import { isPlanned } from '../../metrics/rows/rows.ts'
import { groupBy, median } from '../../metrics/statistics.ts'
import { pairStretches, stretchFigures } from '../../metrics/stretches.ts'
import { type PhaseResult, type Result } from '../../results/schema.ts'
import { pairedRatio, type Round } from '../../statistics/estimate.ts'
import { type ComparisonVerdict, computeVerdicts } from '../../statistics/verdict.ts'
import { type PlainColumn, plainTable, withoutEmptyColumns } from '../tables/table.ts'
import { type Block, paragraph, tableBlock } from './block.ts'

type Figure = (typeof stretchFigures)[keyof typeof stretchFigures]

/** A figure of a load, with and without another one beside it. */
type Compared = {
  readonly label: string
  readonly name: string
  /** The load that was on and off. */
  readonly other: string
  readonly figure: Figure
  readonly rounds: readonly Round[]
}

/** What each load measured with and without the one that was on and off in turn, and the verdicts on all of them together. Empty if none was. */
export function besideBlocks(result: Result): readonly Block[] {
  const compared = listCompared(result)
  if (compared.length === 0) return []
  const verdicts = computeVerdicts(
    compared.map(({ rounds, figure: { better } }) => ({ estimate: pairedRatio(rounds), better })),
  )
  const lines = compared.map((one, i) => ({ ...one, verdict: verdicts[i] }))
  const others = [...new Set(compared.map(({ other }) => other))].join(', ')
  const pairs = Math.max(...compared.map(({ rounds }) => rounds.length))
  return [
    tableBlock(withoutEmptyColumns(plainTable(`With and without ${others}`, columns, lines))),
    paragraph(
      `Medians of ${pairs} pairs of stretches, one with ${others} and one without in random order; ratio: the mean over the pairs, with its 95 % interval.`,
      'aside',
    ),
  ]
}

function listCompared({ variants }: Result): readonly Compared[] {
  const measured = variants.filter(isPlanned).flatMap(({ row, label, phases }) =>
    phases.flatMap((phase) => (phase.stretches === null ? [] : [{ row, label, phase }])),
  )
  return [...groupBy(measured, ({ row, phase }) => JSON.stringify([row, phase.name])).values()].flatMap((runs) => {
    const [first] = runs
    if (first === undefined) return []
    const { label, phase } = first
    return figuresOf(phase).map((figure) => ({
      label,
      name: phase.name,
      other: phase.stretches?.load ?? '',
      figure,
      rounds: runs.flatMap((run) => pairStretches(run.phase, figure.read)),
    }))
  })
}

/** The rate of an open loop is planned. */
const figuresOf = ({ load }: PhaseResult): readonly Figure[] =>
  Object.values(stretchFigures).filter(({ better }) => load !== 'open' || better === 'lower')

type Line = Compared & { readonly verdict: ComparisonVerdict | undefined }

const middle = ({ rounds, figure }: Line, side: keyof Round): string | null => {
  const value = median(rounds.map((round) => round[side]))
  return value === null ? null : numberText(value, figure.digits)
}

function ratioText({ rounds, verdict }: Line): string {
  if (verdict === undefined || verdict.kind === 'no verdict') {
    const ratio = Math.exp(median(rounds.map(({ a, b }) => Math.log(b / a))) ?? Number.NaN)
    return rounds.length === 0 ? 'not known' : `about ${numberText(ratio, 2)}`
  }
  const { ratio, low, high } = verdict.interval
  return `${numberText(ratio, 2)} (${numberText(low, 2)} to ${numberText(high, 2)})`
}

/** The ratio has its size already. */
const verdictText = (verdict: ComparisonVerdict): string =>
  verdict.kind === 'higher' || verdict.kind === 'lower' ? verdict.effect : verdict.text

const columns: readonly PlainColumn<Line>[] = [
  { title: 'Row', cell: ({ label }) => (label === '' ? null : label) },
  { title: 'Load', cell: ({ name }) => name },
  { title: 'Metric', cell: ({ figure }) => figure.title },
  { title: 'Without', cell: (line) => middle(line, 'a') },
  { title: 'With', cell: (line) => middle(line, 'b') },
  { title: 'Ratio', cell: ratioText },
  { title: 'Verdict', cell: ({ verdict }) => verdict === undefined ? null : verdictText(verdict) },
]
