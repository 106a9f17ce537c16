import { describe, expect, test } from 'vitest'
import { emptyReply, type Outcome } from '../../src/load/engines/engine.ts'
import {
  type MethodKind,
  type NamedArguments,
  noArguments,
  type Options,
  type Write,
} from '../../src/load/engines/intent.ts'
import { changesCollection, type EvidencePart, type EvidenceRequest, observeEvidence } from '../../src/load/evidence.ts'
import { type MethodPlan, type OperationPlan, type PlannedCall } from '../../src/load/plan/plan.ts'
import { idBytes } from '../../src/servers/checks/id-table.ts'
import { Ledger } from '../../src/servers/checks/ledger.ts'
import { Tally } from '../../src/servers/checks/tally.ts'
import { getOperation } from '../../src/spec/operations/index.ts'

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

/** Evidence of one call. */
function evidenceOf(request: EvidenceRequest, operation: OperationPlan, sent: PlannedCall, outcome: Outcome) {
  const { observe, take } = observeEvidence(request, { operations: [operation] })
  observe(sent, outcome)
  const [ledger, tally, part] = [new Ledger(), new Tally(), take()]
  if (part.kind === 'ledger') ledger.add(part)
  else tally.add(part)
  return { ledger: ledger.close(), tally }
}

const inserts = (step?: number): EvidenceRequest => ({ kind: 'inserts', operation: 0, step, field: '_id' })
const changes: EvidenceRequest = { kind: 'changes', collection: 'events', operations: [0] }

/** What became of the ids 1, 2 and 3 of a batch. */
function outcomesOf(outcome: Outcome, options: Options = {}): readonly string[] {
  const sent = call({ documents: [{ _id: 1 }, { _id: 2 }, { _id: 3 }], options })
  const { ledger } = evidenceOf(inserts(), insert('insertMany'), sent, outcome)
  return [1, 2, 3].map((id) => ledger.outcomeAt(ledger.find(idBytes(id))))
}

describe('a batch', () => {
  test('was acknowledged up to where it failed, in its order', () => {
    expect(outcomesOf(ok(3))).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
    expect(outcomesOf(failure('failed', 2))).toEqual(['acknowledged', 'acknowledged', 'failed'])
    expect(outcomesOf(failure('failed'))).toEqual(['failed', 'failed', 'failed'])
    expect(outcomesOf(failure('unknown', 2))).toEqual(['unknown', 'unknown', 'unknown'])
  })

  test('without an order leaves unknown which part failed', () =>
    expect(outcomesOf(failure('failed', 2), { ordered: false })).toEqual(['unknown', 'unknown', 'unknown']))
})

/** A call of several steps, one of which inserted, and what came of it as a whole. */
function afterSteps(kind: string, whole: Outcome): { readonly outcome: string; readonly added: readonly number[] } {
  const operation = { name: 'both', kind, steps: [insert('insertOne')] }
  const given = { args: { document: { _id: 1 }, options: {} }, bytes: 0 }
  const outcome = { ...whole, steps: [{ step: 0, ms: 1, bytes: 0, given, outcome: ok(1) }] }
  const { ledger } = evidenceOf(inserts(0), operation, call(), outcome)
  const { tally } = evidenceOf(changes, operation, call(), outcome)
  return { outcome: ledger.outcomeAt(0), added: [tally.least, tally.most] }
}

test('steps are done one by one, those of a transaction all or none', () => {
  expect(afterSteps('steps', failure('failed'))).toEqual({ outcome: 'acknowledged', added: [1, 1] })
  expect(afterSteps('transaction', ok(1))).toEqual({ outcome: 'acknowledged', added: [1, 1] })
  expect(afterSteps('transaction', failure('failed'))).toEqual({ outcome: 'failed', added: [0, 0] })
  expect(afterSteps('transaction', failure('unknown'))).toEqual({ outcome: 'unknown', added: [0, 1] })
})

test('calls of operations that are not meant leave no evidence', () => {
  const operations = [insert('insertOne'), insert('insertOne')]
  const of = (request: EvidenceRequest): EvidencePart => {
    const { observe, take } = observeEvidence(request, { operations })
    observe({ ...call({ document: { _id: 1 }, options: {} }), operation: 1 }, ok(1))
    return take()
  }
  expect(of(inserts())).toMatchObject({ outcomes: new Uint8Array() })
  expect(of(changes)).toMatchObject({ done: { added: 0, removed: 0 }, perhaps: { added: 0, removed: 0 } })
  expect(of({ ...changes, operations: [1] })).toMatchObject({ done: { added: 1, removed: 0 } })
})

test('an operation changes the collection that it or one of its steps writes to, and no other', () => {
  const steps = { name: 'both', kind: 'steps', steps: [insert('insertOne')] }
  for (const operation of [insert('insertMany'), steps]) {
    expect(changesCollection(operation, 'events')).toBe(true)
    expect(changesCollection(operation, 'elsewhere')).toBe(false)
  }
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
  const operation = { ...insert('insertOne'), kind, reply: getOperation(kind).reply }
  const { tally } = evidenceOf(changes, operation, call({ ...args, options: {} }), failure('unknown'))
  expect([tally.least, tally.most].map((bound) => bound + 0)).toEqual(bounds)
})
