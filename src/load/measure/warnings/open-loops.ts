import { type WarningFigure } from '../../../results/schema/warnings.ts'
import { lateFromMs } from '../open-loop-record.ts'
import { figure, type Measured, type WarningRule, type Wording, wording } from './warning.ts'

/** Share of the planned time by which answers may be late. */
const maxBehind = 0.01
/** The answers to the last calls may take so long before it means that the server fell behind. */
const graceSeconds = 1

const rate = (perSecond: number): WarningFigure => figure(perSecond, 'ops/s', perSecond < 10 ? 1 : 0)

function lateText({ openLoop }: Measured): Wording | undefined {
  const { p99Ms = 0 } = openLoop?.wait ?? {}
  return p99Ms > lateFromMs
    ? wording`Operations were sent late: 1 % of them more than ${figure(p99Ms, 'ms', 1)} after they were due`
    : undefined
}

export const ofOpenLoops: readonly WarningRule[] = [
  {
    code: 'calls-dropped',
    finds: ({ openLoop }) =>
      openLoop !== null && openLoop.dropped > 0
        ? wording`${figure(openLoop.dropped)} of ${figure(openLoop.planned)} operations were never sent: when they were due, ${String(openLoop.maxInFlight)} others were still in flight`
        : undefined,
    advice:
      'Response times cover only the operations that were sent, so they are better than what users would have seen. If the server paused, raise "maxInFlight"; if it cannot sustain the rate, lower the rate.',
  },
  {
    code: 'below-target',
    finds({ openLoop, wallSeconds }) {
      if (openLoop === null) return undefined
      const { sent, seconds } = openLoop
      return wallSeconds - graceSeconds > seconds * (1 + maxBehind)
        ? wording`The server fell behind: ${rate(sent / seconds)} were sent for ${figure(seconds, 's', 1)}, and ${rate(sent / wallSeconds)} were answered`
        : undefined
    },
    advice:
      'Response times grew until the phase ended, so they depend more on its length than on the server. Lower the rate.',
  },
  {
    code: 'calls-late',
    finds: (phase) => (phase.openLoop?.arrivals === 'recorded' ? undefined : lateText(phase)),
    advice:
      'This client caused that wait, not the server. Response times include it; service times do not. Lower the rate, or use an idle or faster client machine.',
  },
  {
    code: 'replay-late',
    finds: (phase) => (phase.openLoop?.arrivals === 'recorded' ? lateText(phase) : undefined),
    advice:
      'Operations that waited for an earlier one on their connection were held up by the server, the others by this client. Response times include it; service times do not. Use an idle client machine or a lower speed.',
  },
]
