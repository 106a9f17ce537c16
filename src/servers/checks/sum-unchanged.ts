import { type Collection, type Document } from 'mongodb'
import { z } from 'zod'
import { type Clock } from '../../core/clock.ts'
import { groupDigits } from '../../core/quantities.ts'
import { type MeasureOf } from '../../results/check-metrics.ts'
import { errorText } from '../../results/error-text.ts'
import { type CheckContext, defineCheck, fieldName, type Findings, type OpenCheck, Inconclusive } from './check.ts'
import { type IdTable } from './id-table.ts'
import {
  Evidence,
  idText,
  areSame,
  awaitMajority,
  numberIn,
  ofOneSnapshot,
  readIds,
  type ReadOptions,
  safeRead,
} from './reads.ts'

/** A collection in figures, as one read found it. */
export type Total = {
  readonly documents: number
  /** Number of documents in which the field is a number. */
  readonly numbers: number
  readonly sum: number
  /** Null: there is no number. */
  readonly least: number | null
}

/** Compares what is read with what was there at the beginning. */
export class TotalBook {
  readonly #start: Total
  readonly #minimum: number | undefined
  readonly #evidence = new Evidence()
  #reads = 0
  #wrong = 0
  #lowest: number
  #highest: number
  #least: number
  #missing = 0
  #foreign = 0

  /** @param minimum No value may be below it. */
  constructor(start: Total, minimum: number | undefined) {
    this.#start = start
    this.#minimum = minimum
    this.#lowest = start.sum
    this.#highest = start.sum
    this.#least = start.least ?? 0
  }

  get reads(): number {
    return this.#reads
  }

  get isRight(): boolean {
    return this.#wrong + this.#missing + this.#foreign === 0
  }

  /** @param when As the beginning of a sentence: "at the end". */
  add(total: Total, when: string): void {
    this.#reads += 1
    this.#lowest = Math.min(this.#lowest, total.sum)
    this.#highest = Math.max(this.#highest, total.sum)
    this.#least = Math.min(this.#least, total.least ?? this.#least)
    const problems = this.#faultsOf(total)
    if (problems.length === 0) return
    this.#wrong += 1
    this.#evidence.add(() => `${when}: ${problems.join(', ')}`)
  }

  /** @param now The ids at the end. */
  compareIds(before: IdTable, now: IdTable): void {
    for (let i = 0; i < before.size; i++) {
      if (now.find(before.at(i)) >= 0) continue
      this.#missing += 1
      this.#evidence.add(() => `at the end: the document with the _id ${idText(before.at(i))} is gone`)
    }
    for (let i = 0; i < now.size; i++) {
      if (before.find(now.at(i)) >= 0) continue
      this.#foreign += 1
      this.#evidence.add(() => `at the end: the document with the _id ${idText(now.at(i))} was not there before`)
    }
  }

  findings(failedReads: number): Pick<Findings<SumMetric>, 'measures' | 'evidence'> {
    return {
      measures: {
        documents: this.#start.documents,
        expected: this.#start.sum,
        reads: this.#reads,
        failedReads,
        wrongReads: this.#wrong,
        lowest: this.#lowest,
        highest: this.#highest,
        leastValue: this.#least,
        missing: this.#missing,
        foreign: this.#foreign,
      },
      evidence: this.#evidence.texts,
    }
  }

  #faultsOf({ documents, numbers, sum, least }: Total): readonly string[] {
    const start = this.#start
    const minimum = this.#minimum
    return [
      ...(areSame(sum, start.sum) ? [] : [`the sum is ${groupDigits(sum)} instead of ${groupDigits(start.sum)}`]),
      ...(documents === start.documents
        ? []
        : [`there are ${groupDigits(documents)} documents instead of ${groupDigits(start.documents)}`]),
      ...(numbers === documents
        ? []
        : [
            `${documents - numbers === 1 ? '1 document has' : `${documents - numbers} documents have`} no number there`,
          ]),
      ...(minimum === undefined || least === null || least >= minimum ? [] : [`a value is ${least}, below ${minimum}`]),
    ]
  }
}

type SumMetric = MeasureOf<'sumUnchanged'>

async function readTotal(collection: Collection, field: string, options: ReadOptions): Promise<Total> {
  const path = `$${field}`
  const figures = {
    _id: null,
    documents: { $sum: 1 },
    numbers: { $sum: { $cond: [{ $isNumber: path }, 1, 0] } },
    sum: { $sum: path },
    least: { $min: { $cond: [{ $isNumber: path }, path, null] } },
  }
  const [found = {}] = await collection.aggregate<Document>([{ $group: figures }], options).toArray()
  return {
    documents: numberIn(found['documents']) ?? 0,
    numbers: numberIn(found['numbers']) ?? 0,
    sum: numberIn(found['sum']) ?? 0,
    least: numberIn(found['least']),
  }
}

/** Ids beyond this number are counted and not compared: they would take hundreds of megabytes. */
const maxComparedIds = 5_000_000
/** A server that is paused does not answer. */
const maxReadMs = 60_000
/** Maximum wait for a read that is under way when its phase ends. */
const maxEndMs = 10_000

type Watch = {
  readonly end: () => Promise<void>
  readonly failed: () => number
  readonly firstError: () => string | null
}

/** Reads at once, and then again and again until it is ended. What fails is counted. */
function watchRepeatedly(everySeconds: number, clock: Clock, read: (signal: AbortSignal) => Promise<void>): Watch {
  const ending = new AbortController()
  const ended = new AbortController()
  let failed = 0
  let firstError: string | null = null
  async function readOnce(): Promise<void> {
    try {
      await read(AbortSignal.any([ended.signal, AbortSignal.timeout(maxReadMs)]))
    } catch (error) {
      if (ended.signal.aborted) return
      failed += 1
      firstError ??= asText(error)
    }
  }
  async function watch(): Promise<void> {
    while (!ending.signal.aborted) {
      await readOnce()
      await clock.sleep(everySeconds * 1000, ending.signal)
    }
  }
  const watching = watch()
  return {
    failed: () => failed,
    firstError: () => firstError,
    async end() {
      ending.abort()
      const waited = new AbortController()
      await Promise.race([watching, clock.sleep(maxEndMs, waited.signal)])
      waited.abort()
      ended.abort()
      await watching
    },
  }
}

const asText = (error: unknown): string => {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return errorText({ code: name, name, message })
}

type SumSpec = {
  readonly collection: string
  readonly field: string
  readonly min?: number | undefined
  readonly during?: { readonly phase: string; readonly everySeconds: number } | undefined
}

function open(spec: SumSpec, { db, collection, clock, signal }: CheckContext): OpenCheck<SumMetric> {
  const { field, min, during } = spec
  const documents = collection(spec.collection)
  const reading = { db, signal, collections: [documents] }
  let start: { readonly book: TotalBook; readonly ids: IdTable | undefined } | undefined
  let watch: Watch | undefined

  async function begin(): Promise<void> {
    await awaitMajority(reading, clock)
    const total = await readTotal(documents, field, safeRead(signal))
    const ids = total.documents <= maxComparedIds ? await readIds(documents, safeRead(signal)) : undefined
    start = { book: new TotalBook(total, min), ids }
  }

  return {
    async phaseBegins(phase) {
      const isThisOne = during === undefined || phase === during.phase
      if (start === undefined && isThisOne) await begin()
      if (start === undefined || phase !== during?.phase) return
      const { book } = start
      const beginMs = clock.now()
      watch = watchRepeatedly(during.everySeconds, clock, async (untilEnded) => {
        const atMs = clock.now() - beginMs
        const total = await ofOneSnapshot({ ...reading, signal: untilEnded }, (options) =>
          readTotal(documents, field, options),
        )
        book.add(total, `${(atMs / 1000).toFixed(2)} s after the phase "${phase}" began`)
      })
    },
    async phaseEnds() {
      await watch?.end()
    },
    async finish() {
      if (start === undefined) throw new Inconclusive('its phase did not begin')
      const { book, ids } = start
      const duringPhase = book.reads
      await awaitMajority(reading, clock)
      book.add(await readTotal(documents, field, safeRead(signal)), 'at the end')
      if (ids !== undefined) book.compareIds(ids, await readIds(documents, safeRead(signal)))
      const found = book.findings(watch?.failed() ?? 0)
      if (!book.isRight) return { status: 'violated', reason: null, ...found }
      if (during !== undefined && duringPhase === 0)
        return { status: 'not-checked', reason: noRead(during.phase, watch?.firstError() ?? null), ...found }
      return { status: 'held', reason: null, ...found }
    },
  }
}

const noRead = (phase: string, error: string | null): string =>
  `no read during the phase "${phase}" succeeded${error === null ? '' : `: ${error}`}`

/** The check that the sum of a field over a collection stays constant. */
export const sumUnchanged = defineCheck({
  kind: 'sumUnchanged',
  summary:
    'The sum of a field over a collection stays what it was, and so do its documents: at the end, by a read that a majority confirms, and while a phase runs, by snapshots. It does not notice a transfer that is lost or applied twice as a whole.',
  fields: {
    collection: z.string().describe('Collection whose documents are added up.'),
    field: fieldName.describe('Field with the numbers.'),
    min: z.number().optional().describe('No value may be below it. Default: any value will do.'),
    during: z
      .strictObject({
        phase: z.string().describe('Phase during which it is read; the check begins when this phase does.'),
        everySeconds: z
          .number()
          .min(0.01)
          .max(3600)
          .describe('Seconds between two reads, 0.01 to 3600. Each read scans the collection, which slows the phase.'),
      })
      .meta({ title: 'ReadsDuringPhase' })
      .optional()
      .describe(
        'Reads while a phase runs. Needs a replica set or a cluster of 5.0 or newer. Default: none; the check then begins with the first phase.',
      ),
  },
  example: {
    kind: 'sumUnchanged',
    name: 'total',
    collection: 'accounts',
    field: 'balance',
    min: 0,
    during: { phase: 'transfers', everySeconds: 2 },
  },
  names: ({ collection, during }) => ({
    collections: [{ path: ['collection'], name: collection }],
    phases: during === undefined ? [] : [{ path: ['during', 'phase'], name: during.phase }],
    snapshots: during !== undefined,
  }),
  open,
})
