import { type OperationResult } from '../results/schema/calls.ts'

/** Single timings of successful calls, up to a number of them. */
export class KeptSamples {
  readonly #most: number
  readonly #numbers: number[] = []
  readonly #ms: number[] = []
  #dropped = 0

  constructor(most: number) {
    this.#most = most
  }

  add(number: number, us: number): void {
    if (this.#ms.length >= this.#most) {
      this.#dropped += 1
      return
    }
    this.#numbers.push(number)
    this.#ms.push(us / 1000)
  }

  /** In the order in which the calls were made, not in that in which they ended. */
  result(): NonNullable<OperationResult['samples']> {
    const order = this.#numbers.map((_, i) => i).toSorted((a, b) => (this.#numbers[a] ?? 0) - (this.#numbers[b] ?? 0))
    return {
      numbers: order.map((i) => this.#numbers[i] ?? 0),
      ms: order.map((i) => this.#ms[i] ?? 0),
      dropped: this.#dropped,
    }
  }
}
