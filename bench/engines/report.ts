import { markdownTable } from '../../src/report/markdown-table.ts'
import { type Cost, medianOf } from '../benchmark.ts'
import { goalText, judge } from './goals.ts'
import { shareOfCore, type SideName } from './side.ts'
import { type WorkResult } from './work.ts'

/** A row of the table: one goal, and in the first row of a work what its sides took. */
export type Row = { readonly work: string; readonly goal: string; readonly measured: string; readonly sides: string }

/** The rows of a work, one for each of its goals. */
export function rowsOf({ work, costs }: WorkResult): readonly Row[] {
  const sides = (Object.entries(costs) as [SideName, readonly Cost[]][]).map(
    ([name, rounds]) => `${name}: ${costText(rounds, work.unit.name)}`,
  )
  return work.goals.map((goal, i) => ({
    work: i === 0 ? work.title : '',
    goal: goalText(goal),
    measured: judge(goal, costs),
    sides: i === 0 ? sides.join('; ') : '',
  }))
}

/** Medians of throughput, of CPU, and of the share of a core that this is. */
export function costText(rounds: readonly Cost[], unit: string): string {
  const perSecond = Math.round(1e6 / medianOf(rounds, ({ wallUs }) => wallUs)).toLocaleString('en-US')
  const cpuUs = medianOf(rounds, (cost) => cost.cpuUs)
  const share = medianOf(rounds, shareOfCore) * 100
  return `${perSecond} ${unit}s/s, ${cpuUs.toFixed(cpuUs < 10 ? 2 : 1)} µs, ${share.toFixed(0)} %`
}

/** The table of all that was measured. */
export const tableOf = (rows: readonly Row[]): string =>
  markdownTable(
    ['Work', 'Goal of wire', 'Measured', 'Throughput, client CPU each, share of a core'],
    rows.map(({ work, goal, measured, sides }) => [work, goal, measured, sides]),
  )
