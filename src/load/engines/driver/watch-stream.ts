import type { ChangeStream, Document, Timestamp } from 'mongodb'
import type { Clock } from '../../../core/clock.ts'
import type { StreamEvent, StreamListener } from '../engine.ts'
import { toOutcome } from '../outcomes.ts'

/** Events that are read in one go while others wait for their turn: a reply of the server may hold thousands. */
const eventsPerTurn = 100

/** A change stream that is open or about to open. */
export type Watched = {
  /** The server has answered for the first time, or never will: the listener has the error. */
  readonly opened: Promise<void>
  /** Resolves when all events up to this time of the server have come, or none will come any more. Never rejects. */
  readonly readUntil: (time: Timestamp) => Promise<void>
  /** Whether events may still come. */
  readonly isReading: () => boolean
  /** Closes the stream: later errors come from our closing. */
  readonly close: () => Promise<void>
}

/** Reads a change stream in the background, from now on. An error goes to the listener, and ends it. */
export function watchStream({
  stream,
  listener,
  clock,
  offsetMs,
}: {
  readonly stream: ChangeStream
  readonly listener: StreamListener
  readonly clock: Clock
  /** Offset to add to our clock to get the server's. */
  readonly offsetMs: number
}): Watched {
  let until: Timestamp | undefined
  let closed = false
  let ended = false

  async function read(): Promise<void> {
    for (let events = 1; ; events++) {
      const event = await stream.tryNext()
      const nowMs = clock.now()
      if (event) listener.record(toEvent(event, nowMs + offsetMs), nowMs)
      else if (closed || stream.closed) return
      if (until && hasPassed(stream.resumeToken, until, event !== null)) return
      if (events % eventsPerTurn === 0) await new Promise(setImmediate)
    }
  }

  const reading = read()
    .catch((error: unknown) => {
      if (!closed) listener.addError(toOutcome(error))
    })
    .finally(() => void (ended = true))

  return {
    // The token comes with the first answer, also with one that holds no event.
    opened: Promise.race([new Promise<void>((resolve) => stream.once('resumeTokenChanged', () => resolve())), reading]),
    readUntil(time) {
      until = time
      return reading
    },
    isReading: () => !ended,
    async close() {
      closed = true
      await stream.close()
      await reading
    },
  }
}

/** A pipeline may have taken every field but the `_id` out of an event. */
function toEvent({ operationType, wallTime }: Document, serverNowMs: number): StreamEvent {
  return {
    type: typeof operationType === 'string' ? operationType : '(no type)',
    lagMs: wallTime instanceof Date ? serverNowMs - wallTime.getTime() : null,
  }
}

/** A token begins with a type byte and the time, seconds and ordinal, up to which the server has looked for events. */
const timeInToken = /^82([0-9A-F]{16})/

/**
 * Whether all events up to a time of the server have come.
 * @param mayShareTime The token is that of an event: others of a transaction have the same time, and may be still to come.
 */
export function hasPassed(token: unknown, time: Timestamp, mayShareTime: boolean): boolean {
  const { ['_data']: data } = (token ?? {}) as { readonly [field: string]: unknown }
  const found = timeInToken.exec(String(data))?.[1]
  if (found === undefined) return false
  const passed = BigInt(`0x${found}`)
  return mayShareTime ? passed > time.toBigInt() : passed >= time.toBigInt()
}
