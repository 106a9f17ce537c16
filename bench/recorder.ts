import { noArguments } from '../src/load/engines/intent.ts'
import { PhaseRecorder } from '../src/load/measure/phase-part.ts'
import { PhaseTotal } from '../src/load/measure/phase-total.ts'
import { type Bench } from './benchmark.ts'
import { heldMB } from './collect.ts'
import { compileSpec, findByKey } from './compiled.ts'
import { okOutcome } from './instant-engine.ts'

const samples = 10_000_000
const perSecond = 100_000

const call = { operation: 0, args: noArguments, bytes: 0, documents: 1, number: 0 }

/** Measures what a sample costs, parts that are taken and merged once a second included, and checks that memory does not grow with their number. */
export const recorder: Bench = async ({ print }) => {
  const { phase } = compileSpec(findByKey(1000, { kind: 'closed', workers: 1 }))
  const total = new PhaseTotal(phase)
  const recording = new PhaseRecorder(phase, 0)
  recordSamples(recording, total, 0, samples / 10)
  const before = heldMB()
  const start = process.cpuUsage()
  recordSamples(recording, total, samples / 10, samples)
  const { user, system } = process.cpuUsage(start)
  const after = heldMB()
  const nsPerSample = ((user + system) * 1000) / (samples * 0.9)
  const [result] = total.operations()
  print(
    `${result?.ok} samples in ${result?.perSecond.ok.length} seconds: ${nsPerSample.toFixed(0)} ns of CPU per sample`,
  )
  print(`memory after ${samples / 10} samples ${before.toFixed(1)} MB, after ${samples} samples ${after.toFixed(1)} MB`)
}

/** Latencies of 0.1 to about 100 ms, without a random number per sample. */
function recordSamples(to: PhaseRecorder, total: PhaseTotal, from: number, until: number): void {
  for (let sample = from; sample < until; sample += 1) {
    const endMs = (sample / perSecond) * 1000
    to.record(call, endMs - 0.1 - ((sample * 7919) % 100_000) / 1000, endMs, okOutcome)
    if ((sample + 1) % perSecond !== 0) continue
    total.add(to.take())
    total.closeBefore(Math.floor(endMs / 1000))
  }
}
