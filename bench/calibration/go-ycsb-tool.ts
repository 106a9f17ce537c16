import { findGoYcsb, goYcsbArguments, goYcsbSummary, type GoYcsbSummary } from '../go-ycsb.ts'
import { runTool } from './run-tool.ts'
import { type Figures, type Job, type Kind, kinds, type LoadingTool } from './tool.ts'

/** How to get it, for those who have none. */
export const goYcsbMissing =
  'no go-ycsb: build it with Go, and put it on the PATH or name it in GO_YCSB; bench/go-ycsb.ts has the commands'

/** Enough to estimate how many operations fill a window. */
const trialOperations = 20_000

/** go-ycsb. Undefined: there is none. */
export async function goYcsbTool(): Promise<LoadingTool | undefined> {
  const program = await findGoYcsb()
  if (program === undefined) return undefined
  const run = (command: 'load' | 'run', { file, properties, server }: Job, more: Job['properties'] = {}) =>
    runTool(program, [...goYcsbArguments(command, { ...properties, ...more }), '-P', file], server)
  return {
    name: 'go-ycsb',
    load: async (job) => void (await run('load', job)),
    async prepare(job) {
      const { seconds } = job
      const trial = await run('run', job, { operationcount: trialOperations, warmuptime: 1 })
      const { opsPerSecond } = goYcsbFigures(trial.stdout, trial.endedMs)
      // It ends after so many operations, and never after a time.
      const operationcount = Math.ceil(opsPerSecond * seconds)
      return async () => {
        const { stdout, endedMs, cpu } = await run('run', job, { operationcount, warmuptime: seconds })
        return { figures: goYcsbFigures(stdout, endedMs), cpu }
      }
    },
  }
}

/**
 * Figures of what go-ycsb prints. Calls within a read-modify-write count as reads and updates too.
 * @param endedMs When it ended, right after its window.
 */
export function goYcsbFigures(output: string, endedMs: number): Figures {
  const summaries = goYcsbSummary(output)
  const measured = kinds.flatMap((kind) => summaries.find((summary) => summary.kind === kind) ?? [])
  if (measured.length === 0) throw new Error(`No operation of go-ycsb has succeeded:\n${output}`)
  const changes = measured.filter(({ kind }) => kind === 'READ-MODIFY-WRITE')
  const calls = measured.filter((summary) => !changes.includes(summary))
  return {
    opsPerSecond: sum(calls, 'opsPerSecond') - sum(changes, 'opsPerSecond'),
    p99Ms: Object.fromEntries(measured.map(({ kind, p99Us }) => [kind as Kind, p99Us / 1000])),
    failures: sum(
      summaries.filter(({ kind }) => kind.endsWith('-ERROR')),
      'count',
    ),
    window: { fromMs: endedMs - Math.max(...summaries.map(({ seconds }) => seconds)) * 1000, toMs: endedMs },
  }
}

const sum = (of: readonly GoYcsbSummary[], figure: 'count' | 'opsPerSecond'): number =>
  of.reduce((total, summary) => total + summary[figure], 0)
