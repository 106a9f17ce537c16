import { expect, test } from 'vitest'
import { emptyReply, type Reply } from '../../../src/load/engines/engine.ts'
import { type MethodKind, type NamedArguments, type WriteKind } from '../../../src/load/engines/intent.ts'
import { createCountCheck } from '../../../src/load/engines/possible-counts.ts'

const bulk = (...kinds: readonly WriteKind[]): Partial<NamedArguments> => ({
  writes: kinds.map((kind) => ({ kind, namespace: undefined, fields: {} })),
})
const two = { documents: [{}, {}] }
const mixed = bulk('insertOne', 'updateOne', 'deleteOne')

test.each<
  readonly [MethodKind, Partial<NamedArguments>, possible: readonly Partial<Reply>[], not: readonly Partial<Reply>[]]
>([
  ['insertOne', {}, [{ inserted: 1 }], [{}, { inserted: 2 }]],
  ['insertMany', two, [{ inserted: 2 }], [{ inserted: 1 }, { inserted: 3 }]],
  [
    'updateOne',
    {},
    [{}, { matched: 1 }, { matched: 1, modified: 1, documents: 1 }, { upserted: 1, documents: 1 }],
    [{ matched: 2 }, { upserted: 2, documents: 2 }, { modified: 1 }],
  ],
  ['updateMany', {}, [{}, { matched: 9, modified: 9 }, { upserted: 1 }], [{ matched: 1, modified: 2 }]],
  ['deleteOne', {}, [{}, { documents: 1, deleted: 1 }], [{ documents: 2, deleted: 2 }]],
  ['findOneAndDelete', {}, [{}, { documents: 1 }], [{ documents: 2 }]],
  [
    'bulkWrite',
    mixed,
    [{ inserted: 1 }, { inserted: 1, matched: 1, modified: 1, deleted: 1 }, { inserted: 1, upserted: 1 }],
    [{}, { inserted: 2 }, { inserted: 1, matched: 2 }, { inserted: 1, deleted: 2 }, { inserted: 1, modified: 1 }],
  ],
  [
    'clientBulkWrite',
    bulk('updateMany', 'deleteMany'),
    [{}, { matched: 9, modified: 5, deleted: 9, upserted: 1 }],
    [{ inserted: 1 }, { upserted: 2 }],
  ],
])('%s succeeds with counts that such a call can have, and not with others', (kind, given, possible, impossible) => {
  const check = createCountCheck(kind)
  const args = { options: {}, ...given }
  for (const reply of possible) expect(check?.({ ...emptyReply, ...reply }, args)).toMatchObject(reply)
  for (const reply of impossible) expect(() => check?.({ ...emptyReply, ...reply }, args)).toThrow('impossible counts')
})

test('reads, and writes that are not acknowledged, have any counts', () => {
  expect(createCountCheck('find')).toBeUndefined()
  expect(createCountCheck('deleteMany')).toBeUndefined()
  expect(createCountCheck('insertOne', 0)).toBeUndefined()
})
