import { idBytes, IdList, IdTable, lengthAt } from './id-table.ts'

/** Outcome of a write as its client knows it. Failed: refused, or a part of a transaction that was given up. */
export type WriteOutcome = 'acknowledged' | 'failed' | 'unknown'

/** From the weakest to the strongest: of an id that was sent several times, the strongest counts. */
const writeOutcomes = ['failed', 'unknown', 'acknowledged'] as const satisfies readonly WriteOutcome[]

const numbers: Readonly<Record<WriteOutcome, number>> = { failed: 0, unknown: 1, acknowledged: 2 }

/** Ids of documents that a unit of load has sent, one after the other, with what became of each. */
export type LedgerPart = {
  readonly kind: 'ledger'
  /** Each as the bytes of the document `{_id: id}`. */
  readonly ids: Uint8Array
  readonly outcomes: Uint8Array
}

export const mergeLedgers = (one: LedgerPart, other: LedgerPart): LedgerPart => ({
  kind: 'ledger',
  ids: Buffer.concat([one.ids, other.ids]),
  outcomes: Buffer.concat([one.outcomes, other.outcomes]),
})

/** Notes ids in the timed window until they are taken. It only appends: a byte for each besides its id. */
export class LedgerRecord {
  readonly #ids = new ByteList()
  readonly #outcomes = new ByteList()

  note(id: unknown, outcome: WriteOutcome): void {
    this.#ids.push(idBytes(id))
    this.#outcomes.pushByte(numbers[outcome])
  }

  take(): LedgerPart {
    return { kind: 'ledger', ids: this.#ids.take(), outcomes: this.#outcomes.take() }
  }
}

const minBytes = 2 ** 12

/** Bytes that grow by doubling. */
class ByteList {
  #bytes = new Uint8Array(minBytes)
  #used = 0

  push(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.#used)
    this.#used += bytes.length
  }

  pushByte(byte: number): void {
    if (this.#used === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#used] = byte
    this.#used += 1
  }

  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#used)
    this.#used = 0
    return taken
  }

  #grow(bytes: number): void {
    const larger = new Uint8Array(Math.max(this.#used + bytes, this.#bytes.length * 2))
    larger.set(this.#bytes.subarray(0, this.#used))
    this.#bytes = larger
  }
}

const outcomesPerBlock = 2 ** 16

/** The ids of documents that were sent, with what became of them: of all units together. Equal ids are found when it is closed. */
export class Ledger {
  readonly #ids = new IdList()
  readonly #outcomes: Uint8Array[] = []

  add({ ids, outcomes }: LedgerPart): void {
    let start = 0
    for (const outcome of outcomes) {
      const end = start + lengthAt(ids, start)
      this.#note(ids.subarray(start, end), outcome)
      start = end
    }
  }

  close(): ClosedLedger {
    const table = new IdTable()
    const strongest: number[] = []
    for (let number = 0; number < this.#ids.size; number++) {
      const outcome = this.#outcomes[Math.floor(number / outcomesPerBlock)]?.[number % outcomesPerBlock] ?? 0
      const at = table.add(this.#ids.at(number))
      strongest[at] = Math.max(strongest[at] ?? 0, outcome)
    }
    return new ClosedLedger(table, strongest)
  }

  #note(id: Uint8Array, outcome: number): void {
    const number = this.#ids.push(id)
    if (number % outcomesPerBlock === 0) this.#outcomes.push(new Uint8Array(outcomesPerBlock))
    const block = this.#outcomes.at(-1) as Uint8Array
    block[number % outcomesPerBlock] = outcome
  }
}

/** A ledger in which ids can be looked up: each once, numbered from 0. */
export class ClosedLedger {
  readonly #table: IdTable
  readonly #outcomes: readonly number[]

  constructor(table: IdTable, strongest: readonly number[]) {
    this.#table = table
    this.#outcomes = strongest
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

  outcomeAt(number: number): WriteOutcome {
    return writeOutcomes[this.#outcomes[number] ?? 0] ?? 'failed'
  }

  /** Counts what was sent by its outcome, and what of it is there. @param isThere Called once for each number, in their order. */
  count(
    isThere: (number: number, outcome: WriteOutcome) => boolean,
  ): Readonly<Record<'sent' | 'there', Record<WriteOutcome, number>>> {
    const sent = { acknowledged: 0, unknown: 0, failed: 0 }
    const there = { ...sent }
    for (let number = 0; number < this.size; number++) {
      const outcome = this.outcomeAt(number)
      sent[outcome] += 1
      if (isThere(number, outcome)) there[outcome] += 1
    }
    return { sent, there }
  }
}
