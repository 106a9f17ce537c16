import { type Steadiness } from '../../results/schema/warnings.ts'
import { mostDrift, mostSpread } from '../steadiness.ts'
import { type Doubt, type Measured, percent } from './warning.ts'

const shortestWindowSeconds = 10

/** An open loop goes as fast as its plan says. */
const isClosed = ({ load }: Pick<Measured, 'load'>): boolean => load === 'closed'

function howUnsettled({ lastOverFirst, spread }: Steadiness): string {
  if (spread === null || lastOverFirst === null) return 'there were seconds in which nothing succeeded'
  const seconds = `the seconds differ by ${percent(spread)} of the median`
  if (spread > mostSpread) return `${seconds}, more than ${percent(mostSpread)}`
  return `${seconds}, and the last third ran at ${percent(lastOverFirst)} of the first, more than ${percent(mostDrift)} apart`
}

export const ofWindow: readonly Doubt[] = [
  {
    code: 'short-window',
    finds: ({ wallSeconds }) =>
      wallSeconds < shortestWindowSeconds
        ? `The window was only ${wallSeconds.toFixed(1)} s, shorter than ${shortestWindowSeconds} s`
        : undefined,
    advice: 'Use it to see that the spec works. To compare, give the phase more operations or seconds.',
  },
  {
    code: 'drifting',
    finds: ({ steadiness: { label, lastOverFirst }, ...phase }) =>
      isClosed(phase) && label === 'drifting' && lastOverFirst !== null
        ? `Throughput drifted: the last third ran at ${percent(lastOverFirst)} of the first, more than ${percent(mostDrift)} apart`
        : undefined,
    advice: 'Warm up for longer, or run until the pace holds; the mean depends on where the phase happened to end.',
  },
  {
    code: 'unsettled',
    finds: ({ steadiness, ...phase }) =>
      isClosed(phase) && steadiness.label === 'unsettled'
        ? `Throughput went up and down: ${howUnsettled(steadiness)}`
        : undefined,
    advice: 'Run for longer and repeat; look for checkpoints, other load and small machines.',
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
