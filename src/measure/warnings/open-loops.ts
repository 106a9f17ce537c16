import { lateFromMs } from '../open-loop-record.ts'
import { type Doubt } from './warning.ts'

/** A plan that is not kept by so much is told. */
const mostBehind = 0.01
/** Answers to the last calls of a plan may take so long without any sign that the server fell behind. */
const forgivenSeconds = 1

const rate = (perSecond: number): string => perSecond.toFixed(perSecond < 10 ? 1 : 0)

export const ofOpenLoops: readonly Doubt[] = [
  {
    code: 'calls-dropped',
    finds: ({ openLoop }) =>
      openLoop !== null && openLoop.dropped > 0
        ? `${openLoop.dropped} of ${openLoop.planned} calls were never sent: when they were due, ${openLoop.maxInFlight} others still waited for their answers`
        : undefined,
    advice:
      'Response times are those of the calls that were sent, and look better than what callers would have seen. If the server paused, raise "maxInFlight"; if it cannot hold the rate, lower the rate.',
  },
  {
    code: 'below-target',
    finds({ openLoop, wallSeconds }) {
      if (openLoop === null) return undefined
      const { sent, seconds } = openLoop
      return wallSeconds - forgivenSeconds > seconds * (1 + mostBehind)
        ? `The server fell behind: ${rate(sent / seconds)} calls/s were sent for ${seconds.toFixed(1)} s, and ${rate(sent / wallSeconds)} calls/s were answered`
        : undefined
    },
    advice:
      'Response times grew for as long as it went on, and say more of the length of the phase than of the server. Lower the rate.',
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
      'That wait is of this client, not of the server, and response times hold it; service times do not. Lower the rate, or use an idle or faster client machine.',
  },
]
