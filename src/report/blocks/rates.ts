import { type Result } from '../../results/schema.ts'
import { type RateSearch, type RateStep } from '../../results/schema/rate.ts'
import {
  explainFoundRate,
  explainRateLimit,
  formatFoundRate,
  type FoundRate,
  listFoundRates,
} from '../prose/rate-text.ts'
import { type PlainColumn, plainTable } from '../tables/table.ts'
import { type Block, paragraph, tableBlock } from './block.ts'

/** The rates that were found under limits: the figure first, then what it means, what limits it, and its steps. */
export function rateBlocks(result: Result): readonly Block[] {
  return listFoundRates(result).flatMap((found) => {
    const { rate } = found
    const name = nameSearch(found)
    return [
      paragraph(`${name === '' ? '' : `${name}: `}${formatFoundRate(rate)}`, 'strong'),
      paragraph(`${explainFoundRate(rate)} ${explainRateLimit(rate)}`.trim()),
      tableBlock(plainTable(name === '' ? 'Steps' : `Steps: ${name}`, createColumns(rate), rate.steps)),
    ]
  })
}

/** Names a search by its row and its run. Empty where there is one row and one run. */
const nameSearch = ({ label, run }: FoundRate): string =>
  [label, run > 1 ? `run ${run}` : ''].filter((part) => part !== '').join(', ')

const verdict = ({ held, endedEarly, purpose }: RateStep): string =>
  [
    held ? 'held' : 'missed',
    ...(endedEarly ? ['ended early'] : []),
    ...(purpose === 'confirm' ? ['to confirm'] : []),
  ].join(', ')

const createColumns = ({ holds }: RateSearch): readonly PlainColumn<RateStep>[] => [
  { title: 'Rate (ops/s)', cell: ({ ratePerSecond }) => ratePerSecond, digits: { upTo: 1 } },
  { title: 'Verdict', cell: verdict },
  ...holds.map((limit, i) => ({
    title: limit,
    cell: ({ limits }: RateStep) => limits[i]?.measured ?? null,
    digits: 'significant' as const,
  })),
  { title: 'Dropped', cell: ({ dropped }) => dropped },
  { title: 'Seconds', cell: ({ seconds }) => seconds, digits: 1 },
  { title: 'Limited by', cell: ({ limitedBy }) => limitedBy },
]
