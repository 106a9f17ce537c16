/** Keys of what a call has to keep its order in: its connection, its session, and the cursor that it opens or continues. */
export type OrderKeys = {
  readonly slot: number
  readonly session: number | undefined
  readonly cursor: bigint | undefined
}

export type Ordered = OrderKeys & {
  /** Number of calls that it waits for. */
  ahead: number
  /** Calls that wait for it. */
  behind: readonly Ordered[]
}

/** Calls that keep their order: each begins when those before it, of its connection, session and cursor, have ended. */
export type Order<Call extends Ordered> = {
  /** Adds a call behind all others. It begins at once where nothing is before it. */
  readonly add: (call: Call) => void
  /** A call that had begun has ended: those that waited for it alone begin. */
  readonly end: (call: Call) => void
}

/** The place behind a call, as long as none is there. */
export const nothing: readonly never[] = []

/** @param begin Called once for each call. */
export function createOrder<Call extends Ordered>(begin: (call: Call) => void): Order<Call> {
  /** The last call of each, as long as it has not ended. */
  const bySlot = new Map<number, Call>()
  const bySession = new Map<number, Call>()
  const byCursor = new Map<bigint, Call>()

  function join<Key>(last: Map<Key, Call>, key: Key | undefined, call: Call): void {
    if (key === undefined) return
    const before = last.get(key)
    last.set(key, call)
    // In most cases the last call on its connection is that of its session, too.
    if (before === undefined || before.behind.includes(call)) return
    before.behind = before.behind.length === 0 ? [call] : [...before.behind, call]
    call.ahead += 1
  }

  function leave<Key>(last: Map<Key, Call>, key: Key | undefined, call: Call): void {
    if (key !== undefined && last.get(key) === call) last.delete(key)
  }

  return {
    add(call) {
      join(bySlot, call.slot, call)
      join(bySession, call.session, call)
      join(byCursor, call.cursor, call)
      if (call.ahead === 0) begin(call)
    },
    end(call) {
      leave(bySlot, call.slot, call)
      leave(bySession, call.session, call)
      leave(byCursor, call.cursor, call)
      const { behind } = call
      // Or one that is old would keep all that come after it.
      call.behind = nothing
      // What was put behind a call is a call.
      for (let i = 0; i < behind.length; i++) {
        const next = behind[i] as Call
        if ((next.ahead -= 1) === 0) begin(next)
      }
    },
  }
}
