import { ObjectId } from 'bson'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../src/core/errors.ts'
import { type QueryFlags, readOwnQuery } from '../../../../src/sources/init/query/read-query.ts'

function problemOf(flags: QueryFlags): Problem {
  try {
    readOwnQuery(flags)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('it was read')
}

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
  test.each<readonly [flags: QueryFlags, hint: string]>([
    [{ query: "{status: 'open'}" }, 'names and texts in double quotes'],
    [{ query: '{"at": {"$gte": ISODate("2026-01-01")}}' }, '{"$date":"2026-01-31T00:00:00Z"} for ISODate(…)'],
    [{ query: '{"_id": ObjectId("5f5f5f5f5f5f5f5f5f5f5f5f")}' }, '{"$oid":"…"} for ObjectId(…)'],
    [{ query: '{"name": /^a/}' }, '{"$regex":"^a","$options":"i"}'],
    [{ query: '{"at": {"": 5}}' }, 'put the whole in single quotes'],
    [{ query: '{"at": {: 5}}' }, 'put the whole in single quotes'],
    [{ query: '[1]' }, '--query \'{"status":"open"}\''],
    [{ pipeline: '{"$match": {}}' }, '--pipeline \'[{"$match":'],
    [{ pipeline: '[]' }, '--pipeline \'[{"$match":'],
    [{ query: '{"a": {"$where": "1"}}' }, 'Measure the call without it'],
    [{ pipeline: '[{"$out": "x"}]' }, 'Measure the call without it'],
    [{ query: '{"a": {"@int": {}}}' }, 'Measure the call without it'],
    [{ update: '{"$set": {"a": 1}}' }, 'Add --query'],
    [{ keep: ['a'] }, 'Add --query'],
  ])('%j', (flags, hint) => {
    const { code, hint: shown } = problemOf(flags)
    expect({ code, shown }).toEqual({ code: 'usage', shown: expect.stringContaining(hint) })
  })
})
