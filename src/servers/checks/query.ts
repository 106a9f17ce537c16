import { Decimal128 } from 'bson'
import { type Document } from 'mongodb'
import { z } from 'zod'
import { type Json } from '../../core/json.ts'
import { compare } from '../../language/functions/comparison.ts'
import { value } from '../../language/value-schema.ts'
import { isDocument } from '../../language/values/bson-types.ts'
import { fromBson } from '../../language/values/from-bson.ts'
import { type MeasureOf } from '../../results/check-metrics.ts'
import { type CheckContext, defineCheck, type Findings, type OpenCheck } from './check.ts'
import { Evidence, valueText, awaitMajority, safeRead } from './reads.ts'

type QueryMetric = MeasureOf<'query'>

/** Compares as the server does: numbers by value, whatever their type; documents field by field, in their order. */
export const isEqual = (one: unknown, other: unknown): boolean => compare(asCompared(one), asCompared(other)) === 0

/** Converts decimals, which specs cannot compute with. */
function asCompared(given: unknown): unknown {
  if (given instanceof Decimal128) return Number(String(given))
  if (Array.isArray(given)) return given.map(asCompared)
  if (!isDocument(given)) return given
  return Object.fromEntries(Object.entries(given).map(([key, item]) => [key, asCompared(item)]))
}

/** Compares what a pipeline gave with what it should give, document by document. */
export function judgeAnswer(found: readonly unknown[], expected: readonly unknown[]): Findings<QueryMetric> {
  const evidence = new Evidence()
  let differences = 0
  for (let i = 0; i < Math.max(found.length, expected.length); i++) {
    if (i < found.length && i < expected.length && isEqual(found[i], expected[i])) continue
    differences += 1
    const text = (list: readonly unknown[]): string => (i < list.length ? valueText(list[i]) : 'nothing')
    evidence.add(() => `document ${i + 1} is ${text(found)} instead of ${text(expected)}`)
  }
  return {
    status: differences === 0 ? 'held' : 'violated',
    reason: null,
    measures: { documents: found.length, expected: expected.length, differences },
    evidence: evidence.texts,
  }
}

type QuerySpec = { readonly collection?: string | undefined; readonly pipeline: Json; readonly expect: Json }

function open({ collection, pipeline, expect }: QuerySpec, context: CheckContext): OpenCheck<QueryMetric> {
  const { db, clock, signal } = context
  return {
    async finish() {
      const named = collection === undefined ? undefined : context.collection(collection)
      await awaitMajority({ db, signal, collections: [named ?? db.collection('any')] }, clock)
      const source = named ?? db
      const stages = context.fixed(pipeline) as Document[]
      const found = await source.aggregate(stages, { ...safeRead(signal), raw: true }).toArray()
      const wanted = context.fixed(expect)
      return judgeAnswer(
        found.map((document) => fromBson(document as unknown as Uint8Array)),
        Array.isArray(wanted) ? wanted : [wanted],
      )
    },
  }
}

/** The check that an aggregation returns the expected documents after all phases. */
export const query = defineCheck({
  kind: 'query',
  summary: 'Your own aggregation returns what you expect after all phases.',
  fields: {
    collection: z.string().optional().describe('Collection to read. Default: the database, as `db.aggregate` does.'),
    pipeline: value.describe('Stages, in which nothing is drawn.'),
    expect: value.describe(
      'The documents that it returns, in order, or the only one. Numbers are compared by value, fields in order.',
    ),
  },
  example: {
    kind: 'query',
    name: 'noDebts',
    collection: 'accounts',
    pipeline: [{ $match: { balance: { $lt: 0 } } }, { $count: 'debtors' }],
    expect: [],
  },
  names: ({ collection, pipeline, expect }) => ({
    collections: collection === undefined ? [] : [{ path: ['collection'], name: collection }],
    values: [
      { path: ['pipeline'], node: pipeline },
      { path: ['expect'], node: expect },
    ],
  }),
  open,
})
