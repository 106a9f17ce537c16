/** One question to another clock: when it was asked and answered by ours, and what the other showed. Milliseconds. */
export type ClockReading = {
  readonly askedMs: number
  readonly answeredMs: number
  /** Time on the other process's own clock. */
  readonly shownMs: number
  /** Time on the other machine's wall clock, less our wall clock when the answer came. */
  readonly wallAheadMs: number
}

/** Offset of another process's clock. */
export type ClockOffset = {
  /** Time on the other process's clock when ours shows 0. */
  readonly originMs: number
  /** The true value lies within so much of it; that of the wall clocks, which show whole milliseconds, within 1 ms more. */
  readonly errorMs: number
  readonly wallAheadMs: number
  readonly roundTripMs: number
}

/**
 * Estimates where another clock stands. The answer was given at some moment of the round trip: of all readings the one with the
 * shortest counts, and half of it is the error.
 * @throws {RangeError} without a reading.
 */
export function clockOffset(readings: readonly ClockReading[]): ClockOffset {
  const [closest] = readings.toSorted((one, other) => roundTrip(one) - roundTrip(other))
  if (closest === undefined) throw new RangeError('Without a reading nothing is known of the clock')
  const roundTripMs = roundTrip(closest)
  const errorMs = roundTripMs / 2
  return {
    originMs: closest.shownMs - (closest.askedMs + errorMs),
    errorMs,
    wallAheadMs: closest.wallAheadMs + errorMs,
    roundTripMs,
  }
}

/** An offset that was measured again later: its error covers all moments between the two, if the clocks drift evenly. */
export const withDrift = (before: ClockOffset, after: ClockOffset): ClockOffset => ({
  ...before,
  errorMs: Math.max(before.errorMs, Math.abs(after.originMs - before.originMs) + after.errorMs),
})

const roundTrip = ({ askedMs, answeredMs }: ClockReading): number => answeredMs - askedMs
