import { lateFromMs } from '../open-loop-record.ts'
import { type WarningRule } from './warning.ts'

/** Share of the planned time by which answers may be late. */
const maxBehind = 0.01
/** The answers to the last calls may take so long before it means that the server fell behind. */
const graceSeconds = 1

const rate = (perSecond: number): string => perSecond.toFixed(perSecond < 10 ? 1 : 0)

/** Warnings about open loops. */
export const ofOpenLoops: readonly WarningRule[] = [
  {
    code: 'calls-dropped',
    finds: ({ openLoop }) =>
      openLoop !== null && openLoop.dropped > 0
        ? `${openLoop.dropped} of ${openLoop.planned} calls were never sent: when they were due, ${openLoop.maxInFlight} others still waited for their answers`
        : undefined,
    advice:
      'Response times cover only the calls that were sent, so they are better than what users would have seen. If the server paused, raise "maxInFlight"; if it cannot sustain the rate, lower the rate.',
  },
  {
    code: 'below-target',
    finds({ openLoop, wallSeconds }) {
      if (openLoop === null) return undefined
      const { sent, seconds } = openLoop
      return wallSeconds - graceSeconds > seconds * (1 + maxBehind)
        ? `The server fell behind: ${rate(sent / seconds)} calls/s were sent for ${seconds.toFixed(1)} s, and ${rate(sent / wallSeconds)} calls/s were answered`
        : undefined
    },
    advice:
      'Response times grew until the phase ended, so they depend more on its length than on the server. Lower the rate.',
  },
  {
    code: 'calls-late',
    finds({ openLoop }) {
      const { p99Ms = 0 } = openLoop?.wait ?? {}
      return p99Ms > lateFromMs
        ? `Calls were sent late: 1 % of them more than ${p99Ms.toFixed(1)} ms after they were due`
        : undefined
    },
    advice:
      'This client caused that wait, not the server. Response times include it; service times do not. Lower the rate, or use an idle or faster client machine.',
  },
]
