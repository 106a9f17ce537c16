import { type Clock } from '../clock.ts'
import { type Outcome, type PhaseEngine } from '../engines/engine.ts'
import { type PlannedCall } from '../plan/plan.ts'
import { createTurns } from './event-loop-turns.ts'

/** What every loop is given. All times are the clock's, in milliseconds. */
export type LoopOptions = {
  readonly clock: Clock
  /** Asked before every call whether there is one more. */
  readonly isOver: (nowMs: number) => boolean
  readonly next: () => PlannedCall
  readonly send: PhaseEngine['send']
  readonly record: (call: PlannedCall, sentMs: number, endMs: number, outcome: Outcome) => void
}

/**
 * Every worker waits for its answer before it makes its next call. Timed is `send` alone: a call is built before its clock
 * starts and recorded after it has stopped, with one pair of clock readings and no promise. Whatever goes wrong with a call
 * is its outcome; a throw from `next`, `send` or `record` is a bug of ours, stops all workers and rejects.
 * @returns when the last answer came; `startMs` if there was none.
 */
export function closedLoop({
  workers,
  startMs,
  clock,
  isOver,
  next,
  send,
  record,
}: LoopOptions & { readonly workers: number; readonly startMs: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    const turnDue = createTurns()
    let working = workers
    let endMs = startMs
    let bug: { readonly thrown: unknown } | undefined

    function leave(): void {
      working -= 1
      if (working > 0) return
      if (bug === undefined) resolve(endMs)
      else reject(bug.thrown)
    }

    function beginWorker(): void {
      let call: PlannedCall
      let sentMs = startMs
      let isSending = false
      let early: Outcome | undefined

      function settle(outcome: Outcome): number {
        const nowMs = clock.now()
        endMs = nowMs
        record(call, sentMs, nowMs, outcome)
        return nowMs
      }

      // Runs once per call: nothing in here that could be done before the loop.
      function makeCalls(fromMs: number): void {
        let nowMs = fromMs
        for (;;) {
          if (bug !== undefined || isOver(nowMs)) return leave()
          call = next()
          early = undefined
          isSending = true
          sentMs = clock.now()
          send(call, answered)
          isSending = false
          if (early === undefined) return
          nowMs = settle(early)
          if (waitsForTurn(nowMs)) return
        }
      }

      function waitsForTurn(nowMs: number): boolean {
        const turn = turnDue(nowMs)
        if (turn === undefined) return false
        void turn.then(() => guarded(clock.now()))
        return true
      }

      /** An engine that answers inside of `send` is answered by the loop there, or the stack would grow with every call. */
      function answered(outcome: Outcome): void {
        if (isSending) {
          early = outcome
          return
        }
        try {
          const nowMs = settle(outcome)
          if (!waitsForTurn(nowMs)) makeCalls(nowMs)
        } catch (thrown) {
          fail(thrown)
        }
      }

      function guarded(nowMs: number): void {
        try {
          makeCalls(nowMs)
        } catch (thrown) {
          fail(thrown)
        }
      }

      function fail(thrown: unknown): void {
        bug ??= { thrown }
        leave()
      }

      guarded(clock.now())
    }

    for (let worker = 0; worker < workers; worker++) beginWorker()
    if (workers === 0) resolve(endMs)
  })
}
