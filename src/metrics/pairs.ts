import { type PhaseResult } from '../results/schema.ts'
import { type WindowResult } from '../results/schema/windows.ts'
import { type Round } from '../statistics/estimate.ts'
import { sum } from './statistics.ts'

/** Reads a figure of a window. Null: not enough succeeded. */
type PairFigure = (window: WindowResult) => number | null

/** Calls of a window below which the slowest of them would be its 99th percentile. */
const minForP99 = 100

/** Figures that are compared with and without a load. Latency is that of responses in an open loop. */
export const pairFigures = {
  opsPerSecond: { title: 'Throughput (ops/s)', better: 'higher', digits: 0, read: ({ opsPerSecond }) => opsPerSecond },
  p50Ms: { title: 'p50 (ms)', better: 'lower', digits: 2, read: ({ latency }) => latency?.p50Ms ?? null },
  p99Ms: {
    title: 'p99 (ms)',
    better: 'lower',
    digits: 2,
    read: ({ latency }) => (latency !== null && latency.count >= minForP99 ? latency.p99Ms : null),
  },
} as const satisfies Readonly<
  Record<string, { title: string; better: 'higher' | 'lower'; digits: number; read: PairFigure }>
>

/**
 * The rounds of a load while another one is on and off in turn: a figure without it and with it, in the two windows of each pair. Pairs without one
 * of them are left out.
 */
export function pairWindows(
  { windows }: Pick<PhaseResult, 'windows'>,
  figure: PairFigure,
): readonly (Round & { readonly pair: number })[] {
  const having = windows.filter(({ purpose }) => purpose === 'with')
  return windows.flatMap((without) => {
    const on = without.purpose === 'without' ? having.find(({ at }) => at === without.at) : undefined
    const [a, b] = [figure(without) ?? 0, on === undefined ? 0 : (figure(on) ?? 0)]
    return a > 0 && b > 0 ? [{ pair: without.at, a, b }] : []
  })
}

/** The mean ratio of all pairs: with the other load to without it. Null: there are none. */
export function meanRatio(phase: Pick<PhaseResult, 'windows'>, figure: PairFigure): number | null {
  const rounds = pairWindows(phase, figure)
  return rounds.length === 0 ? null : Math.exp(sum(rounds.map(({ a, b }) => Math.log(b / a))) / rounds.length)
}
