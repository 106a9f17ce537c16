/** Connections of a replay: `as-recorded`, as many as were in use at the same time, or a number up to `maxConnections`. */
export type Connections = 'as-recorded' | number

/** More than servers take. */
export const maxConnections = 10_000

/** When a recorded connection was in use: its first call and its last, in µs since the recording began. */
export type Use = { readonly firstUs: number; readonly lastUs: number }

/** The connections that a replay opens: how many, and which of them the calls of a recorded connection go over, from 0. Undefined: it is of another share. */
export type Slots = { readonly count: number; readonly of: (connection: number) => number | undefined }

/**
 * Gives each recorded connection one of the replay. As recorded, one takes the place of another whose last call is over; otherwise they take turns, and the
 * calls of those that share one wait for each other.
 */
export function assignSlots(uses: ReadonlyMap<number, Use>, wanted: Connections): Slots {
  if (wanted !== 'as-recorded') {
    const turns = new Map([...uses.keys()].map((connection, turn) => [connection, turn % wanted]))
    return { count: wanted, of: (connection) => turns.get(connection) }
  }
  const slots = new Map<number, number>()
  const free: number[] = []
  let count = 0
  const changes = [...uses].flatMap(([connection, { firstUs, lastUs }]) => [
    { connection, atUs: firstUs, begins: true },
    { connection, atUs: lastUs, begins: false },
  ])
  // At the same time, one that begins comes first: it is in use beside the one that ends.
  changes.sort((one, other) => one.atUs - other.atUs || Number(other.begins) - Number(one.begins))
  for (const { connection, begins } of changes)
    if (begins) slots.set(connection, free.pop() ?? count++)
    else free.push(slots.get(connection) ?? 0)
  const opened = Math.min(count, maxConnections)
  for (const [connection, slot] of slots) slots.set(connection, slot % opened)
  return { count: opened, of: (connection) => slots.get(connection) }
}
