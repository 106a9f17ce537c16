/**
 * Lets timers and sockets have their turn. Calls that are answered without I/O (writes with `w: 0` are) complete without
 * the event loop, and a loop of them starves every timer of the process: no deadline, no sampler, no Ctrl-C. Returns what a
 * worker has to wait for before its next call, and undefined, the rule, while the event loop turns.
 *
 * Answers that come in microtasks alone never let a tick run. Answers that come in ticks (a socket's write callbacks) never
 * let an immediate run; but neither do many real answers that are read in one go, and making workers wait there would idle
 * them. So that one gets more time.
 */
export function createTurns(): (nowMs: number) => Promise<void> | undefined {
  const ticksStarve = createProbe(process.nextTick, 1)
  const immediatesStarve = createProbe(setImmediate, 25)
  let turn: Promise<void> | undefined

  const nextTurn = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined
        resolve()
      })
    })

  return (nowMs) => {
    // Both are asked every time, so that both keep watch.
    const noTicks = ticksStarve(nowMs)
    const noImmediates = immediatesStarve(nowMs)
    return noTicks || noImmediates ? (turn ??= nextTurn()) : undefined
  }
}

/** Asks for an answer now and then, and returns whether one has been due for longer than the patience. */
function createProbe(ask: (answer: () => void) => unknown, patienceMs: number): (nowMs: number) => boolean {
  let askedMs = -Infinity
  let pending = false
  const answer = (): void => void (pending = false)

  return (nowMs) => {
    const sinceMs = nowMs - askedMs
    if (pending) return sinceMs >= patienceMs
    if (sinceMs >= patienceMs / 2) {
      askedMs = nowMs
      pending = true
      ask(answer)
    }
    return false
  }
}
