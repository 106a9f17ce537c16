import { idBytes, IdList, IdTable } from './id-table.ts'

/** What a client was told of a write. Failed: refused, or a part of a transaction that was given up. */
export type Fate = 'acknowledged' | 'failed' | 'unknown'

/** From the weakest word to the strongest: of an id that was sent several times, the strongest counts. */
const fates = ['failed', 'unknown', 'acknowledged'] as const satisfies readonly Fate[]

const numbers: Readonly<Record<Fate, number>> = { failed: 0, unknown: 1, acknowledged: 2 }

const fatesPerBlock = 2 ** 16

/**
 * The ids of documents that were sent, with what became of them. Written to in the timed window, so it only appends: a byte
 * for each besides its id. Equal ids are found when it is closed.
 */
export class Ledger {
  readonly #ids = new IdList()
  readonly #fates: Uint8Array[] = []

  /** Ids that were sent, those that were sent again among them. */
  get size(): number {
    return this.#ids.size
  }

  note(id: unknown, fate: Fate): void {
    const number = this.#ids.push(idBytes(id))
    if (number % fatesPerBlock === 0) this.#fates.push(new Uint8Array(fatesPerBlock))
    const block = this.#fates.at(-1) as Uint8Array
    block[number % fatesPerBlock] = numbers[fate]
  }

  close(): ClosedLedger {
    const table = new IdTable()
    const strongest: number[] = []
    for (let number = 0; number < this.#ids.size; number++) {
      const fate = this.#fates[Math.floor(number / fatesPerBlock)]?.[number % fatesPerBlock] ?? 0
      const at = table.add(this.#ids.at(number))
      strongest[at] = Math.max(strongest[at] ?? 0, fate)
    }
    return new ClosedLedger(table, strongest)
  }
}

/** A ledger in which ids can be looked up: each once, numbered from 0. */
export class ClosedLedger {
  readonly #table: IdTable
  readonly #fates: readonly number[]

  constructor(table: IdTable, strongest: readonly number[]) {
    this.#table = table
    this.#fates = strongest
  }

  get size(): number {
    return this.#table.size
  }

  /** Its number, or -1 for an id that was never sent. */
  find(id: Uint8Array): number {
    return this.#table.find(id)
  }

  idAt(number: number): Uint8Array {
    return this.#table.at(number)
  }

  fateAt(number: number): Fate {
    return fates[this.#fates[number] ?? 0] ?? 'failed'
  }
}
