import { type Collection, type Document } from 'mongodb'
import { z } from 'zod'
import { groupDigits } from '../../core/quantities.ts'
import { type MeasureOf } from '../../results/check-metrics.ts'
import { type CheckContext, defineCheck, type Findings, type OpenCheck } from './check.ts'
import { awaitMajority, numberIn, type ReadOptions, safeRead } from './reads.ts'
import { noChange, type Tally } from './tally.ts'

type CountMetric = MeasureOf<'countMatches'>

/** The range of document counts that are correct, and the acknowledged changes. */
export type CountRange = Pick<Tally, 'least' | 'most' | 'acknowledged'>

/** @param whyAllowed Why writes that were acknowledged may be gone, removals among them. Null: they may not. */
export function judgeCount(
  counted: number,
  { least, most, acknowledged }: CountRange,
  whyAllowed: string | null,
): Findings<CountMetric> {
  const isRight = counted >= least && counted <= most
  const mayBeUndone = counted >= least - acknowledged.added && counted <= most + acknowledged.removed
  const status = isRight ? 'held' : whyAllowed !== null && mayBeUndone ? 'allowed' : 'violated'
  const expected = least === most ? String(least) : `${least} to ${most}`
  return {
    status,
    reason: status === 'allowed' ? whyAllowed : null,
    measures: { counted, expectedLeast: least, expectedMost: most },
    evidence: isRight ? [] : [`there are ${groupDigits(counted)} documents instead of ${groupDigits(expected)}`],
  }
}

/** The documents themselves: the book that a server keeps of a collection may be wrong after a crash. */
async function countMatchingDocuments(collection: Collection, options: ReadOptions): Promise<number> {
  const stages = [{ $group: { _id: null, documents: { $sum: 1 } } }]
  const [found] = await collection.aggregate<Document>(stages, options).toArray()
  return numberIn(found?.['documents']) ?? 0
}

type CountSpec = {
  readonly collection: string
  readonly expect?: number | undefined
  readonly operations?: readonly string[] | undefined
}

function open(spec: CountSpec, context: CheckContext): OpenCheck<CountMetric> {
  const { expect, operations } = spec
  const { db, clock, signal } = context
  const collection = context.collection(spec.collection)
  const changes = expect === undefined ? context.changes(spec.collection, operations) : undefined
  let before: number | undefined

  function range(): CountRange {
    if (changes === undefined || before === undefined)
      return { least: expect ?? 0, most: expect ?? 0, acknowledged: noChange }
    const { least, most, acknowledged } = changes.tally
    return { least: Math.max(0, before + least), most: before + most, acknowledged }
  }

  return {
    async phaseBegins() {
      if (changes === undefined || before !== undefined) return
      await awaitMajority({ db, signal, collections: [collection] }, clock)
      before = await countMatchingDocuments(collection, safeRead(signal))
    },
    async finish() {
      await awaitMajority({ db, signal, collections: [collection] }, clock)
      const counted = await countMatchingDocuments(collection, safeRead(signal))
      return judgeCount(counted, range(), (await changes?.whyLossIsAllowed()) ?? null)
    },
  }
}

/** The check that a collection holds the expected number of documents at the end. */
export const countMatches = defineCheck({
  kind: 'countMatches',
  summary:
    'A collection holds the expected number of documents at the end: the number before the first phase, plus all documents that acknowledged operations added, minus those that they removed. Operations of unknown outcome make it a range.',
  fields: {
    collection: z.string().describe('Collection whose documents are counted.'),
    expect: z
      .int()
      .min(0)
      .optional()
      .describe('Expect exactly this many documents. Default: as many as acknowledged operations leave.'),
    operations: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Addresses of the operations that count. Default: all that add or remove documents of the collection.'),
  },
  example: { kind: 'countMatches', collection: 'transfers', operations: ['transfers.transfer'] },
  names: ({ collection, expect, operations = [] }) => ({
    collections: [{ path: ['collection'], name: collection }],
    ...(expect === undefined && {
      counted: {
        collection,
        operations: operations.map((address, i) => ({ path: ['operations', i], address })),
      },
    }),
  }),
  open,
})
