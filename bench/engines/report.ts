import { groupDigits } from '../../src/core/quantities.ts'
import { tableOfCells } from '../../src/report/markdown/table.ts'
import { computeMedian } from '../benchmark.ts'
import { goalText, judge } from './goals.ts'
import { shareOfCore, type SideCost, type SideName, sideNames } from './side.ts'
import { type WorkResult } from './work.ts'

/** A row of the table: one goal, and in the first row of a work what its sides took. */
export type Row = {
  readonly work: string
  readonly goal: string
  readonly measured: string
  readonly sides: Readonly<Partial<Record<SideName, string>>>
}

/** The rows of a work, one for each of its goals. */
export const createRows = ({ work, costs }: WorkResult): readonly Row[] =>
  work.goals.map((goal, i) => ({
    work: i === 0 ? work.title : '',
    goal: goalText(goal),
    measured: judge(goal, costs),
    sides: i === 0 ? createSides({ work, costs }) : {},
  }))

/** Describes in words what the sides of a work took. */
export const createSides = ({ work, costs }: WorkResult): Row['sides'] =>
  Object.fromEntries(sideNames.flatMap((side) => (costs[side] ? [[side, costText(costs[side], work.unit)]] : [])))

/** Medians of throughput, of CPU, and of the share of a core that this is. */
export function costText(rounds: readonly SideCost[], unit: string): string {
  const perSecond = groupDigits(Math.round(1e6 / computeMedian(rounds, ({ wallUs }) => wallUs)))
  const cpuUs = computeMedian(rounds, (cost) => cost.cpuUs)
  const share = percent(computeMedian(rounds, shareOfCore))
  const busy =
    rounds[0]?.loopBusy === undefined ? '' : `, loop ${percent(computeMedian(rounds, ({ loopBusy = 0 }) => loopBusy))}`
  return `${perSecond} ${unit}/s, ${cpuUs.toFixed(cpuUs < 10 ? 2 : 1)} µs, ${share}${busy}`
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`

/** The table of all that was measured, with the sides that were. */
export function formatTable(rows: readonly Row[]): string {
  const shown = sideNames.filter((side) => rows.some(({ sides }) => sides[side] !== undefined))
  const table = tableOfCells([
    ['Work', 'Goal of wire', 'Measured', ...shown],
    ...rows.map(({ work, goal, measured, sides }) => [work, goal, measured, ...shown.map((side) => sides[side] ?? '')]),
  ])
  return `${table}\n\nOf each side: throughput, CPU of the client per operation or document, the share of a core that this is, and how busy its event loop was.`
}
