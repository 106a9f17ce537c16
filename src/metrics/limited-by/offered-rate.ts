import { numberText } from '../format.ts'
import { type LimitRule } from './rule.ts'

/** Calls may be missing at the end of the window. */
const minSent = 0.99
/** The last replies may come so long after the last call, as in the warning "below-target". */
const graceSeconds = 1

/** An open loop whose server kept up: more calls would have given more throughput. */
export const offeredRate: LimitRule = {
  name: 'offered rate',
  finds({ phase: { openLoop, wallSeconds } }) {
    if (openLoop === null || openLoop.planned === 0) return null
    const { sent, planned, seconds, ratePerSecond } = openLoop
    const share = sent / planned
    const fellBehind = wallSeconds > seconds * (1 + (1 - minSent)) + graceSeconds
    if (share < minSent || fellBehind) return null
    return { share, text: `${numberText(sent / seconds, 0)} of ${numberText(ratePerSecond, 0)} calls/s` }
  },
}
