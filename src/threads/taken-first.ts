import { type PlannedCall } from '../plan/plan.ts'
import { type Limits } from '../schedule/limits.ts'

/**
 * Has a loop's call taken where the loop asks whether there is one: between that question and the next, another thread could
 * take the last.
 */
export function takenFirst(take: (nowMs: number) => PlannedCall | undefined): {
  readonly limits: Pick<Limits, 'documentsLeft' | 'take' | 'answered'>
  readonly next: () => PlannedCall
} {
  let taken: PlannedCall | undefined
  return {
    limits: {
      documentsLeft(nowMs) {
        taken = take(nowMs)
        return taken === undefined ? 0 : Infinity
      },
      take: () => {},
      answered: () => {},
    },
    next() {
      if (taken === undefined) throw new Error('No call has been taken')
      return taken
    },
  }
}
