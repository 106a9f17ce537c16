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

/** @param begin Called once for each call. It may end the call at once. */
export function createOrder<Call extends Ordered>(begin: (call: Call) => void): Order<Call> {
  const bySlot = new Map<number, Queue<Call>>()
  const bySession = new Map<number, Queue<Call>>()
  const byCursor = new Map<bigint, Queue<Call>>()

  function join<Key>(queues: Map<Key, Queue<Call>>, key: Key | undefined, call: Call): void {
    if (key === undefined) return
    const queue = queues.get(key)
    if (queue === undefined) queues.set(key, new Queue(call))
    else {
      queue.push(call)
      call.ahead += 1
    }
  }

  function leave<Key>(queues: Map<Key, Queue<Call>>, key: Key | undefined): Call | undefined {
    if (key === undefined) return undefined
    const next = queues.get(key)?.shift()
    // Sessions and cursors come and go: what nobody waits for is forgotten.
    if (next === undefined) queues.delete(key)
    return next
  }

  return {
    add(call) {
      join(bySlot, call.slot, call)
      join(bySession, call.session, call)
      join(byCursor, call.cursor, call)
      if (call.ahead === 0) begin(call)
    },
    end({ slot, session, cursor }) {
      const next = [leave(bySlot, slot), leave(bySession, session), leave(byCursor, cursor)]
      for (const call of next) if (call !== undefined && (call.ahead -= 1) === 0) begin(call)
    },
  }
}

/** A queue of calls, of which the first has begun or waits in another queue. */
class Queue<Call> {
  #calls: Call[]
  #first = 0

  constructor(first: Call) {
    this.#calls = [first]
  }

  push(call: Call): void {
    this.#calls.push(call)
  }

  /** Takes the first call out. @returns the one behind it. */
  shift(): Call | undefined {
    this.#first += 1
    if (this.#first > 1000) {
      this.#calls = this.#calls.slice(this.#first)
      this.#first = 0
    }
    return this.#calls[this.#first]
  }
}
