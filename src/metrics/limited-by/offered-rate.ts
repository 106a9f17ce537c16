import { type PhaseResult } from '../../results/schema.ts'
import { type OpenLoopResult } from '../../results/schema/open-loop.ts'
import { numberText } from '../format.ts'
import { sum } from '../statistics.ts'
import { inPercent, type LimitFinding, type LimitRule } from './rule.ts'

/** Calls may be missing at the end of the window. */
const minSent = 0.99
/** The last replies may come so long after the last call, as in the warning "below-target". */
const graceSeconds = 1

/** A load whose server kept up with its rate: more calls would have given more throughput. */
export const offeredRate: LimitRule = {
  name: 'offered rate',
  remedy: 'offer a higher rate',
  // A search raises what it offers until something else limits it, or offers the same in each step.
  finds: ({ phase }) =>
    phase.load.startsWith('find')
      ? null
      : phase.openLoop === null
        ? (findThrottle(phase) ?? findPauses(phase))
        : findPlan(phase.openLoop, phase),
}

/** @returns Null: the server did not keep up with the plan. */
export function findPlan(
  { sent, planned, seconds, ratePerSecond }: OpenLoopResult,
  { wallSeconds }: PhaseResult,
): LimitFinding | null {
  const share = sent / planned
  const fellBehind = wallSeconds > seconds * (1 + (1 - minSent)) + graceSeconds
  if (planned === 0 || share < minSent || fellBehind) return null
  return { share, text: rateText(sent / seconds, ratePerSecond) }
}

function findThrottle({ maxRatePerSecond, operations, wallSeconds }: PhaseResult): LimitFinding | null {
  if (maxRatePerSecond === null) return null
  const sent = sum(operations.map(({ ok, failed, unknown }) => ok + failed + unknown))
  const share = sent / (wallSeconds * maxRatePerSecond)
  return share < minSent ? null : { share: Math.min(1, share), text: rateText(sent / wallSeconds, maxRatePerSecond) }
}

/** Workers that pause for most of the time: more of them would have called more often. */
function findPauses({ pauses, operations, workers, wallSeconds }: PhaseResult): LimitFinding | null {
  const waitedMs = operations.map(({ latency: { ok } }) => (ok === null ? 0 : ok.meanMs * ok.count))
  const share = 1 - sum(waitedMs) / 1000 / (wallSeconds * workers)
  return pauses && share > 0.5 ? { share, text: `workers paused ${inPercent(share)} of the time` } : null
}

const rateText = (rate: number, offered: number): string =>
  `${[rate, offered].map((one) => numberText(one, 0)).join(' of ')} ops/s`
