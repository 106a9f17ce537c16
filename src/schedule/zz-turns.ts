import { type Clock } from '../clock.ts'

/** From here on an immediate is asked for, so that a turn that comes anyway is noticed. */
const askAfterMs = 0.5
/** From here on callers have to wait for it. */
const waitAfterMs = Infinity

/**
 * Lets timers and sockets have their turn. Calls that are answered without I/O (writes with `w: 0`, a full local cursor)
 * complete in microtasks, and a loop of them starves every timer of the process: no stop after seconds, no deadline, no
 * sampler. Returns what a worker has to wait for before its next call, and undefined (the rule, where calls do I/O) when
 * the event loop has turned within the last millisecond.
 */
export function createTurns(clock: Clock): (nowMs: number) => Promise<void> | undefined {
  let turnedMs = clock.now()
  let turn: Promise<void> | undefined

  const nextTurn = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined
        turnedMs = clock.now()
        resolve()
      })
    })

  return (nowMs) => {
    const sinceMs = nowMs - turnedMs
    if (sinceMs < askAfterMs) return undefined
    turn ??= nextTurn()
    return sinceMs < waitAfterMs ? undefined : turn
  }
}
