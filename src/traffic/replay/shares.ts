import { RecentMap } from '../../core/recent-map.ts'
import { type Share, computeSharePart } from '../../load/plan/share.ts'
import type { RecordedCall } from '../recording/recorded-call.ts'
import { type Connections, type Slots, type Use, assignSlots } from './slots.ts'
import { listCursors } from './write-message.ts'

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

  #join<Key>(
    known: Pick<Map<Key, number>, 'get'> & { set: (key: Key, connection: number) => unknown },
    key: Key,
    connection: number,
  ): void {
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

/** The use of a recorded connection, with the number of its calls. */
export type CountedUse = Use & { readonly calls: number }

/**
 * Splits the connections of a recording over shares: each is in one, with all of its group. The next largest group goes to the share with the fewest calls.
 * @param wanted Of all shares together: at least one for each.
 * @returns the connections that a share opens, for the recorded ones that are in it.
 */
export function splitConnections(
  { uses, groups }: { readonly uses: ReadonlyMap<number, CountedUse>; readonly groups: readonly (readonly number[])[] },
  wanted: Connections,
  shares: number,
): (share: Share) => Slots {
  const weighed = groups
    .map((group) => ({ group, calls: group.reduce((sum, connection) => sum + (uses.get(connection)?.calls ?? 0), 0) }))
    .toSorted((one, other) => other.calls - one.calls)
  const loads = Array.from({ length: shares }, () => 0)
  const assigned = new Map<number, number>()
  for (const { group, calls } of weighed) {
    const index = loads.indexOf(Math.min(...loads))
    loads[index] = (loads[index] ?? 0) + calls
    for (const connection of group) assigned.set(connection, index)
  }
  return (share) =>
    assignSlots(
      new Map([...uses].filter(([connection]) => assigned.get(connection) === share.index)),
      wanted === 'as-recorded' ? wanted : computeSharePart(wanted, share),
    )
}
