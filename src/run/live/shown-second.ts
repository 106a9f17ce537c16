import { type LiveLatency, type LiveSecond } from './live-events.ts'

/** The end of a pass may be too short for a rate. */
const minLengthSeconds = 0.5

export const isLongEnough = ({ lengthSeconds }: LiveSecond): boolean => lengthSeconds >= minLengthSeconds

/** The times of a second, as users have them: in an open loop from the planned start, so that waiting is in them. */
export function getDisplayedTimes({ latency, openLoop }: LiveSecond): {
  readonly name: 'latency' | 'response'
  readonly times: LiveLatency | null
} {
  return openLoop === null
    ? { name: 'latency', times: latency }
    : { name: 'response', times: openLoop.response ?? latency }
}
