import { type OneWay } from './delays.ts'
import { type Waker } from './timers.ts'

/** Maximum of bytes that one way of a connection holds back. Then its sender has to wait, as where a window is full. */
const maxHeldBytes = 16 * 1024 ** 2

/** One way of one connection. */
export type DelayLine = {
  /** @returns false when no more should come until there is room; these bytes are taken all the same. */
  readonly push: (bytes: Uint8Array) => boolean
  /** The sender has ended. */
  readonly end: () => void
  /** The receiver can take more again. */
  readonly drained: () => void
  /** Nothing arrives any more, and nothing is lost, until it is released. */
  readonly hold: () => void
  readonly release: () => void
  /** Nothing arrives any more. */
  readonly discard: () => void
}

/** The callbacks and limits of a delay line: its one-way delay in ms, its receiver and its capacity in bytes. */
export type DelayLineEnds = {
  readonly delayMs: OneWay
  readonly waker: Waker
  /** @returns false when no more can be taken until it has `drained`. */
  readonly deliver: (bytes: Uint8Array) => boolean
  readonly deliverEnd: () => void
  /** A sender that was asked to stop may go on. */
  readonly onRoom: () => void
  /** Default: 16 MB. */
  readonly maxBytes?: number
}

type Item = { readonly what: Uint8Array | 'end'; readonly dueMs: number }

/** Hands on what comes in, in its order, each piece after its delay. */
export function createDelayLine({
  delayMs,
  waker,
  deliver,
  deliverEnd,
  onRoom,
  maxBytes = maxHeldBytes,
}: DelayLineEnds): DelayLine {
  let items: Item[] = []
  let heldBytes = 0
  let lastDueMs = -Infinity
  let isFull = false
  /** The receiver takes nothing. */
  let isBlocked = false
  let isHeld = false
  let isGone = false
  let callOff: (() => void) | undefined

  function take(what: Item['what']): void {
    if (isGone) return
    // Bytes do not overtake each other.
    lastDueMs = Math.max(lastDueMs, waker.now() + delayMs())
    items.push({ what, dueMs: lastDueMs })
    if (what !== 'end') heldBytes += what.byteLength
    flush()
  }

  /** The next to go, where anything may. */
  const first = (): Item | undefined => (isHeld || isBlocked ? undefined : items[0])

  function flush(): void {
    for (let next = first(); next !== undefined; next = first()) {
      if (!waker.isDue(next.dueMs)) {
        wakeFor(next)
        break
      }
      items.shift()
      hand(next)
    }
    if (!isFull || heldBytes > maxBytes / 2) return
    isFull = false
    onRoom()
  }

  function hand({ what }: Item): void {
    if (what === 'end') return deliverEnd()
    heldBytes -= what.byteLength
    isBlocked = !deliver(what)
  }

  function wakeFor({ dueMs }: Item): void {
    callOff ??= waker.wakeAt(dueMs, () => {
      callOff = undefined
      flush()
    })
  }

  function sleep(): void {
    callOff?.()
    callOff = undefined
  }

  return {
    push(bytes) {
      take(bytes)
      isFull ||= heldBytes >= maxBytes
      return !isFull
    },
    end: () => take('end'),
    drained() {
      isBlocked = false
      flush()
    },
    hold() {
      isHeld = true
      sleep()
    },
    release() {
      isHeld = false
      flush()
    },
    discard() {
      isGone = true
      items = []
      heldBytes = 0
      sleep()
    },
  }
}
