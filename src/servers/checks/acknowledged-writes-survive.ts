import { type Collection } from 'mongodb'
import { z } from 'zod'
import { type MeasureOf } from '../../results/check-metrics.ts'
import { type CheckContext, defineCheck, type Findings, type OpenCheck } from './check.ts'
import { judgeLoss } from './durability.ts'
import { type ClosedLedger } from './ledger.ts'
import { Evidence, idText, awaitMajority, decoded, eachDocument, type ReadOptions, safeRead } from './reads.ts'

type SurvivalMetric = MeasureOf<'acknowledgedWritesSurvive'>

/**
 * @param timesSeen How often each id of the ledger is there.
 * @param whyAllowed Why a document that was acknowledged may be gone. Null: it may not.
 */
export function judgeSurvival(
  sent: ClosedLedger,
  timesSeen: Uint8Array,
  whyAllowed: string | null,
): Findings<SurvivalMetric> {
  const evidence = new Evidence()
  let duplicated = 0
  const { sent: all, there } = sent.count((number, outcome) => {
    const times = timesSeen[number] ?? 0
    const addEvidence = (what: string): void =>
      evidence.add(() => `the document with the _id ${idText(sent.idAt(number))} ${what}`)
    if (times > 1) {
      duplicated += 1
      addEvidence(`is there ${times} times`)
    }
    if (times === 0 && outcome === 'acknowledged') addEvidence('was acknowledged and is not there')
    return times > 0
  })
  const lost = all.acknowledged - there.acknowledged
  const measures = {
    acknowledged: all.acknowledged,
    lost,
    unknown: all.unknown,
    unknownButPresent: there.unknown,
    failed: all.failed,
    failedButPresent: there.failed,
    duplicated,
  }
  const status = judgeLoss(duplicated > 0, lost, whyAllowed)
  return { status, reason: status === 'allowed' ? whyAllowed : null, measures, evidence: evidence.texts }
}

const idsPerQuery = 5_000

/** Looks each id up: what else the collection holds is not read. */
async function countSeen(collection: Collection, sent: ClosedLedger, options: ReadOptions): Promise<Uint8Array> {
  const times = new Uint8Array(sent.size)
  for (let first = 0; first < sent.size; first += idsPerQuery) {
    const numbers = Array.from({ length: Math.min(idsPerQuery, sent.size - first) }, (_, i) => first + i)
    const ids = numbers.map((number) => decoded(sent.idAt(number))['_id'] as never)
    await eachDocument(collection, { _id: { $in: ids } }, { ...options, projection: { _id: 1 } }, (document) => {
      const number = sent.find(document)
      if (number >= 0) times[number] = Math.min(255, (times[number] ?? 0) + 1)
    })
  }
  return times
}

type SurvivalSpec = { readonly operation: string; readonly collection?: string | undefined }

function open({ operation, collection }: SurvivalSpec, context: CheckContext): OpenCheck<SurvivalMetric> {
  const { db, clock, signal } = context
  const insert = context.insert({ address: operation, into: collection }, '_id')
  return {
    async finish() {
      await awaitMajority({ db, signal, collections: [insert.collection] }, clock)
      const sent = insert.ledger.close()
      const seen = await countSeen(insert.collection, sent, safeRead(signal))
      return judgeSurvival(sent, seen, await insert.whyLossIsAllowed())
    },
  }
}

/** The check that every acknowledged insert is in the collection at the end. */
export const acknowledgedWritesSurvive = defineCheck({
  kind: 'acknowledgedWritesSurvive',
  summary:
    'Every document whose insert was acknowledged is there at the end, by its `_id`. A loss that the write concern allows is reported as such and is not a violation; documents of unknown outcome may be there or not.',
  fields: {
    operation: z
      .string()
      .describe(
        'Address of the operation that inserts (`insertOne`, `insertMany`), or of steps of which one does: "insert.insertOne".',
      ),
    collection: z
      .string()
      .optional()
      .describe('If several steps insert, only inserts into this collection count. Default: the only one.'),
  },
  example: { kind: 'acknowledgedWritesSurvive', name: 'survive', operation: 'insert.insertOne' },
  names: ({ operation, collection }) => ({
    collections: collection === undefined ? [] : [{ path: ['collection'], name: collection }],
    inserts: [{ path: ['operation'], address: operation, into: collection }],
    keepsInserted: true,
  }),
  open,
})
