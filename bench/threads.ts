import { type PhaseResult, run } from '../src/entries/index.ts'
import { type Bench, type Cost, interleave, computeMedian, medianRatio } from './benchmark.ts'
import { findByKey } from './compiled.ts'
import { startTestMongod } from './start/mongod.ts'

const sides = ['1', '2'] as const
const rounds = 5
const workers = 32
const keys = 1000
/** By count: every thread compiles its code anew, and on a busy machine a window of seconds would show little else. */
const ends = { warmup: { operations: 20_000 }, stopAfter: { operations: 40_000 } }

/**
 * Measures what a second thread of load brings and costs: `findOne` by key over 1 and 2 threads against one server. CPU is
 * that of the whole process in the window of the phase. Goal: at most 1.15 times the CPU per operation of one thread. On a
 * machine that server and client share, they also take it from each other.
 */
export const threads: Bench = async ({ mongod, print }) => {
  await using server = await startTestMongod(await mongod())
  const measured = await interleave(sides, rounds, (side) => measure(server.uri, Number(side)))
  for (const side of sides) {
    const opsPerSecond = 1e6 / computeMedian(measured[side], ({ wallUs }) => wallUs)
    const cpuUs = computeMedian(measured[side], (cost) => cost.cpuUs)
    print(`threads ${side}: ${opsPerSecond.toFixed(0)} ops/s, ${cpuUs.toFixed(1)} µs CPU/op`)
  }
  const throughput = medianRatio(measured['1'], measured['2'], ({ wallUs }) => wallUs)
  const cpu = medianRatio(measured['2'], measured['1'], ({ cpuUs }) => cpuUs)
  print(`2 threads by 1: throughput ${throughput.toFixed(2)}, CPU per op ${cpu.toFixed(3)}`)
}

async function measure(uri: string, side: number): Promise<Cost> {
  const spec = findByKey(keys, { kind: 'closed', workers, threads: side }, ends)
  const { variants } = await run(spec, { uri })
  return costOfPhase(variants[0]?.phases[0])
}

/** Returns the cost of an operation in the window of a phase: CPU is that of the whole process. */
export function costOfPhase(phase: PhaseResult | undefined): Cost {
  const operations = phase?.operations[0]?.ok
  if (!phase || !operations) throw new Error('The phase has no result')
  const wallUs = (phase.wallSeconds * 1e6) / operations
  return { wallUs, cpuUs: (phase.client.cpuPercent / 100) * wallUs }
}
