import { maxGapMs } from '../../servers/resources/history.ts'
import { type Sample } from '../../servers/resources/sample.ts'
import { type LiveServer } from './live-events.ts'

/** Over a shorter time the clock of the CPU is too coarse. */
const minBetweenSamplesMs = 500
/** A server that has not answered for longer is not shown as it was before. */
const staleMs = 3000

type Known = {
  /** The sample from which the next CPU time is counted. */
  readonly from: Sample
  readonly newest: Sample
  readonly cpuPercent: number | null
  readonly receivedMs: number
}

/** What the servers are doing, by their newest samples. */
export class ServerLoads {
  readonly #members = new Map<string, Known>()

  add(member: string, sample: Sample, nowMs: number): void {
    const known = this.#members.get(member)
    const sinceMs = known === undefined ? Infinity : sample.atMs - known.from.atMs
    const isTooSoon = sinceMs < minBetweenSamplesMs
    this.#members.set(member, {
      from: known !== undefined && isTooSoon ? known.from : sample,
      newest: sample,
      cpuPercent: known !== undefined && isTooSoon ? known.cpuPercent : cpuBetween(known?.from, sample),
      receivedMs: nowMs,
    })
  }

  /** Those of the row before are not those of the next. */
  clear(): void {
    this.#members.clear()
  }

  at(nowMs: number): readonly LiveServer[] {
    return [...this.#members].map(([member, { newest, cpuPercent, receivedMs }]) => {
      const isFresh = nowMs - receivedMs <= staleMs
      const { cacheBytes, cacheMaxBytes, cacheDirtyBytes } = isFresh ? newest.values : {}
      return {
        member,
        role: isFresh ? newest.role : 'other',
        cpuPercent: isFresh ? cpuPercent : null,
        cacheBytes: cacheBytes ?? null,
        cacheMaxBytes: cacheMaxBytes ?? null,
        cacheDirtyBytes: cacheDirtyBytes ?? null,
      }
    })
  }
}

function cpuBetween(from: Sample | undefined, to: Sample): number | null {
  const before = from?.values.processCpuUs
  const after = to.values.processCpuUs
  if (from === undefined || before === undefined || after === undefined) return null
  const sinceMs = to.atMs - from.atMs
  if (from.pid !== to.pid || after < before || sinceMs > 2 * maxGapMs) return null
  return Math.round((after - before) / sinceMs) / 10
}
