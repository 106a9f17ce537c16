import { expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { aPlan } from '../../fakes/a-plan.ts'
import { aPhase, problemsOf } from '../../fakes/a-spec.ts'
import { type TextData } from '../../texts/golden.ts'

const target = { kind: 'replicaSet', members: 1 }
const write = { kind: 'insertOne' }
const watching = (parts: JsonObject = {}, phase: JsonObject = {}) => ({
  target,
  phases: [aPhase({ operations: [{ kind: 'changeStream', ...parts }, write], ...phase })],
})

test('a change stream is no operation that is drawn', () => {
  const { streams, operations, calls } = aPlan(watching({ name: 'watch', options: { batchSize: 50 } }))
  expect(streams).toMatchObject([
    { name: 'watch', kind: 'changeStream', collection: 'things', pipeline: [], options: { batchSize: 50 } },
  ])
  expect(operations.map(({ name }) => name)).toEqual(['insertOne'])
  const source = calls('measured')
  expect(new Set(Array.from({ length: 20 }, () => source.next().operation))).toEqual(new Set([0]))
})

test('its pipeline is sent with the types of Extended JSON, and literals untouched', () => {
  const pipeline = [
    { $match: { 'fullDocument.at': { $gt: { $date: '2024-01-01T00:00:00Z' } } } },
    { $set: { x: { '@literal': { '@row': 1 } } } },
  ]
  expect(aPlan(watching({ pipeline })).streams[0]?.pipeline).toEqual([
    { $match: { 'fullDocument.at': { $gt: new Date('2024-01-01') } } },
    { $set: { x: { '@row': 1 } } },
  ])
})

test.each<[JsonObject, string, TextData?]>([
  [{ pipeline: [{ $match: { n: { '@int': {} } } }] }, 'spec-stream-drawn', { place: 'pipeline[0]' }],
  [{ pipeline: [5] }, 'spec-stream-stage-number'],
  [{ pipeline: [{ $out: 'x' }] }, 'spec-stream-out'],
  [{ pipeline: [{ $merge: 'x' }] }, 'spec-stream-merge'],
  [{ collection: 'thing' }, 'spec-stream-collection-misspelt'],
])('is refused: %j', (parts, code, data) => expect(problemsOf(watching(parts))).toSay(code, data))

test('a phase that only watches is refused', () =>
  expect(problemsOf(watching({}, { operations: [{ kind: 'changeStream' }] }))).toSay('spec-stream-alone'))

test('a standalone server cannot be watched', () =>
  expect(problemsOf({ ...watching(), target: { kind: 'standalone' } })).toSay('spec-stream-of-standalone'))

test('a standalone target of the spec does not matter where another server is measured', () =>
  expect(problemsOf({ ...watching(), target: { kind: 'standalone' } }, { existing: true })).toEqual([]))
