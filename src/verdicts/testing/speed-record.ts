import { median } from '../../metrics/statistics.ts'

/** The machine speeds that were measured so far, in runs of the kernel per second. */
export class SpeedRecord {
  readonly #speeds: number[] = []

  add(...speeds: readonly number[]): void {
    this.#speeds.push(...speeds)
  }

  /** How far a speed lies below the median of all, in percent; negative: above. 0 where one of the two is not known. */
  slowerPercent(speed: number | null): number {
    const ofAll = median(this.#speeds)
    return speed === null || ofAll === null ? 0 : (1 - speed / ofAll) * 100
  }
}
