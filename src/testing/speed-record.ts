import { median } from '../report/statistics.ts'

/** The machine speeds that were measured so far, in runs of the kernel per second. */
export class SpeedRecord {
  readonly #speeds: number[] = []

  add(...speeds: readonly number[]): void {
    this.#speeds.push(...speeds)
  }

  /** How far the median of some of them lies below that of all, in percent; negative: above. 0 where nothing is known. */
  slowerPercent(speeds: readonly number[]): number {
    const [middle, ofAll] = [median(speeds), median(this.#speeds)]
    return middle === null || ofAll === null ? 0 : (1 - middle / ofAll) * 100
  }
}
