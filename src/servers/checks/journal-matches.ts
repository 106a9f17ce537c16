import { z } from 'zod'
import { type MeasureOf } from '../../results/check-metrics.ts'
import {
  type CheckContext,
  defineCheck,
  fieldName,
  type Findings,
  type NamedInsert,
  type OpenCheck,
  Inconclusive,
} from './check.ts'
import { judgeLoss } from './durability.ts'
import { idBytes, IdTable } from './id-table.ts'
import { type ClosedLedger } from './ledger.ts'
import {
  Evidence,
  idText,
  areSame,
  atRest,
  awaitMajority,
  decoded,
  eachDocument,
  numberIn,
  type ReadOptions,
  safeRead,
  valueAt,
} from './reads.ts'

type JournalMetric = MeasureOf<'journalMatches'>

/** Movement between two accounts. Ids are the bytes of an id table; an amount of null is none. */
export type Entry = {
  /** Id of the transfer, made by the client. */
  readonly id: Uint8Array
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly amount: number | null
}

/**
 * Recomputes balances from a journal. First come the balances of the beginning, then the entries, then the balances of the
 * end, each one by one: kept are the ids, and two numbers for each account.
 */
export class JournalBook {
  readonly #accounts = new IdTable()
  readonly #expected: number[] = []
  readonly #isThere: boolean[] = []
  #accountsAtStart = 0
  readonly #applied = new IdTable()
  readonly #times: number[] = []
  readonly #evidence = new Evidence()
  #entries = 0
  #wrong = 0

  addBalanceAtStart(account: Uint8Array, balance: number | null): void {
    this.#expected[this.#accounts.add(account)] = balance ?? Number.NaN
    this.#accountsAtStart = this.#accounts.size
  }

  addEntry({ id, from, to, amount }: Entry): void {
    this.#entries += 1
    const number = this.#applied.add(id)
    this.#times[number] = (this.#times[number] ?? 0) + 1
    this.#move(from, -(amount ?? Number.NaN))
    this.#move(to, amount ?? Number.NaN)
  }

  addBalanceAtEnd(account: Uint8Array, balance: number | null): void {
    const number = this.#accounts.add(account)
    this.#isThere[number] = true
    if (number >= this.#accountsAtStart)
      return this.#addWrong(() => `the account ${idText(account)} was not there before`)
    const expected = this.#expected[number] ?? Number.NaN
    if (balance !== null && areSame(balance, expected)) return
    this.#addWrong(
      () => `the account ${idText(account)} has ${balance ?? 'no number'}, by the journal it has ${expected}`,
    )
  }

  /** @param whyAllowed Why an entry that was acknowledged may be gone. Null: it may not. */
  findings(sent: ClosedLedger, whyAllowed: string | null): Findings<JournalMetric> {
    for (let number = 0; number < this.#accounts.size; number++)
      if (this.#isThere[number] !== true)
        this.#addWrong(() => `the account ${idText(this.#accounts.at(number))} is not there`)
    const { missing, ...ofEntries } = this.#compare(sent)
    const measures = {
      ...ofEntries,
      missing,
      entries: this.#entries,
      balances: this.#accountsAtStart,
      wrongBalances: this.#wrong,
    }
    const { appliedTwice, failedButApplied, foreign } = measures
    const isWrong = this.#wrong + appliedTwice + failedButApplied + foreign > 0
    const status = judgeLoss(isWrong, missing, whyAllowed)
    return { status, reason: status === 'allowed' ? whyAllowed : null, measures, evidence: this.#evidence.texts }
  }

  #move(account: Uint8Array, amount: number): void {
    const number = this.#accounts.add(account)
    this.#expected[number] = (this.#expected[number] ?? 0) + amount
  }

  #addWrong(text: () => string): void {
    this.#wrong += 1
    this.#evidence.add(text)
  }

  #compare(sent: ClosedLedger): Omit<Record<JournalMetric, number>, 'entries' | 'balances' | 'wrongBalances'> {
    const { sent: all, there } = sent.count((number, outcome) => {
      const id = sent.idAt(number)
      const isApplied = this.#applied.find(id) >= 0
      if (outcome === 'acknowledged' && !isApplied)
        this.#evidence.add(() => `the entry ${idText(id)} was acknowledged and is not there`)
      if (outcome === 'failed' && isApplied) this.#evidence.add(() => `the entry ${idText(id)} failed and is there`)
      return isApplied
    })
    const { appliedTwice, foreign } = this.#compareApplied(sent)
    return {
      acknowledged: all.acknowledged,
      missing: all.acknowledged - there.acknowledged,
      appliedTwice,
      unknown: all.unknown,
      unknownButApplied: there.unknown,
      failed: all.failed,
      failedButApplied: there.failed,
      foreign,
    }
  }

  #compareApplied(sent: ClosedLedger): { readonly appliedTwice: number; readonly foreign: number } {
    let appliedTwice = 0
    let foreign = 0
    for (let number = 0; number < this.#applied.size; number++) {
      const id = this.#applied.at(number)
      const times = this.#times[number] ?? 0
      if (times > 1) {
        appliedTwice += 1
        this.#evidence.add(() => `${times} entries have the id ${idText(id)}`)
      }
      if (sent.find(id) >= 0) continue
      foreign += times
      this.#evidence.add(() => `the entry ${idText(id)} was never sent`)
    }
    return { appliedTwice, foreign }
  }
}

type JournalSpec = {
  readonly operation: string
  readonly balances: { readonly collection: string; readonly field: string }
  readonly entries: {
    readonly collection: string
    readonly id: string
    readonly from: string
    readonly to: string
    readonly amount: string
  }
}

const createNamedInsert = ({ operation, entries }: JournalSpec): NamedInsert => ({
  address: operation,
  into: entries.collection,
})

function open(spec: JournalSpec, context: CheckContext): OpenCheck<JournalMetric> {
  const { balances, entries } = spec
  const { db, clock, signal, collection } = context
  const insert = context.insert(createNamedInsert(spec), entries.id)
  const reading = { db, signal, collections: [collection(balances.collection), insert.collection] }
  let start: { readonly book: JournalBook; readonly earlier: IdTable } | undefined

  const readBalances = (options: ReadOptions, take: (account: Uint8Array, balance: number | null) => void) =>
    eachDocument(
      collection(balances.collection),
      {},
      { ...options, projection: { _id: 1, [balances.field]: 1 } },
      (bytes) => {
        const document = decoded(bytes)
        take(idBytes(document['_id']), numberIn(valueAt(document, balances.field)))
      },
    )

  /** @param take Takes the `_id` of each entry, and the entry. */
  const readEntries = (options: ReadOptions, take: (id: Uint8Array, entry: Entry) => void) =>
    eachDocument(insert.collection, {}, { ...options, projection: createProjection(entries) }, (bytes) => {
      const document = decoded(bytes)
      const idAt = (field: string): Uint8Array => idBytes(valueAt(document, field))
      take(idAt('_id'), {
        id: idAt(entries.id),
        from: idAt(entries.from),
        to: idAt(entries.to),
        amount: numberIn(valueAt(document, entries.amount)),
      })
    })

  async function begin(): Promise<void> {
    const book = new JournalBook()
    const earlier = new IdTable()
    await awaitMajority(reading, clock)
    await readBalances(safeRead(signal), (account, balance) => book.addBalanceAtStart(account, balance))
    await readEntries(safeRead(signal), (id) => void earlier.add(id))
    start = { book, earlier }
  }

  return {
    async phaseBegins(phase) {
      if (start === undefined && phase === insert.phase) await begin()
    },
    async finish() {
      if (start === undefined) throw new Inconclusive('its phase did not begin')
      const { book, earlier } = start
      await awaitMajority(reading, clock)
      await atRest(reading, async (options) => {
        await readEntries(options, (id, entry) => {
          if (earlier.find(id) < 0) book.addEntry(entry)
        })
        await readBalances(options, (account, balance) => book.addBalanceAtEnd(account, balance))
      })
      return book.findings(insert.ledger.close(), await insert.whyLossIsAllowed())
    },
  }
}

const createProjection = ({ id, from, to, amount }: JournalSpec['entries']): Record<string, 1> =>
  Object.fromEntries(['_id', id, from, to, amount].map((field) => [field, 1 as const]))

/** The check that account balances match the journal of transfers. */
export const journalMatches = defineCheck({
  kind: 'journalMatches',
  summary:
    'Balances match a journal of transfers: the initial balances, with every entry applied. Each acknowledged entry must exist once; failed entries and entries that were never sent must not exist.',
  fields: {
    operation: z
      .string()
      .describe(
        'Address of the operation that transfers, such as "transfers.transfer": steps that include the insert of the entry, or that insert itself.',
      ),
    balances: z
      .strictObject({
        collection: z.string().describe('Collection of the accounts.'),
        field: fieldName.describe('Field with the balance, a number.'),
      })
      .meta({ title: 'Balances' })
      .describe('Where the balances are. They are read when the phase of the operation begins, and kept in memory.'),
    entries: z
      .strictObject({
        collection: z.string().describe('Collection of the journal.'),
        id: fieldName
          .default('_id')
          .describe(
            'Field with the id of the transfer, made by the client: two entries with the same id mean that it was applied twice. Default: _id, which is always unique.',
          ),
        from: fieldName.describe('Field with the `_id` of the account that pays.'),
        to: fieldName.describe('Field with the `_id` of the account that is paid.'),
        amount: fieldName.describe('Field with the amount, a number.'),
      })
      .meta({ title: 'JournalEntries' })
      .describe('Where the journal is.'),
  },
  example: {
    kind: 'journalMatches',
    name: 'journal',
    operation: 'transfers.transfer',
    balances: { collection: 'accounts', field: 'balance' },
    entries: { collection: 'transfers', from: 'from', to: 'to', amount: 'amount' },
  },
  names: (spec) => ({
    collections: [
      { path: ['balances', 'collection'], name: spec.balances.collection },
      { path: ['entries', 'collection'], name: spec.entries.collection },
    ],
    inserts: [{ path: ['operation'], ...createNamedInsert(spec) }],
    keepsInserted: true,
  }),
  open,
})
