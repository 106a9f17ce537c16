import { run } from '../../src/entries/index.ts'
import { type Cost, interleave, medianRatio } from '../benchmark.ts'
import { findByKey } from '../compiled.ts'
import { costOfPhase } from '../threads.ts'
import { specFor } from './engines-here.ts'
import { verdict } from './goals.ts'
import { costText, type Row } from './report.ts'

const sides = ['1', '2'] as const
const rounds = 5
const workers = 32
const keys = 1000
/** By count, because every thread compiles its code anew: that is the same part of every round. */
const ends = { warmup: { operations: 20_000 }, stopAfter: { operations: 40_000 } }
const atMost = 1.15

/** Measures what a second thread of load costs, through a whole run. CPU is that of the whole process in the window of the phase. */
export async function threadsRow(uri: string): Promise<Row> {
  const measured = await interleave(sides, rounds, (threads) => measure(uri, Number(threads)))
  const ratio = medianRatio(measured['2'], measured['1'], ({ cpuUs }) => cpuUs)
  return {
    work: `findOne, ${workers} connections over two threads`,
    goal: `CPU ≤ ${atMost} × one thread`,
    measured: `${ratio.toFixed(3)} ×, ${verdict(ratio <= atMost)}`,
    sides: { wire: sides.map((threads) => `${threads}: ${costText(measured[threads], 'op')}`).join('; ') },
  }
}

async function measure(uri: string, threads: number): Promise<Cost> {
  const spec = findByKey(keys, { kind: 'closed', workers, threads }, ends)
  const { variants } = await run(specFor('wire', spec), { uri })
  return costOfPhase(variants[0]?.phases[0])
}
