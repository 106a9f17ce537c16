import { type Dice } from '../../../bench/simulated.ts'
import { noArguments } from '../../../src/load/engines/intent.ts'
import { noPart, type PhasePart, PhaseRecorder } from '../../../src/load/measure/phase-part.ts'
import { ThroughputTotal, type ThroughputSeries } from '../../../src/load/measure/throughput-total.ts'
import { fakePhase, okOutcome } from '../../fakes/fake-calls.ts'

const outcome = okOutcome()
const binsPerSecond = 10

/** A closed loop. Its calls take a random time, as drawn. */
export type Load = {
  readonly workers: number
  readonly documents: number
  readonly latencyMs: () => number
}

/** The parts of a closed loop, one a second, and one at the end for the calls that were under way. */
export function partsOf({ workers, documents, latencyMs }: Load, seconds: number): readonly PhasePart[] {
  const recorder = new PhaseRecorder(fakePhase(), 0)
  const call = { operation: 0, args: noArguments, bytes: 0, documents, number: 0 }
  const under = Array.from({ length: workers }, () => ({ startMs: 0, endMs: latencyMs() }))
  const parts: PhasePart[] = []
  for (;;) {
    const worker = under.reduce((first, other) => (other.endMs < first.endMs ? other : first))
    while (parts.length < seconds && worker.endMs >= (parts.length + 1) * 1000) parts.push(recorder.take())
    if (worker.startMs === Infinity) return [...parts, recorder.take()]
    recorder.record(call, worker.startMs, worker.endMs, outcome)
    worker.startMs = worker.endMs < seconds * 1000 ? worker.endMs : Infinity
    worker.endMs = worker.startMs + latencyMs()
  }
}

/** What a phase knows of it. */
export function seriesOf(load: Load, seconds: number): ThroughputSeries {
  const total = new ThroughputTotal()
  for (const part of partsOf(load, seconds)) total.add(part)
  return total.series(seconds * 1000)
}

/** Many short calls a second at a pace that changes, 1 on average. */
export const seriesAtPace = (
  callsPerSecond: number,
  seconds: number,
  paceAt: (second: number) => number,
): ThroughputSeries => ({
  binMs: 1000 / binsPerSecond,
  calls: Array.from(
    { length: seconds * binsPerSecond },
    (_, bin) => (callsPerSecond / binsPerSecond) * paceAt(bin / binsPerSecond),
  ),
  documentsPerCall: 1,
  meanLatencyMs: 1,
})

/** The same as the parts of a phase, one a second. */
export function partsAtPace(callsPerSecond: number, seconds: number, paceAt: (second: number) => number): PhasePart[] {
  const { calls } = seriesAtPace(callsPerSecond, seconds, paceAt)
  return Array.from({ length: seconds }, (_, second) => ({
    ...noPart(fakePhase()),
    calls: callsPerSecond,
    documents: callsPerSecond,
    throughput: new Map(
      calls
        .slice(second * binsPerSecond, (second + 1) * binsPerSecond)
        .map((count, i) => [second * binsPerSecond + i, Math.round(count * 1e6)] as const),
    ),
  }))
}

/**
 * Noise of a mean of 1 whose values are alike over a while: an autoregressive series.
 * @param seconds Until the correlation has fallen to 1 / e.
 */
export function autocorrelated(dice: Dice, deviation: number, seconds: number): () => number {
  const phi = Math.exp(-1 / binsPerSecond / seconds)
  let state = dice.normal()
  return () => {
    const value = 1 + deviation * state
    state = phi * state + Math.sqrt(1 - phi ** 2) * dice.normal()
    return value
  }
}

/** Times as between the events of a Poisson process. */
export const exponential =
  (dice: Dice, meanMs: number): (() => number) =>
  () =>
    Math.max(0.01, -Math.log(1 - dice.uniform()) * meanMs)
