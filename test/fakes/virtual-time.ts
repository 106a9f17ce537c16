import { type Clock } from '../../src/core/clock.ts'

type Happening = { readonly atMs: number; readonly happen: () => void }

export type VirtualTime = {
  readonly clock: Clock
  /** Time passes in which nothing else can happen, as while a thread computes. */
  readonly block: (ms: number) => void
  /** Runs what depends on this time to its end. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Time that jumps to the next thing to happen whenever there is nothing left to do before it. */
export function virtualTime(): VirtualTime {
  let time = 0
  const coming = new Set<Happening>()

  const sleep: Clock['sleep'] = (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const happen = (): void => {
        coming.delete(happening)
        signal?.removeEventListener('abort', happen)
        resolve()
      }
      const happening = { atMs: time + ms, happen }
      coming.add(happening)
      signal?.addEventListener('abort', happen)
    })

  const nextToHappen = (): Happening | undefined => [...coming].toSorted((one, other) => one.atMs - other.atMs)[0]

  return {
    clock: { now: () => time, date: () => new Date(time), sleep },
    block: (ms) => void (time += ms),
    async run(work) {
      const state = { isOver: false }
      const result = work().finally(() => void (state.isOver = true))
      // Its failure is for whoever awaits the result below.
      result.catch(() => {})
      for (let idle = 0; !state.isOver && idle < 100; idle += 1) {
        // A loop that lets the event loop turn goes on one turn later.
        await turn()
        await turn()
        const next = state.isOver ? undefined : nextToHappen()
        if (next === undefined) continue
        idle = 0
        time = Math.max(time, next.atMs)
        next.happen()
      }
      if (!state.isOver) throw new Error('There is nothing left that could happen')
      return result
    },
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
