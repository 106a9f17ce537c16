import { type Clock } from '../clock.ts'
import { type Call, isAnswered, type Outcome } from '../engines/engine.ts'
import { type PlannedCall } from '../plan/plan.ts'
import { createTurns } from './event-loop-turns.ts'
import { type Limits } from './limits.ts'

/** First call sent to last call answered, in the clock's milliseconds. */
export type Window = { readonly startMs: number; readonly endMs: number }

/**
 * Every worker waits for its answer before it makes its next call. Timed is the awaited `send` alone: a call is built
 * before its clock starts and recorded after it has stopped. Whatever goes wrong with a call is its outcome; a throw from
 * `next`, `send` or `record` is a bug of ours, stops all workers and rejects.
 */
export async function closedLoop({
  workers,
  clock,
  limits,
  next,
  send,
  onStart,
  record,
}: {
  readonly workers: number
  readonly clock: Clock
  readonly limits: Pick<Limits, 'documentsLeft' | 'take' | 'answered'>
  readonly next: (documentsLeft: number) => PlannedCall
  readonly send: (call: Call) => Promise<Outcome>
  /** The moment the window opens: the first call goes out now. */
  readonly onStart: (startMs: number) => void
  readonly record: (call: PlannedCall, startMs: number, endMs: number, outcome: Outcome) => void
}): Promise<Window> {
  const turnDue = createTurns()
  let startMs: number | undefined
  let endMs = clock.now()
  let stopped = false

  // Runs once per operation: nothing in here that could be done before the loop, and one clock pair per call.
  async function work(): Promise<void> {
    let nowMs = clock.now()
    for (;;) {
      const documentsLeft = limits.documentsLeft(nowMs)
      if (documentsLeft === 0 || stopped) return
      const call = next(documentsLeft)
      limits.take(call.documents)
      if (startMs === undefined) {
        startMs = clock.now()
        onStart(startMs)
      }
      const sentMs = clock.now()
      const outcome = await send(call)
      nowMs = clock.now()
      endMs = nowMs
      limits.answered(call.documents, isAnswered(outcome), nowMs)
      record(call, sentMs, nowMs, outcome)
      const turn = turnDue(nowMs)
      if (turn !== undefined) {
        await turn
        nowMs = clock.now()
      }
    }
  }

  const stopAllOnBug = async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      stopped = true
      throw error
    }
  }

  const ends = await Promise.allSettled(Array.from({ length: workers }, stopAllOnBug))
  const bug = ends.find((end) => end.status === 'rejected')
  if (bug) throw bug.reason
  return { startMs: startMs ?? endMs, endMs }
}
