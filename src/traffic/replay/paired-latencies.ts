import { samplesNeeded } from '../../metrics/latency.ts'
import { sum } from '../../metrics/statistics.ts'
import { minRounds } from '../../statistics/estimate.ts'
import { criticalValueOfT } from '../../statistics/student-t.ts'

/** Parts of a replay with equal numbers of calls, which differ as its machines and servers do over time. */
const sections = 20
/** Neighbours are alike where a state of the machine lasts longer than a section: more ratios of less would make intervals too narrow. */
const maxRatios = 12
/** Shapes come the most frequent first. The cells of each take up to 300 KB. */
const maxShapes = 100
const binsPerDoubling = 64
/** Up to two hours. */
const binCount = binsPerDoubling * 33

/** Recorded and replayed latencies of a cell: counts by their size on a logarithmic scale, each bin 1.1 % wide. */
type Cell = { readonly recorded: Uint32Array; readonly replayed: Uint32Array }

type Interval = { readonly low: number; readonly high: number }

/** Latencies of calls that succeeded, as recorded and as replayed, by their shapes and by the section of the recording that they are in. */
export class PairedLatencies {
  /** By shape, and by section in it. */
  readonly #cells: (Cell | undefined)[] = []

  /** Adds a call. @param position Its place among all calls of the replay: 0 or more, below 1. */
  add(shape: number, position: number, recordedUs: number, replayedUs: number): void {
    if (shape >= maxShapes) return
    const { recorded, replayed } = this.#cell(shape * sections + Math.floor(position * sections))
    count(recorded, recordedUs)
    count(replayed, replayedUs)
  }

  /** Takes all counts out, to be added to others: for each that is not zero its place and itself. */
  take(): readonly number[] {
    const taken: number[] = []
    for (const [at, cell] of this.#cells.entries()) {
      if (cell === undefined) continue
      for (const [side, bins] of [cell.recorded, cell.replayed].entries())
        for (const [bin, calls] of bins.entries()) if (calls > 0) taken.push((at * 2 + side) * binCount + bin, calls)
    }
    this.#cells.length = 0
    return taken
  }

  /** Adds counts that were taken out of others. */
  addTaken(taken: readonly number[]): void {
    for (let i = 0; i < taken.length; i += 2) {
      const [place = 0, calls = 0] = [taken[i], taken[i + 1]]
      const of = Math.floor(place / binCount)
      const { recorded, replayed } = this.#cell(of >> 1)
      const bins = of % 2 === 0 ? recorded : replayed
      bins[place % binCount] = (bins[place % binCount] ?? 0) + calls
    }
  }

  /**
   * The interval of 95 % around the ratio of a percentile, replayed by recorded, of the calls of some shapes together: from how far the ratios of sections
   * lie from it, of which neighbours are put together until each has enough calls. So what varies during the replay is in it, and what varies from one start
   * of a server to the next is not.
   *
   * The method is sectioning, with Student's t (S. Asmussen and P. W. Glynn, "Stochastic Simulation", 2007, section III.5): other than the mean of sections,
   * the ratio of all has next to no bias, and it is the one that the two percentiles show.
   * @param percent Above 0, below 100.
   * @param ratio That of all calls. Above 0.
   * @returns Null for fewer calls than six sections need.
   */
  interval(shapes: readonly number[], percent: number, ratio: number): Interval | null {
    const logs = this.#ratios(shapes, percent).map(Math.log)
    const { length } = logs
    if (length < minRounds) return null
    const squares = sum(logs.map((log) => (log - Math.log(ratio)) ** 2))
    const halfWidth = criticalValueOfT(0.05, length - 1) * Math.sqrt(squares / (length * (length - 1)))
    return { low: ratio * Math.exp(-halfWidth), high: ratio * Math.exp(halfWidth) }
  }

  #ratios(shapes: readonly number[], percent: number): readonly number[] {
    const parts = Array.from({ length: sections }, (_, section) => this.#merge(shapes, section))
    const needed = Math.max(samplesNeeded(percent / 100), sum(parts.map(({ calls }) => calls)) / maxRatios)
    const ratios: number[] = []
    let [cell, calls] = [createCell(), 0]
    for (const part of parts) {
      addUp(cell.recorded, part.recorded)
      addUp(cell.replayed, part.replayed)
      calls += part.calls
      if (calls < needed) continue
      ratios.push(percentile(cell.replayed, calls, percent) / percentile(cell.recorded, calls, percent))
      cell = createCell()
      calls = 0
    }
    return ratios
  }

  #merge(shapes: readonly number[], section: number): Cell & { readonly calls: number } {
    const merged = createCell()
    for (const shape of shapes) {
      const cell = this.#cells[shape * sections + section]
      if (cell === undefined) continue
      addUp(merged.recorded, cell.recorded)
      addUp(merged.replayed, cell.replayed)
    }
    return { ...merged, calls: sum([...merged.replayed]) }
  }

  #cell(at: number): Cell {
    return (this.#cells[at] ??= createCell())
  }
}

const createCell = (): Cell => ({ recorded: new Uint32Array(binCount), replayed: new Uint32Array(binCount) })

function count(bins: Uint32Array, us: number): void {
  const bin = Math.min(binCount - 1, Math.floor(binsPerDoubling * Math.log2(Math.max(1, us))))
  bins[bin] = (bins[bin] as number) + 1
}

function addUp(sums: Uint32Array, bins: Uint32Array): void {
  for (let bin = 0; bin < binCount; bin++) sums[bin] = (sums[bin] as number) + (bins[bin] as number)
}

/** A percentile in microseconds: as far into its bin as its rank is. */
function percentile(bins: Uint32Array, calls: number, percent: number): number {
  const rank = (percent / 100) * calls
  let below = 0
  for (let bin = 0; bin < binCount; bin++) {
    const of = bins[bin] as number
    if (of > 0 && below + of >= rank) return 2 ** ((bin + (rank - below) / of) / binsPerDoubling)
    below += of
  }
  return 2 ** (binCount / binsPerDoubling)
}
