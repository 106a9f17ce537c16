import { RecentMap } from '../../core/recent-map.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'
import { listCursors } from './cursors-in.ts'

/** More cursors than any application has open. */
const minKept = 100_000

/** Finds the connections that have to stay together, since calls of one session or cursor went over several of them. */
export class ConnectionGroups {
  /** Each connection leads to another one of its group, and the last to itself. */
  readonly #next = new Map<number, number>()
  readonly #bySession = new Map<number, number>()
  readonly #byCursor = new RecentMap<bigint, number>(minKept)

  add(call: RecordedCall): void {
    const { connection, session, name, reply } = call
    if (!this.#next.has(connection)) this.#next.set(connection, connection)
    if (session !== null) this.#join(this.#bySession, session.number, connection)
    for (const cursor of listCursors(call)) {
      this.#join(this.#byCursor, cursor, connection)
      if (name === 'killCursors' || reply?.cursor === 0n) this.#byCursor.delete(cursor)
    }
  }

  /** Groups, and the connections of each, in the order of their first calls. */
  list(): readonly (readonly number[])[] {
    const groups = new Map<number, number[]>()
    for (const connection of this.#next.keys()) {
      const last = this.#lastOf(connection)
      const group = groups.get(last)
      if (group === undefined) groups.set(last, [connection])
      else group.push(connection)
    }
    return [...groups.values()]
  }

  #join<Key>(known: Pick<Map<Key, number>, 'get'> & { set: (key: Key, connection: number) => unknown }, key: Key, connection: number): void {
    const other = known.get(key)
    if (other === connection) return
    if (other !== undefined) this.#next.set(this.#lastOf(other), this.#lastOf(connection))
    known.set(key, connection)
  }

  #lastOf(connection: number): number {
    let last = connection
    for (let next = this.#next.get(last); next !== undefined && next !== last; next = this.#next.get(last)) last = next
    // The next look is short.
    this.#next.set(connection, last)
    return last
  }
}

/**
 * Splits a recording: each connection is in one of so many shares, with all of its group. The next largest group goes to the share with the fewest calls.
 * @param calls Of a connection.
 */
export function assignShares(
  groups: readonly (readonly number[])[],
  calls: (connection: number) => number,
  shares: number,
): ReadonlyMap<number, number> {
  const weighed = groups
    .map((group) => ({ group, calls: group.reduce((sum, connection) => sum + calls(connection), 0) }))
    .toSorted((one, other) => other.calls - one.calls)
  const loads = Array.from({ length: shares }, () => 0)
  const assigned = new Map<number, number>()
  for (const { group, calls: more } of weighed) {
    const share = loads.indexOf(Math.min(...loads))
    loads[share] = (loads[share] ?? 0) + more
    for (const connection of group) assigned.set(connection, share)
  }
  return assigned
}
