import { serialize } from 'bson'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { expressionsIn } from '../../../src/language/expression.ts'
import { compilePhase } from '../../../src/spec/plan/compile-phase.ts'
import { createDataSet, type DataSet } from '../../../src/spec/plan/data-set.ts'
import { aPhase, oneRow } from '../../fakes/a-spec.ts'
import { forAll } from '../../fakes/for-all.ts'
import { documents } from '../../fakes/random-documents.ts'

const notInRows = new Set(['@key', '@pickRow', '@nextRow', '@document', '@sample'])

/** Documents that a data set may have: those that draw rows of others are refused there. */
const rowDocuments = documents.filter(
  (document) => !expressionsIn(document).some(({ keyword }) => notInRows.has(keyword)),
)

const bytesOf = (document: unknown): string => Buffer.from(serialize(document as object)).toString('hex')

const rowBytes = ({ documentOf }: DataSet, row: number): string => bytesOf(documentOf?.(row).document)

test('a row is the same document in order, out of order, alone, inserted, and as @document', () =>
  forAll(rowDocuments, fc.array(fc.nat(40), { minLength: 1, maxLength: 12 }), (document, rows) => {
    const insert = { kind: 'insertOne' }
    const find = { kind: 'find', filter: { d: { '@document': { row: rows[0] ?? 0 } } } }
    const { spec } = oneRow({
      data: { collection: 'things', rows: 10, document: document as Json },
      phases: [aPhase({ operations: [insert] }), aPhase({ name: 'second', operations: [find] })],
    })
    const context = { seed: spec.seed, report: () => {} }
    const [given] = spec.data
    const fresh = (): DataSet => createDataSet(given as NonNullable<typeof given>, ['data', 0], context)
    const inOrder = fresh()
    const expected = Array.from({ length: 41 }, (_, row) => rowBytes(inOrder, row))

    const jumping = fresh()
    expect(rows.map((row) => rowBytes(jumping, row))).toEqual(rows.map((row) => expected[row]))
    expect(rows.map((row) => rowBytes(fresh(), row))).toEqual(rows.map((row) => expected[row]))

    const dataSet = fresh()
    const [inserts, reads] = spec.phases.map((phase, i) => compilePhase(phase, ['phases', i], [dataSet], context))
    const calls = inserts?.calls('measured')
    expect([10, 11, 12].map(() => bytesOf(calls?.next().args.document))).toEqual(expected.slice(10, 13))
    const filter = reads?.calls('measured').next().args.filter as { d: object }
    expect(bytesOf(filter.d)).toBe(expected[rows[0] ?? 0])
  }))
