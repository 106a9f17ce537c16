import { randomBytes } from 'node:crypto'
import { Binary, serialize } from 'bson'
import { RecentMap } from '../../core/recent-map.ts'

/** More cursors and ids than any application has open. */
const minKept = 100_000

/** The names that the server of a replay has for what a recording calls otherwise. */
export class Identities {
  /** Sessions are ours to name, and two replays must not have the same: a server does no write twice that has the same session and number. */
  readonly #id = Buffer.concat([randomBytes(12), Buffer.alloc(4)])
  /** The field `lsid`, whose last bytes are those of the id and the end of its document. */
  readonly #field: Buffer
  readonly #cursors = new RecentMap<bigint, bigint>(minKept)
  readonly #objectIds = new RecentMap<string, string>(minKept)

  constructor() {
    this.#field = Buffer.from(serialize({ lsid: { id: new Binary(this.#id, Binary.SUBTYPE_UUID) } })).subarray(4, -1)
  }

  sessionId(number: number): Binary {
    const id = Buffer.from(this.#id)
    id.writeUInt32BE(number >>> 0, 12)
    return new Binary(id, Binary.SUBTYPE_UUID)
  }

  /** The field `lsid` of commands in a session, overwritten by the next one. */
  sessionField(number: number): Buffer {
    this.#field.writeUInt32BE(number >>> 0, this.#field.length - 5)
    return this.#field
  }

  /** The id of a cursor here. Undefined: it is exhausted, or was never opened. */
  cursor(recorded: bigint): bigint | undefined {
    return this.#cursors.get(recorded)
  }

  /** @param here 0: it is exhausted. */
  setCursor(recorded: bigint, here: bigint): void {
    if (here === 0n) this.#cursors.delete(recorded)
    else this.#cursors.set(recorded, here)
  }

  get hasObjectIds(): boolean {
    return !this.#objectIds.isEmpty
  }

  /** An ObjectId that the server made here, in hexadecimal like the recorded one. Undefined: they are the same. */
  objectId(recorded: string): string | undefined {
    return this.#objectIds.get(recorded)
  }

  setObjectIds(recorded: readonly string[], here: readonly string[]): void {
    for (const [i, id] of recorded.entries()) {
      const made = here[i]
      if (made !== undefined && made !== id) this.#objectIds.set(id, made)
    }
  }
}
