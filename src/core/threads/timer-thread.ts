// Runs as a thread of its own; see fine-timer.ts.
import { workerData } from 'node:worker_threads'
import { type TimerMemory } from './fine-timer.ts'

const { turns, ms } = workerData as TimerMemory

for (let turn = 0; ;) {
  Atomics.wait(turns, 0, turn)
  turn = Atomics.load(turns, 0)
  Atomics.wait(turns, 0, turn, ms[0])
  Atomics.store(turns, 1, turn)
  Atomics.notify(turns, 1)
}
