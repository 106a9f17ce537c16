import { readableNumber } from '../../../metrics/format.ts'
import { type WatchedShape, examinedBy, shortenLine } from './test-queries.ts'

/** A shape as the summary of a suite has it, added up over its processes. */
export type ShapeLine = Pick<WatchedShape, 'name' | 'queries' | 'tests' | 'examined'> & {
  readonly plan: string
  /** The line that sends it without an index. Null: it uses one. */
  readonly scannedBy: string | null
}

export const toShapeLine = ({ name, queries, tests, examined, plan, stack: [line = ''] }: WatchedShape): ShapeLine => ({
  name,
  queries,
  tests,
  examined,
  plan: plan?.text ?? '',
  scannedBy: plan?.scansCollection === true && examinedBy(plan) > 0 ? shortenLine(line) : null,
})

const maxLines = 10

/** The shapes that make the server work the most, and those without an index. */
export function formatSummary(lines: readonly ShapeLine[]): string {
  const shapes = addUp(lines)
  const sorted = shapes.toSorted((one, other) => other.examined - one.examined || other.queries - one.queries)
  const rows = sorted.slice(0, maxLines).map(({ examined, queries, tests, name, plan }) => {
    const figures = [examined, queries, tests].map((figure) => readableNumber(figure).padStart(9)).join('')
    return `${figures}  ${name}${plan === '' ? '' : `: ${plan}`}`
  })
  const scanned = sorted.flatMap(({ name, scannedBy }) =>
    scannedBy === null ? [] : [`  ${name}, sent by ${scannedBy}`],
  )
  return [
    `${shapes.length} shapes of queries; those with the most documents examined:`,
    ' examined  queries    tests  shape',
    ...rows,
    ...(scanned.length === 0 ? [] : ['Without an index:', ...scanned]),
  ].join('\n')
}

/** One line for each name. */
function addUp(lines: readonly ShapeLine[]): readonly ShapeLine[] {
  const byName = new Map<string, ShapeLine>()
  for (const line of lines) {
    const before = byName.get(line.name)
    byName.set(line.name, {
      ...line,
      queries: line.queries + (before?.queries ?? 0),
      tests: line.tests + (before?.tests ?? 0),
      examined: line.examined + (before?.examined ?? 0),
      scannedBy: line.scannedBy ?? before?.scannedBy ?? null,
    })
  }
  return [...byName.values()]
}
