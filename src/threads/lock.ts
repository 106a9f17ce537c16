/** One thread at a time. Held for the microseconds in which a call is taken, so a thread that waits may block. */
export type Lock = {
  readonly acquire: () => void
  /** Does nothing when this thread does not hold it. */
  readonly release: () => void
}

const [free, held, heldAndWaitedFor] = [0, 1, 2] as const

/** How often a thread looks again before it sleeps: most holders are done by then. */
const looks = 100

/**
 * The second mutex of Ulrich Drepper's "Futexes Are Tricky" (2011): who has to wait says so, and only then does the holder wake
 * somebody.
 * @param at Index in the shared words of the one that is the lock, 0 at first.
 */
export function openLock(words: Int32Array, at: number): Lock {
  let isMine = false

  const tryIt = (): boolean => Atomics.compareExchange(words, at, free, held) === free

  function acquire(): void {
    for (let look = 0; look < looks; look++) {
      if (tryIt()) return
    }
    while (Atomics.exchange(words, at, heldAndWaitedFor) !== free) Atomics.wait(words, at, heldAndWaitedFor)
  }

  return {
    acquire() {
      acquire()
      isMine = true
    },
    release() {
      if (!isMine) return
      isMine = false
      if (Atomics.exchange(words, at, free) === heldAndWaitedFor) Atomics.notify(words, at, 1)
    },
  }
}
