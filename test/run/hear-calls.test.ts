import { describe, expect, test } from 'vitest'
import { idBytes } from '../../src/checks/id-table.ts'
import { Ledger } from '../../src/checks/ledger.ts'
import { Tally } from '../../src/checks/tally.ts'
import { emptyReply, type Outcome } from '../../src/engines/engine.ts'
import {
  type MethodKind,
  type NamedArguments,
  noArguments,
  type Options,
  type Write,
} from '../../src/engines/intent.ts'
import { getOperation } from '../../src/operations/index.ts'
import { type MethodPlan } from '../../src/plan/plan.ts'
import { hearChanges, hearInsert } from '../../src/run/hear-calls.ts'

const insert = (kind: 'insertOne' | 'insertMany'): MethodPlan => ({
  name: 'put',
  kind,
  database: undefined,
  collection: 'events',
  reply: kind === 'insertOne' ? 'insert' : 'insertMany',
  carriesDocuments: true,
})

const call = (args = noArguments) => ({ operation: 0, args, bytes: 0, documents: 1, number: 0 })
const ok = (inserted: number): Outcome => ({ kind: 'ok', reply: { ...emptyReply, inserted } })
const failure = (kind: 'failed' | 'unknown', inserted = 0): Outcome => ({
  kind,
  code: '1',
  name: 'Error',
  message: 'no',
  labels: [],
  reply: { ...emptyReply, inserted },
})

/** What became of the ids 1, 2 and 3 of a batch. */
function fatesOf(outcome: Outcome, options: Options = {}): readonly string[] {
  const ledger = new Ledger()
  const plan = { name: 'insert', operations: [insert('insertMany')] }
  const hear = hearInsert({ phase: { name: 'insert' }, operation: 'put', step: null }, '_id', ledger, plan)
  hear?.(call({ documents: [{ _id: 1 }, { _id: 2 }, { _id: 3 }], options }), outcome)
  const closed = ledger.close()
  return [1, 2, 3].map((id) => closed.fateAt(closed.find(idBytes(id))))
}

describe('a batch', () => {
  test('was acknowledged up to where it failed, in its order', () => {
    expect(fatesOf(ok(3))).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
    expect(fatesOf(failure('failed', 2))).toEqual(['acknowledged', 'acknowledged', 'failed'])
    expect(fatesOf(failure('failed'))).toEqual(['failed', 'failed', 'failed'])
    expect(fatesOf(failure('unknown', 2))).toEqual(['unknown', 'unknown', 'unknown'])
  })

  test('without an order does not tell which part failed', () => {
    expect(fatesOf(failure('failed', 2), { ordered: false })).toEqual(['unknown', 'unknown', 'unknown'])
  })
})

/** A call of several steps, one of which inserted, and what came of it as a whole. */
function afterSteps(kind: string, whole: Outcome): { readonly fate: string; readonly added: readonly number[] } {
  const ledger = new Ledger()
  const tally = new Tally()
  const plan = { name: 'insert', operations: [{ name: 'both', kind, steps: [insert('insertOne')] }] }
  const given = { args: { document: { _id: 1 }, options: {} }, bytes: 0 }
  const outcome = { ...whole, steps: [{ step: 0, ms: 1, bytes: 0, given, outcome: ok(1) }] }
  hearInsert({ phase: { name: 'insert' }, operation: 'both', step: 'put' }, '_id', ledger, plan)?.(call(), outcome)
  hearChanges('events', () => true, tally, plan)?.(call(), outcome)
  return { fate: ledger.close().fateAt(0), added: [tally.least, tally.most] }
}

test('steps are done one by one, those of a transaction all or none', () => {
  expect(afterSteps('steps', failure('failed'))).toEqual({ fate: 'acknowledged', added: [1, 1] })
  expect(afterSteps('transaction', ok(1))).toEqual({ fate: 'acknowledged', added: [1, 1] })
  expect(afterSteps('transaction', failure('failed'))).toEqual({ fate: 'failed', added: [0, 0] })
  expect(afterSteps('transaction', failure('unknown'))).toEqual({ fate: 'unknown', added: [0, 1] })
})

const removal: Write = { kind: 'deleteOne', namespace: undefined, fields: { filter: {} } }

test.each<[MethodKind, Partial<NamedArguments>, readonly number[]]>([
  ['insertOne', { document: {} }, [0, 1]],
  ['insertMany', { documents: [{}, {}, {}] }, [0, 3]],
  ['updateMany', { filter: {}, update: {} }, [0, 1]],
  ['deleteOne', { filter: {} }, [-1, 0]],
  ['deleteMany', { filter: {} }, [-Infinity, 0]],
  ['findOneAndReplace', { filter: {}, replacement: {} }, [0, 1]],
  ['findOneAndDelete', { filter: {} }, [-1, 0]],
  ['bulkWrite', { writes: [removal, removal] }, [-Infinity, 2]],
])('what %s of unknown outcome may have done is bounded', (kind, args, bounds) => {
  const tally = new Tally()
  const operations = [{ ...insert('insertOne'), kind, reply: getOperation(kind).reply }]
  hearChanges('events', () => true, tally, { operations })?.(call({ ...args, options: {} }), failure('unknown'))
  expect([tally.least, tally.most].map((bound) => bound + 0)).toEqual(bounds)
})

test('a phase in which the operation is not has nobody who listens', () => {
  const plan = { name: 'other', operations: [insert('insertOne')] }
  const found = { phase: { name: 'insert' }, operation: 'put', step: null }
  expect(hearInsert(found, '_id', new Ledger(), plan)).toBeUndefined()
  expect(hearChanges('elsewhere', () => true, new Tally(), plan)).toBeUndefined()
})
