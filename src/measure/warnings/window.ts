import { type Steadiness } from '../../results/schema/warnings.ts'
import { maxDrift, maxSpread } from '../steadiness.ts'
import { figure, type WarningRule, type Measured, percent, wording } from './warning.ts'

const minWindowSeconds = 10

/** The throughput of an open loop is planned, so it is no sign of a steady state. */
const isClosed = ({ load }: Pick<Measured, 'load'>): boolean => load === 'closed'

function howUnsettled({ lastOverFirst, spread }: Steadiness): string {
  if (spread === null || lastOverFirst === null) return 'there were seconds in which nothing succeeded'
  const seconds = `the seconds differ by ${percent(spread)} of the median`
  if (spread > maxSpread) return `${seconds}, more than ${percent(maxSpread)}`
  return `${seconds}, and the last third ran at ${percent(lastOverFirst)} of the first, more than ${percent(maxDrift)} apart`
}

/** Warnings about the length and the steadiness of the window. */
export const ofWindow: readonly WarningRule[] = [
  {
    code: 'short-window',
    finds: ({ wallSeconds }) =>
      wallSeconds < minWindowSeconds
        ? wording`The window was only ${figure(wallSeconds, 's', 1)}, shorter than ${String(minWindowSeconds)} s`
        : undefined,
    advice: 'This is enough to try a spec. To compare rows, give the phase more operations or seconds.',
  },
  {
    code: 'drifting',
    finds: ({ steadiness: { label, lastOverFirst }, ...phase }) =>
      isClosed(phase) && label === 'drifting' && lastOverFirst !== null
        ? `Throughput drifted: the last third ran at ${percent(lastOverFirst)} of the first, more than ${percent(maxDrift)} apart`
        : undefined,
    advice: 'Warm up for longer, or run until throughput is steady: the mean depends on when the phase ended.',
  },
  {
    code: 'unsettled',
    finds: ({ steadiness, ...phase }) =>
      isClosed(phase) && steadiness.label === 'unsettled'
        ? `Throughput went up and down: ${howUnsettled(steadiness)}`
        : undefined,
    advice: 'Run for longer and repeat. Look for checkpoints, other load and small machines.',
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
