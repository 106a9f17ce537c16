import { noArguments } from '../src/engines/intent.ts'
import { PhaseRecorder } from '../src/measure/recorder.ts'
import { type Bench } from './benchmark.ts'

const samples = 10_000_000
const perSecond = 100_000
const megabyte = 1024 * 1024

const operation = {
  name: 'findOne',
  kind: 'findOne',
  on: 'collection',
  database: undefined,
  method: 'findOne',
  collection: 'documents',
  reply: 'document',
  carriesDocuments: false,
} as const
const call = { operation: 0, args: noArguments, bytes: 0, documents: 1, number: 0 }
const ok = {
  kind: 'ok',
  reply: { documents: 1, bytes: 1024, matched: 0, modified: 0, upserted: 0, inserted: 0, deleted: 0, document: null },
} as const

/** What a sample costs, and that memory does not grow with their number. Run with `--expose-gc` for steadier figures. */
export const recorder: Bench = async ({ print }) => {
  const recording = new PhaseRecorder([operation])
  recording.start(0)
  recordSamples(recording, 0, samples / 10)
  const before = memoryMB()
  const startMs = performance.now()
  recordSamples(recording, samples / 10, samples)
  const nsPerSample = ((performance.now() - startMs) * 1e6) / (samples * 0.9)
  const after = memoryMB()
  const [result] = recording.finish()
  print(`${samples} samples in ${result?.perSecond.ok.length} seconds: ${nsPerSample.toFixed(0)} ns per sample`)
  print(`memory after ${samples / 10} samples ${before}, after ${samples} samples ${after}`)
}

/** Latencies of 0.1 to about 100 ms, without a random number per sample. */
function recordSamples(to: PhaseRecorder, from: number, until: number): void {
  for (let sample = from; sample < until; sample += 1) {
    const endMs = (sample / perSecond) * 1000
    to.record(call, endMs - 0.1 - ((sample * 7919) % 100_000) / 1000, endMs, ok)
  }
}

function memoryMB(): string {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return `${((heapUsed + arrayBuffers) / megabyte).toFixed(1)} MB`
}
