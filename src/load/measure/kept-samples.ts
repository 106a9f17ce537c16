import { type OperationResult } from '../../results/schema/calls.ts'

/** Single timings of successful calls, in the order in which the calls were made, not in that in which they ended. */
export type SamplesPart = {
  readonly numbers: readonly number[]
  readonly ms: readonly number[]
  readonly dropped: number
  /** Maximum number of samples to keep. */
  readonly max: number
}

export const noSamples = (max: number): SamplesPart => ({ numbers: [], ms: [], dropped: 0, max })

/**
 * Keeps single timings until they are taken: of the first calls, and a few more. Which calls a part has is for the merge to
 * decide, so that it is the same however the calls were shared out.
 */
export class SampleRecord {
  readonly #max: number
  #kept = 0
  #maxNumber = 0
  #numbers: number[] = []
  #ms: number[] = []
  #dropped = 0

  constructor(max: number) {
    this.#max = max
  }

  add(number: number, us: number): void {
    // A call with a lower number than those that were kept has taken longer than they, and goes before them.
    if (this.#kept >= this.#max && number > this.#maxNumber) {
      this.#dropped += 1
      return
    }
    this.#kept += 1
    if (number > this.#maxNumber) this.#maxNumber = number
    this.#numbers.push(number)
    this.#ms.push(us / 1000)
  }

  take(): SamplesPart {
    const part = { ...inOrder(this.#numbers, this.#ms), dropped: this.#dropped, max: this.#max }
    this.#numbers = []
    this.#ms = []
    this.#dropped = 0
    return part
  }
}

/** Merges parts. Of too many samples, keeps those of the calls with the lowest numbers. Undefined: there is no part. */
export function mergeSamples(parts: readonly SamplesPart[]): SamplesPart | undefined {
  const [first, ...others] = parts.filter(({ numbers }) => numbers.length > 0)
  const { max } = first ?? parts[0] ?? {}
  if (max === undefined) return undefined
  const dropped = parts.reduce((sum, part) => sum + part.dropped, 0)
  // Once there are enough, parts are empty: what is kept need not be copied every second.
  if (first !== undefined && others.length === 0 && first.numbers.length <= max) return { ...first, dropped }
  const filled = [first ?? noSamples(max), ...others]
  const { numbers, ms } = inOrder(
    filled.flatMap((part) => part.numbers),
    filled.flatMap((part) => part.ms),
  )
  return {
    numbers: numbers.slice(0, max),
    ms: ms.slice(0, max),
    dropped: dropped + Math.max(0, numbers.length - max),
    max,
  }
}

/** Equal numbers, of which a phase has none, are ordered by their times. */
function inOrder(numbers: readonly number[], ms: readonly number[]): Pick<SamplesPart, 'numbers' | 'ms'> {
  const order = numbers
    .map((_, i) => i)
    .toSorted((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || (ms[a] ?? 0) - (ms[b] ?? 0))
  return { numbers: order.map((i) => numbers[i] ?? 0), ms: order.map((i) => ms[i] ?? 0) }
}

/** The result of the kept samples; latencies in milliseconds. */
export const samplesResult = ({ numbers, ms, dropped }: SamplesPart): NonNullable<OperationResult['samples']> => ({
  numbers: [...numbers],
  ms: [...ms],
  dropped,
})
