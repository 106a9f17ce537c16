import { findStandstill } from '../../../results/warnings/standstill.ts'
import { isUnderASecond } from '../../../results/warnings/weights.ts'
import { maxDrift, maxSwing } from '../steadiness.ts'
import { figure, type Measured, percent, share, type WarningRule, type Wording, wording } from './warning.ts'

/** Windows of repeated rows need not be longer: what differs between them is in the interval over the runs. */
const minWindowSeconds = 5

/** The throughput of an open loop is planned, so it is no sign of a steady state. */
const isClosed = ({ load }: Pick<Measured, 'load'>): boolean => load === 'closed'

const standstillText = (of: 'client' | 'server', text: string, phase: Measured): Wording | undefined => {
  const { seconds, of: found } = findStandstill(phase) ?? { seconds: 0 }
  return found === of
    ? wording`${text} for ${figure(seconds, 's', 1)} of ${figure(phase.wallSeconds, 's', 1)}`
    : undefined
}

export const ofWindow: readonly WarningRule[] = [
  {
    code: 'client-stood-still',
    finds: (phase) => standstillText('client', 'This client stood still', phase),
    advice:
      'Figures include that time. Run the row again: a computer that sleeps and a paused virtual machine do that.',
  },
  {
    code: 'server-stood-still',
    finds: (phase) => standstillText('server', 'The server, or the network, answered almost nothing', phase),
    advice: 'Figures include that time. Look at the log of the server and at its disk, and run the row again.',
  },
  {
    code: 'short-window',
    finds(phase) {
      const { wallSeconds, endedBecause, operations } = phase
      const isShorter = isUnderASecond(phase)
      // One that ended by precision was as long as it had to be.
      if (!isShorter && (wallSeconds >= minWindowSeconds || endedBecause === 'precision')) return undefined
      const ok = operations.reduce((sum, one) => sum + one.ok, 0)
      return wording`The window was only ${figure(wallSeconds, 's', 1)}, shorter than ${isShorter ? '1' : String(minWindowSeconds)} s, with ${figure(ok)} successful operations`
    },
    advice: 'This is enough to try a spec. To compare rows, give the phase more operations or seconds.',
  },
  {
    code: 'drifting',
    finds: ({ steadiness: { label, lastOverFirst }, ...phase }) =>
      isClosed(phase) && label === 'drifting' && lastOverFirst !== null
        ? wording`Throughput drifted: the last third ran at ${share(lastOverFirst)} of the first, more than ${percent(maxDrift)} apart`
        : undefined,
    advice:
      'The mean depends on when the phase ended. Growing data, a cache that fills and a machine that changes its speed do that: compare with "machineSpeedPercent" and with other runs of the row.',
  },
  {
    code: 'unsettled',
    finds: ({ steadiness: { label, precisionPercent }, ...phase }) =>
      isClosed(phase) && label === 'unsettled' && precisionPercent !== null
        ? wording`Throughput went up and down slowly, by more than ${percent(maxSwing)}: its mean is known to ±${figure(Math.ceil(precisionPercent), '%')}`
        : undefined,
    advice:
      'Another run may spend less or more time in slow periods: repeat the row. Checkpoints, other programs and a machine that changes its speed cause them.',
  },
  {
    code: 'checkpoint',
    finds: ({ steadiness: { checkpoints } }) =>
      checkpoints === 1
        ? 'One checkpoint fell into the window; another run of this length may have none or two'
        : undefined,
    advice: 'Measure for two minutes or more, so that every run has the same share of checkpoints.',
  },
]
