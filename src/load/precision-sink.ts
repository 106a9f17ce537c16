import { computeBatches, computePrecisionPercent } from './measure/batch-means.ts'
import { ThroughputTotal } from './measure/throughput-total.ts'
import { type PartSink } from './part-sink.ts'

/** Seconds of the window before the first look: shorter ones do not know of swings that take a second. */
export const secondsBeforeLooks = 5
/** So many looks in a row, a second apart, have to find the mean precise enough. */
export const looksInARow = 3

/**
 * Ends a phase once the 95 % interval of mean throughput is narrow enough. Who looks every second and stops at the first good figure stops
 * too often by luck. Of 500 simulated phases to ±5 %, whose throughput varies by 10 % and is alike over 0.1, 0.3 and 1 s, the interval at the
 * end covers the true mean in 88, 76 and 55 % with an end at the first good look, and in 93, 93 and 83 % with three in a row after five
 * seconds (`test/load/precision-sink.test.ts` simulates the latter). What is alike over longer than that is covered less: a short window
 * cannot know of it.
 * @param percent Half the width of the interval, in percent of the mean.
 * @param onPrecise Called once.
 */
export function precisionSink(percent: number, onPrecise: () => void): PartSink {
  const total = new ThroughputTotal()
  let lookedAt = secondsBeforeLooks - 1
  let precise = 0

  const isPrecise = (seconds: number): boolean => {
    const reached = computePrecisionPercent(computeBatches(total.series(seconds * 1000)))
    return reached !== null && reached <= percent
  }

  return (part, { pass, completeBefore }) => {
    if (pass !== 'measured') return
    total.add(part)
    if (completeBefore <= lookedAt || precise === looksInARow) return
    lookedAt = completeBefore
    precise = isPrecise(completeBefore) ? precise + 1 : 0
    if (precise === looksInARow) onPrecise()
  }
}
