import { type OperationResult } from '../results/schema/calls.ts'

/** Single timings of successful calls, by the numbers of the calls. */
export type SamplesPart = {
  readonly numbers: readonly number[]
  readonly ms: readonly number[]
  readonly dropped: number
  /** So many are kept at most. */
  readonly max: number
}

/** Keeps single timings until they are taken, up to a number of them in all. */
export class SampleRecord {
  readonly #max: number
  #kept = 0
  #numbers: number[] = []
  #ms: number[] = []
  #dropped = 0

  constructor(max: number) {
    this.#max = max
  }

  add(number: number, us: number): void {
    if (this.#kept >= this.#max) {
      this.#dropped += 1
      return
    }
    this.#kept += 1
    this.#numbers.push(number)
    this.#ms.push(us / 1000)
  }

  take(): SamplesPart {
    const part = { numbers: this.#numbers, ms: this.#ms, dropped: this.#dropped, max: this.#max }
    this.#numbers = []
    this.#ms = []
    this.#dropped = 0
    return part
  }
}

/** Of too many, those of the calls with the lowest numbers are kept. */
export function mergeSamples(one: SamplesPart, other: SamplesPart): SamplesPart {
  const numbers = [...one.numbers, ...other.numbers]
  const ms = [...one.ms, ...other.ms]
  const order = numbers.map((_, i) => i).toSorted((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0))
  const kept = order.slice(0, one.max)
  return {
    numbers: kept.map((i) => numbers[i] ?? 0),
    ms: kept.map((i) => ms[i] ?? 0),
    dropped: one.dropped + other.dropped + order.length - kept.length,
    max: one.max,
  }
}

/** In the order in which the calls were made, not in that in which they ended. */
export const samplesResult = ({ numbers, ms, dropped }: SamplesPart): NonNullable<OperationResult['samples']> => ({
  numbers: [...numbers],
  ms: [...ms],
  dropped,
})
