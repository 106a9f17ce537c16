import { placeKey, Stream } from '../../src/core/random.ts'
import { emptyReply } from '../../src/load/engines/engine.ts'
import { type UnitPart } from '../../src/load/load-unit.ts'
import { PhaseRecorder } from '../../src/load/measure/phase-part.ts'
import { shortestBinMs } from '../../src/load/measure/throughput-record.ts'
import { type SpecInput } from '../../src/spec/spec-input.ts'
import { type Compiled } from '../compiled.ts'

/** Load that an agent measures in a second. */
export type Mix = {
  readonly operations: number
  /** Calls of all operations together. */
  readonly callsPerSecond: number
  /** Standard deviation of the logarithm of a latency: with 1, the slowest of a thousand calls takes about 20 times the median. */
  readonly spread: number
}

/** Mix that an agent measures of an application with some kinds of operations. */
export const usualMix: Mix = { operations: 5, callsPerSecond: 5000, spread: 1 }

const operationNames = (operations: number): readonly string[] =>
  Array.from({ length: operations }, (_, i) => `find${i}`)

/** The spec whose calls the parts are of. */
export const createSpec = ({ operations }: Pick<Mix, 'operations'>, workers: number, seconds: number): SpecInput => ({
  name: 'agents',
  target: { kind: 'existing' },
  data: { collection: 'documents', existing: 'stub.documents' },
  phases: [
    {
      name: 'mix',
      load: { kind: 'closed', workers },
      stopAfter: { seconds },
      operations: operationNames(operations).map((name) => ({ name, kind: 'findOne', filter: { _id: 1 } })),
    },
  ],
})

const msPerSecond = 1000
const medianMs = 1

/** The part of the first second of a window, recorded as a unit does. */
export function createPart({ phase }: Compiled, { operations, callsPerSecond, spread }: Mix, seed: number): UnitPart {
  const recorder = new PhaseRecorder(phase, 0)
  const stream = new Stream(placeKey(seed, 'latencies')).at(0)
  for (let number = 0; number < callsPerSecond; number++) {
    const operation = number % operations
    const normal = Math.sqrt(-2 * Math.log(1 - stream.float())) * Math.cos(2 * Math.PI * stream.float())
    // Operations differ, as reads by key and aggregations do: the slowest takes four times as long as the quickest.
    const latencyMs = medianMs * 4 ** (operation / operations) * Math.exp(spread * normal)
    const endMs = (number / callsPerSecond) * msPerSecond
    const call = { operation, number, documents: 1, bytes: 0 } as Parameters<typeof recorder.record>[0]
    recorder.record(call, endMs - latencyMs, endMs, { kind: 'ok', reply: { ...emptyReply, documents: 1, bytes: 1024 } })
  }
  return { recorded: recorder.take(), evidence: [], completeBefore: 1, inFlight: 32, isLast: false }
}

/** The same part, of a later second. @param second From 0. */
export const atSecond = ({ recorded, ...part }: UnitPart, second: number): UnitPart => ({
  ...part,
  completeBefore: second + 1,
  recorded: {
    ...recorded,
    seconds: second + 1,
    operations: recorded.operations.map((operation) => ({
      ...operation,
      seconds: operation.seconds.map((row) => ({ ...row, second })),
    })),
    throughput: new Map(
      [...recorded.throughput].map(([bin, credit]) => [bin + (second * msPerSecond) / shortestBinMs, credit]),
    ),
  },
})
