import { type PhaseResult } from '../results/schema.ts'
import { type Stretch } from '../results/schema/peak.ts'
import { type Round } from '../statistics/estimate.ts'
import { sum } from './statistics.ts'

/** Reads a figure of a stretch. Null: not enough succeeded. */
type StretchFigure = (stretch: Stretch) => number | null

/** Calls of a stretch below which the slowest of them would be its 99th percentile. */
const minForP99 = 100

/** Figures that are compared with and without a load. Latency is that of responses in an open loop. */
export const stretchFigures = {
  opsPerSecond: { title: 'Throughput (ops/s)', better: 'higher', digits: 0, read: ({ opsPerSecond }) => opsPerSecond },
  p50Ms: { title: 'p50 (ms)', better: 'lower', digits: 2, read: ({ latency }) => latency?.p50Ms ?? null },
  p99Ms: {
    title: 'p99 (ms)',
    better: 'lower',
    digits: 2,
    read: ({ latency }) => (latency !== null && latency.count >= minForP99 ? latency.p99Ms : null),
  },
} as const satisfies Readonly<
  Record<string, { title: string; better: 'higher' | 'lower'; digits: number; read: StretchFigure }>
>

/**
 * The rounds of a load beside one that is on and off in turn: a figure without it and with it, in the two stretches of each pair. Pairs without one
 * of them are left out.
 */
export function pairStretches(
  { stretches }: Pick<PhaseResult, 'stretches'>,
  figure: StretchFigure,
): readonly (Round & { readonly pair: number })[] {
  return stretches.flatMap((off) => {
    const on = off.on ? undefined : stretches.find(({ pair, on: isOn }) => isOn && pair === off.pair)
    const [a, b] = [figure(off) ?? 0, on === undefined ? 0 : (figure(on) ?? 0)]
    return a > 0 && b > 0 ? [{ pair: off.pair, a, b }] : []
  })
}

/** The mean ratio of all pairs: with the other load to without it. Null: there are none. */
export function meanRatio(phase: Pick<PhaseResult, 'stretches'>, figure: StretchFigure): number | null {
  const rounds = pairStretches(phase, figure)
  return rounds.length === 0 ? null : Math.exp(sum(rounds.map(({ a, b }) => Math.log(b / a))) / rounds.length)
}
