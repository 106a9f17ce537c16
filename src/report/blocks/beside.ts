import { numberText } from '../../metrics/format.ts'
import { type JudgedRatio, judgedRatios } from '../../metrics/ratios.ts'
import { groupBy, median } from '../../metrics/statistics.ts'
import { pairStretches, stretchFigures } from '../../metrics/stretches.ts'
import { type Result } from '../../results/schema.ts'
import { minRounds } from '../../statistics/estimate.ts'
import { type PlainColumn, plainTable, withoutEmptyColumns } from '../tables/table.ts'
import { type Block, paragraph, tableBlock } from './block.ts'

/** Compares each load with and without the one that was on and off in turn, and judges them together. Empty if none was. */
export function besideBlocks(result: Result): readonly Block[] {
  const compared = listCompared(result)
  if (compared.length === 0) return []
  const judged = judgedRatios(compared)
  const lines = compared.map((one, i) => ({ one, texts: formatRatio(judged[i], one) }))
  const others = [...new Set(compared.map(({ other }) => other))].join(', ')
  const pairs = Math.max(...compared.map(({ rounds }) => rounds.length))
  return [
    tableBlock(withoutEmptyColumns(plainTable(`With and without ${others}`, columns, lines))),
    paragraph(
      `Medians of ${pairs} pairs of stretches, one with ${others} and one without in random order. Ratio: the mean over the pairs, with its 95 % interval.`,
      'aside',
    ),
  ]
}

/** Figures of the loads of each row, of all of its runs together. The rate of an open loop is planned. */
function listCompared({ variants }: Result) {
  const measured = variants
    .filter(({ startUp }) => !startUp)
    .flatMap(({ row, label, phases }) => phases.map((phase) => ({ row, label, phase })))
    .filter(({ phase }) => phase.stretches.length > 0)
  return [...groupBy(measured, ({ row, phase }) => JSON.stringify([row, phase.name])).values()].flatMap((runs) =>
    runs.slice(0, 1).flatMap(({ label, phase: { name, load, beside } }) =>
      Object.values(stretchFigures)
        .filter(({ better }) => load !== 'open' || better === 'lower')
        .map((figure) => {
          const rounds = runs.flatMap(({ phase }) => pairStretches(phase, figure.read))
          const [off, on] = [median(rounds.map(({ a }) => a)), median(rounds.map(({ b }) => b))]
          const ofCells = (on ?? Number.NaN) / (off ?? 1)
          return { label, name, other: beside?.alternating ?? '', figure, rounds, off, on, ofCells }
        }),
    ),
  )
}

/** The ratio with its interval, whatever the verdict: it says how much could be overlooked. */
function formatRatio(judged: JudgedRatio | undefined, { rounds, figure }: Compared) {
  const { ratio = null, low = null, high = null, verdict, text = '' } = judged ?? {}
  if (ratio === null || rounds.length === 0) return { ratio: 'not known', verdict: 'too few calls' }
  const [size = '', ...ends] = [ratio, low, high].flatMap((value) => (value === null ? [] : numberText(value, 2)))
  if (ends.length === 0)
    return { ratio: `about ${size}`, verdict: `too few pairs of stretches: ${minRounds - rounds.length} more` }
  const effect = verdict === figure.better ? 'better' : 'worse'
  return {
    ratio: `${size} (${ends.join(' to ')})`,
    verdict: verdict === 'higher' || verdict === 'lower' ? effect : text,
  }
}

type Compared = ReturnType<typeof listCompared>[number]
type Line = { readonly one: Compared; readonly texts: ReturnType<typeof formatRatio> }

const formatFigure = (value: number | null, { figure }: Compared): string | null =>
  value === null ? null : numberText(value, figure.digits)

const columns: readonly PlainColumn<Line>[] = [
  { title: 'Row', cell: ({ one }) => one.label },
  { title: 'Load', cell: ({ one }) => one.name },
  { title: 'Metric', cell: ({ one }) => one.figure.title },
  { title: 'Without', cell: ({ one }) => formatFigure(one.off, one) },
  { title: 'With', cell: ({ one }) => formatFigure(one.on, one) },
  { title: 'Ratio', cell: ({ texts }) => texts.ratio },
  { title: 'Verdict', cell: ({ texts }) => texts.verdict },
]
