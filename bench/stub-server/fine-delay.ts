/** Runs an action later. */
export type Delay = (action: () => void) => void

/** A timer of Node is late by up to one millisecond, and more on a busy machine. */
const timerIsLateMs = 2

/**
 * Runs actions a fixed time after they are handed over, to some hundredths of a millisecond. Timers of Node count whole milliseconds and are late, so
 * the last two milliseconds before an action are polled for, which takes a whole core.
 */
export function fineDelay(delayMs: number): Delay {
  const waiting: { readonly dueMs: number; readonly action: () => void }[] = []

  function runDue(): void {
    const nowMs = performance.now()
    // The delay is the same for all, so they are due in the order in which they came.
    while (waiting[0] && waiting[0].dueMs <= nowMs) waiting.shift()?.action()
    if (waiting[0]) runNext(waiting[0].dueMs - nowMs)
  }

  function runNext(inMs: number): void {
    if (inMs > timerIsLateMs + 1) setTimeout(runDue, inMs - timerIsLateMs)
    else setImmediate(runDue)
  }

  return (action) => {
    waiting.push({ dueMs: performance.now() + delayMs, action })
    if (waiting.length === 1) runNext(delayMs)
  }
}
