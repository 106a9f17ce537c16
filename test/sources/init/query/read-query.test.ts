import { ObjectId } from 'bson'
import { describe, expect, test } from 'vitest'
import { type QueryFlags, readOwnQuery } from '../../../../src/sources/init/query/read-query.ts'

describe('the options of a query become the call of a program', () => {
  test.each<readonly [flags: QueryFlags, call: object]>([
    [
      { query: '{"a": 1, /* theirs */ "b": {"$gt": 2},}', sort: '{"c": -1}', limit: 20 },
      { kind: 'find', filter: { a: 1, b: { $gt: 2 } }, options: { sort: { c: -1 }, limit: 20 } },
    ],
    [{ sort: '{"c": -1}' }, { kind: 'find', filter: {}, options: { sort: { c: -1 } } }],
    [
      { query: '{"_id": {"$oid": "5f5f5f5f5f5f5f5f5f5f5f5f"}, "at": {"$date": "2026-01-01T00:00:00Z"}}' },
      { kind: 'find', filter: { _id: new ObjectId('5f5f5f5f5f5f5f5f5f5f5f5f'), at: new Date('2026-01-01T00:00:00Z') } },
    ],
    [
      { pipeline: '[{"$match": {"a": 1}}, {"$group": {"_id": "$b"}}]' },
      { kind: 'aggregate', pipeline: [{ $match: { a: 1 } }, { $group: { _id: '$b' } }] },
    ],
    [
      { query: '{"a": 1}', update: '{"$set": {"b": 2}}' },
      { kind: 'updateOne', filter: { a: 1 }, update: { $set: { b: 2 } } },
    ],
    [
      { query: '{"a": 1}', update: '{"b": 2}' },
      { kind: 'replaceOne', update: { b: 2 } },
    ],
    [
      { query: '{}', update: '[{"$set": {"b": "$a"}}]' },
      { kind: 'updateOne', update: [{ $set: { b: '$a' } }] },
    ],
  ])('%j', (flags, call) => expect(readOwnQuery(flags)?.call).toMatchObject(call))

  test('and none is none; fields to keep may be a list', () => {
    expect(readOwnQuery({})).toBeUndefined()
    expect(readOwnQuery({ query: '{}', keep: ['a,b.c', 'd'] })?.keep).toEqual(new Set(['a', 'b.c', 'd']))
  })
})

describe('what people write who come from the shell gets a hint', () => {
  test.each<readonly [flags: QueryFlags, code: string]>([
    [{ query: "{status: 'open'}" }, 'query-without-double-quotes'],
    [{ query: '{"at": {"$gte": ISODate("2026-01-01")}}' }, 'query-with-iso-date'],
    [{ query: '{"_id": ObjectId("5f5f5f5f5f5f5f5f5f5f5f5f")}' }, 'query-with-object-id'],
    [{ query: '{"name": /^a/}' }, 'query-with-regular-expression'],
    [{ query: '{"at": {"": 5}}' }, 'query-with-empty-name'],
    [{ query: '{"at": {: 5}}' }, 'query-eaten-by-shell'],
    [{ query: '[1]' }, 'query-no-document'],
    [{ pipeline: '{"$match": {}}' }, 'pipeline-no-list'],
    [{ pipeline: '[]' }, 'pipeline-empty'],
    [{ query: '{"a": {"$where": "1"}}' }, 'query-with-where'],
    [{ pipeline: '[{"$out": "x"}]' }, 'pipeline-with-out'],
    [{ query: '{"a": {"@int": {}}}' }, 'query-with-keyword'],
    [{ update: '{"$set": {"a": 1}}' }, 'update-without-query'],
    [{ keep: ['a'] }, 'keep-without-query'],
  ])('%j', (flags, code) => {
    expect(() => readOwnQuery(flags)).toSay(code)
  })
})
