import { groupBy } from '../../metrics/statistics.ts'
import { type Result } from '../../results/schema.ts'
import { type AgentRun } from '../../results/schema/agents.ts'
import { type PlainColumn, plainTable } from '../tables/table.ts'
import { type Block, createListBlocks, tableBlock } from './block.ts'

/** The runs of one agent, in all measured phases. */
type OfAgent = readonly AgentRun[]

const max = (runs: OfAgent, figure: (run: AgentRun) => number): number => Math.max(...runs.map(figure))

/** Both wall clocks show whole milliseconds: their difference is known to within one more than the moment is. */
const wallTickMs = 1

/** Without the sign of a zero. */
const wholeMs = (ms: number): string => String(Math.round(ms) + 0)

const columns: readonly PlainColumn<OfAgent>[] = [
  { title: 'Agent', cell: ([first]) => first?.name ?? '' },
  {
    title: 'Share',
    cell: (runs) => `${max(runs, ({ shares }) => shares)} of ${max(runs, ({ ofShares }) => ofShares)}`,
  },
  { title: 'Start', cell: (runs) => `${max(runs, ({ startOffsetMs }) => startOffsetMs).toFixed(1)} ms` },
  {
    title: 'Clock',
    cell: (runs) =>
      `${wholeMs(runs.at(-1)?.clockOffsetMs ?? 0)} ± ${(max(runs, ({ clockErrorMs }) => clockErrorMs) + wallTickMs).toFixed(1)} ms`,
  },
  { title: 'End', cell: (runs) => `${max(runs, ({ endedAtSeconds }) => endedAtSeconds).toFixed(1)} s` },
  { title: 'CPU', cell: (runs) => `${max(runs, ({ cpuPercent }) => cpuPercent).toFixed(0)} %` },
  {
    title: 'Event loop',
    cell: (runs) => `${(max(runs, ({ eventLoopUtilization }) => eventLoopUtilization) * 100).toFixed(0)} %`,
  },
  { title: 'Machine speed', cell: slowest },
  { title: 'Limited by', cell: (runs) => [...new Set(runs.flatMap(({ limitedBy }) => limitedBy ?? []))].join(', ') },
]

function slowest(runs: OfAgent): string {
  const speeds = runs.flatMap(({ machineSpeed }) => machineSpeed ?? [])
  return speeds.length === 0 ? '' : Math.min(...speeds).toFixed(0)
}

/** The agents that made the load, each with its worst figures over all measured phases. Empty if this process made it. */
export function agentBlocks({ variants }: Result): readonly Block[] {
  const runs = variants.flatMap(({ phases }) => phases.flatMap(({ agents }) => agents))
  if (runs.length === 0) return []
  const byAgent = [...groupBy(runs, ({ name }) => name).values()]
  return [tableBlock(plainTable('Agents', columns, byAgent)), ...createListBlocks([explanation])]
}

const explanation =
  'Each line shows the latest start and the highest figures of all measured phases. Share: threads of the agent, and of all agents. Start: after the common moment. Clock: ahead of the coordinator, with the error of both. CPU: of the process, in percent of one core. Machine speed: runs of a fixed kernel per second, the slowest.'
