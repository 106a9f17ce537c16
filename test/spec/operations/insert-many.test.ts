import { expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { aPlan } from '../../fakes/a-plan.ts'
import { aPhase, problemsOf } from '../../fakes/a-spec.ts'

const phases = (documents: Json) => [aPhase({ operations: [{ kind: 'insertMany', documentsPerCall: 3, documents }] })]

const listUpTo = (max: number): Json => ({ '@array': { size: { min: 1, max }, of: { a: { '@int': {} } } } })

test('a list of documents may have another length for every call', () => {
  const calls = aPlan({ phases: phases(listUpTo(3)) }).calls('measured')
  const batches = Array.from({ length: 50 }, () => calls.next().args.documents ?? [])
  expect(new Set(batches.map(({ length }) => length))).toEqual(new Set([1, 2, 3]))
  expect(batches.flat().filter((document) => typeof (document as { a?: unknown }).a !== 'number')).toEqual([])
})

test('documents of a list that is written out are fresh for each call, because the driver adds the _id', () => {
  const calls = aPlan({ phases: phases([{ a: 1 }, { a: 2 }]) }).calls('measured')
  const [first, second] = [calls.next().args.documents, calls.next().args.documents]
  expect(first).toEqual([{ a: 1 }, { a: 2 }])
  expect(second?.[0]).not.toBe(first?.[0])
})

test('a list that is too long, or none, is refused', () => {
  expect(problemsOf({ phases: phases([{}, {}, {}, {}]) })).toSay('insert-many-list')
  expect(problemsOf({ phases: phases([1]) })).toSay('insert-many-list')
  expect(problemsOf({ phases: phases('a') })).toSay('insert-many-list')
})
