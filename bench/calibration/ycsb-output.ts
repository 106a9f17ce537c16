import { type Figures } from './tool.ts'

/** A line of YCSB with `-s`: what it did since the line before. */
type Status = { readonly atMs: number; readonly operations: number; readonly p99Ms: Figures['p99Ms'] }

const statusLine = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d):(\d{3}) \d+ sec: (\d+) operations;(.*)$/gm
const ofKind = /\[([A-Z-]+): Count=[1-9]\d*,.*? 99=(\d+),/g

const parseStatuses = (stderr: string): readonly Status[] =>
  [...stderr.matchAll(statusLine)].map(([, day, time, ms, operations, kinds = '']) => ({
    atMs: new Date(`${day}T${time}.${ms}`).getTime(),
    operations: Number(operations),
    p99Ms: Object.fromEntries([...kinds.matchAll(ofKind)].map(([, kind, us]) => [kind, Number(us) / 1000])),
  }))

/**
 * Figures of the second interval of the status lines: the first is the warm-up, and has an empty line before it.
 * @param stdout The summary, which has the failures of the whole run.
 */
export function ycsbFigures(stdout: string, stderr: string): Figures {
  const [start, warm, end] = parseStatuses(stderr)
  if (!start || !warm || !end) throw new Error(`YCSB ended before its window did:\n${stderr}`)
  return {
    opsPerSecond: throughput(warm, end),
    p99Ms: end.p99Ms,
    failures: failuresIn(stdout),
    window: { fromMs: warm.atMs, toMs: end.atMs },
    warmupOpsPerSecond: throughput(start, warm),
  }
}

const throughput = (from: Status, to: Status): number =>
  ((to.operations - from.operations) * 1000) / (to.atMs - from.atMs)

/** Operations with another status than OK, in a summary of YCSB. */
export const failuresIn = (summary: string): number =>
  [...summary.matchAll(/^\[[A-Z-]+\], Return=(?!OK,)\w+, (\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
