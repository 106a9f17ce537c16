import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Worker } from 'node:worker_threads'
import { createWorker } from '../src/core/threads/create-worker.ts'
import { createShares } from '../src/load/plan/share.ts'
import { type Bench, type Cost, measureCost, interleave, computeMedian, medianRatio } from './benchmark.ts'
import { compileSpec, findByKey } from './compiled.ts'
import { type InstantEngine, instantEngines, type WorkOfThread } from './instant-engine.ts'
import { runOperations, createUnit } from './unit.ts'

const engines = Object.keys(instantEngines) as InstantEngine[]
const workers = 32
const keys = 1000
const rounds = 7
const operations = 1_000_000

/**
 * Measures what the harness itself takes of an operation: a closed loop over an engine that answers at once inside of the
 * process. An operation is a key that is drawn, two readings of the clock, and a recording that is merged once a second.
 * Goals: at most 1.2 µs for an operation, and two units in two threads at least 1.8 times the throughput of one.
 */
export const harness: Bench = async ({ print }) => {
  const compiled = compileSpec(findByKey(keys, { kind: 'closed', workers }))
  const measured = await interleave(engines, rounds + 1, async (name) => {
    const unit = createUnit(compiled, instantEngines[name])
    return await measureCost(() => runOperations(compiled, unit, operations), operations)
  })
  for (const name of engines) print(`answers ${name}: ${shown(measured[name].slice(1))}`)
  for (const name of engines) await compareThreads(name, print)
}

const shown = (costs: readonly Cost[]): string =>
  `${computeMedian(costs, ({ cpuUs }) => cpuUs).toFixed(3)} µs CPU/op, ${computeMedian(costs, ({ wallUs }) => wallUs).toFixed(3)} µs wall/op`

/** One thread alone, and two at the same time: the same work for each of them. */
async function compareThreads(name: InstantEngine, print: (line: string) => void): Promise<void> {
  const threads = { 'one thread': await startThreads(name, 1), 'two threads': await startThreads(name, 2) }
  try {
    const sides = Object.keys(threads) as (keyof typeof threads)[]
    const measured = await interleave(sides, rounds + 1, async (side) => {
      const running = threads[side]
      return await measureCost(() => Promise.all(running.map(runOnce)), operations * running.length)
    })
    const [one, two] = [measured['one thread'].slice(1), measured['two threads'].slice(1)]
    print(`answers ${name}, one thread:  ${shown(one)}`)
    print(`answers ${name}, two threads: ${shown(two)}`)
    const throughput = medianRatio(one, two, ({ wallUs }) => wallUs)
    const cpu = medianRatio(two, one, ({ cpuUs }) => cpuUs)
    print(`answers ${name}, two by one:  throughput ${throughput.toFixed(2)}, CPU per op ${cpu.toFixed(2)}`)
  } finally {
    await Promise.all(Object.values(threads).flatMap((running) => running.map((thread) => thread.terminate())))
  }
}

async function startThreads(engine: InstantEngine, count: number): Promise<readonly Worker[]> {
  const threads = createShares(count).map((share) => {
    const work: WorkOfThread = { engine, share, spec: findByKey(keys, { kind: 'closed', workers: workers * count }) }
    return createWorker(fileURLToPath(new URL('harness-thread.ts', import.meta.url)), work)
  })
  await Promise.all(threads.map((thread) => once(thread, 'message')))
  return threads
}

/** Each thread makes as many operations as one alone does. */
async function runOnce(thread: Worker, _index: number, all: readonly Worker[]): Promise<void> {
  const ended = once(thread, 'message')
  thread.postMessage(operations * all.length, [])
  await ended
}
