import { type Bench, type BenchContext, unknownName } from '../benchmark.ts'
import { replayBench } from './replay.ts'

const parts: Readonly<Record<string, (context: BenchContext) => Promise<void>>> = { replay: replayBench }

/** What recording and replaying costs: `traffic/replay` its memory, its punctuality and its throughput. */
export const trafficBench: Bench = async (context) => {
  for (const name of context.part === undefined ? Object.keys(parts) : [context.part]) {
    const run = parts[name]
    if (!run) throw unknownName('part', name, Object.keys(parts))
    if (context.part === undefined) context.print(`\ntraffic/${name}`)
    await run(context)
  }
}
