import { getColumn } from '../../metrics/columns/index.ts'
import { numberText } from '../../metrics/format.ts'
import { pairFigures, pairWindows } from '../../metrics/pairs.ts'
import { type JudgedRatio, judgedRatios } from '../../metrics/ratios.ts'
import { searchWords } from '../../metrics/search-words.ts'
import { groupBy, median } from '../../metrics/statistics.ts'
import { type Result } from '../../results/schema.ts'
import { type WindowResult } from '../../results/schema/windows.ts'
import { minRounds } from '../../statistics/estimate.ts'
import { answerSearch, explainLimit, listSearches, nameSearch, type Search } from '../prose/search-text.ts'
import { type PlainColumn, plainTable, withoutEmptyColumns } from '../tables/table.ts'
import { type Block, paragraph, tableBlock } from './block.ts'

/** The answers of the searches of a kind: each as a sentence, then what limits it, and its steps. */
export function searchBlocks(result: Result, kind: Search['kind']): readonly Block[] {
  const found = listSearches(result).filter(({ search }) => search.kind === kind)
  return found.flatMap((one) => {
    const { search } = one
    const label = nameSearch(one)
    const limit = explainLimit(search)
    const answer = paragraph(answerSearch({ label, search }), 'strong')
    const steps = tableBlock(
      plainTable(label === '' ? 'Steps' : `Steps: ${label}`, createColumns(search), search.steps),
    )
    return limit === '' ? [answer, steps] : [answer, paragraph(limit), steps]
  })
}

const describeVerdict = ({ held, endedEarly, purpose }: WindowResult): string =>
  [
    held ? 'held' : 'missed',
    ...(endedEarly ? ['ended early'] : []),
    ...(purpose === 'confirm' ? ['to confirm'] : []),
  ].join(', ')

const createColumns = ({ kind, holds }: Search): readonly PlainColumn<WindowResult>[] => [
  { title: searchWords[kind].places, cell: ({ at }) => at, digits: { upTo: 1 } },
  ...(holds.length === 0 ? peakColumns : createLimitColumns(holds)),
  { title: 'Seconds', cell: ({ seconds }) => seconds, digits: 1 },
  { title: 'Limited by', cell: ({ limitedBy }) => limitedBy },
]

const createLimitColumns = (holds: readonly string[]): readonly PlainColumn<WindowResult>[] => [
  { title: 'Verdict', cell: describeVerdict },
  ...holds.map((limit, i) => ({
    title: limit,
    cell: ({ limits }: WindowResult) => limits[i]?.measured ?? null,
    digits: 'significant' as const,
  })),
  { title: 'Dropped', cell: ({ dropped }) => dropped },
]

const peakColumns: readonly PlainColumn<WindowResult>[] = [
  { title: 'Throughput (ops/s)', cell: ({ opsPerSecond }) => Math.round(opsPerSecond) },
  ...(['meanMs', 'p50Ms', 'p99Ms'] as const).map((name) => ({
    title: getColumn(name).title,
    cell: ({ latency }: WindowResult) => latency?.[name] ?? null,
    digits: 2,
  })),
  { title: 'Errors', cell: ({ errors }) => errors },
]

/** Compares each load with and without the one that was on and off in turn, and judges them together. Empty if none was. */
export function pairBlocks(result: Result): readonly Block[] {
  const compared = listCompared(result)
  if (compared.length === 0) return []
  const judged = judgedRatios(compared)
  const lines = compared.map((one, i) => ({ one, texts: formatRatio(judged[i], one) }))
  const others = [...new Set(compared.map(({ other }) => other))].join(', ')
  const pairs = Math.max(...compared.map(({ rounds }) => rounds.length))
  return [
    tableBlock(withoutEmptyColumns(plainTable(`With and without ${others}`, columns, lines))),
    paragraph(
      `Medians of ${pairs} pairs of windows, one with ${others} and one without in random order. Ratio: the mean over the pairs, with its 95 % interval.`,
      'aside',
    ),
  ]
}

/** Figures of the loads of each row, of all of its runs together. The rate of an open loop is planned. */
function listCompared({ variants }: Result) {
  const measured = variants
    .filter(({ startUp }) => !startUp)
    .flatMap(({ row, label, phases }) => phases.map((phase) => ({ row, label, phase })))
    .filter(({ phase }) => phase.windows.some(({ purpose }) => purpose === 'without'))
  return [...groupBy(measured, ({ row, phase }) => JSON.stringify([row, phase.name])).values()].flatMap((runs) =>
    runs.slice(0, 1).flatMap(({ label, phase: { name, load, parallel } }) =>
      Object.values(pairFigures)
        .filter(({ better }) => load !== 'open' || better === 'lower')
        .map((figure) => {
          const rounds = runs.flatMap(({ phase }) => pairWindows(phase, figure.read))
          const [off, on] = [median(rounds.map(({ a }) => a)), median(rounds.map(({ b }) => b))]
          const ofCells = (on ?? Number.NaN) / (off ?? 1)
          return { label, name, other: parallel?.alternating ?? '', figure, rounds, off, on, ofCells }
        }),
    ),
  )
}

/** The ratio with its interval, whatever the verdict: it says how much could be overlooked. */
function formatRatio(judged: JudgedRatio | undefined, { rounds, figure }: Compared) {
  const { ratio = null, low = null, high = null, verdict, text = '' } = judged ?? {}
  if (ratio === null || rounds.length === 0) return { ratio: 'not known', verdict: 'too few operations' }
  const [size = '', ...ends] = [ratio, low, high].flatMap((value) => (value === null ? [] : numberText(value, 2)))
  if (ends.length === 0)
    return { ratio: `about ${size}`, verdict: `too few pairs of windows: ${minRounds - rounds.length} more` }
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
