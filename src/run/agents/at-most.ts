import { type Clock } from '../../core/clock.ts'

/** Waits for something, and no longer than that. What comes later is not waited for. */
export async function atMost(ms: number, something: Promise<unknown>, { sleep }: Pick<Clock, 'sleep'>): Promise<void> {
  const done = new AbortController()
  await Promise.race([something.finally(() => done.abort()), sleep(ms, done.signal)])
  done.abort()
}
