/** Keys of what a call has to keep its order in: its connection, its session, and the cursor that it opens or continues. */
export type OrderKeys = {
  readonly slot: number
  readonly session: number | undefined
  readonly cursor: bigint | undefined
}

/** A call in its order. */
export type Ordered = OrderKeys & {
  /** In how many queues others are before it. */
  ahead: number
}

/** Calls that keep their order: each begins when those before it, of its connection, session and cursor, have ended. */
export type Order<Call extends Ordered> = {
  /** Adds a call behind all others. It begins at once where nothing is before it. */
  readonly add: (call: Call) => void
  /** A call that had begun has ended: those that waited for it alone begin. */
  readonly end: (call: Call) => void
}

/** @param begin Called once for each call. */
export function createOrder<Call extends Ordered>(begin: (call: Call) => void): Order<Call> {
  const bySlot = new Map<number, Call[]>()
  const bySession = new Map<number, Call[]>()
  const byCursor = new Map<bigint, Call[]>()

  function join<Key>(queues: Map<Key, Call[]>, key: Key | undefined, call: Call): void {
    if (key === undefined) return
    const queue = queues.get(key)
    if (queue === undefined) queues.set(key, [call])
    else if (queue.push(call) > 1) call.ahead += 1
  }

  /** @returns the call that comes next. */
  function leave<Key>(queues: Map<Key, Call[]>, key: Key | undefined): Call | undefined {
    const queue = key === undefined ? undefined : queues.get(key)
    queue?.shift()
    // Sessions and cursors come and go: what no call waits for is forgotten.
    if (key !== undefined && queue?.length === 0) queues.delete(key)
    return queue?.[0]
  }

  return {
    add(call) {
      join(bySlot, call.slot, call)
      join(bySession, call.session, call)
      join(byCursor, call.cursor, call)
      if (call.ahead === 0) begin(call)
    },
    end({ slot, session, cursor }) {
      for (const next of [leave(bySlot, slot), leave(bySession, session), leave(byCursor, cursor)])
        if (next !== undefined && (next.ahead -= 1) === 0) begin(next)
    },
  }
}
