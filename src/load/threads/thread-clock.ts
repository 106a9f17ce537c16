import { type Clock, systemClock } from '../../core/clock.ts'

/** Milliseconds of the process's own clock, which is the same in all of its threads. */
export type ReadProcessMs = () => number

/** The process's own clock. */
export const processMs: ReadProcessMs = () => Number(process.hrtime.bigint()) / 1e6

/** Number of readings of two clocks, of which the pair counts that lies closest together. */
const readings = 50

/** The time of the process when a clock shows 0. */
export function measureOrigin({ now }: Pick<Clock, 'now'>, read = processMs): number {
  let [originMs, closestMs] = [0, Infinity]
  for (let i = 0; i < readings; i++) {
    const before = read()
    const shown = now()
    const after = read()
    if (after - before >= closestMs) continue
    closestMs = after - before
    originMs = (before + after) / 2 - shown
  }
  return originMs
}

/** A thread's clock counts from the beginning of the thread; this one shows what the clock with that origin shows. */
export function clockWithOrigin(originMs: number, clock: Clock = systemClock, read = processMs): Clock {
  const shiftMs = measureOrigin(clock, read) - originMs
  return { ...clock, now: () => clock.now() + shiftMs }
}

/** Whether calls may go out, asked before each. @param mayRunUntil Time of the process in shared memory, up to which they may. Undefined: always. */
export const mayGoOnUntil = (
  { mayRunUntil, clockOriginMs }: { readonly mayRunUntil?: Float64Array; readonly clockOriginMs: number },
  clock: Pick<Clock, 'now'>,
): (() => boolean) | undefined => mayRunUntil && (() => clock.now() + clockOriginMs < (mayRunUntil[0] ?? 0))
