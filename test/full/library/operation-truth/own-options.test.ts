import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../../src/core/json.ts'
import { run, type SpecInput } from '../../../../src/entries/index.ts'
import { emptyReply } from '../../../../src/load/engines/engine.ts'
import { type OperationResult } from '../../../../src/results/schema/calls.ts'
import { allowedCommands } from '../../../../src/spec/operations/command.ts'
import { sharedServer } from '../../../contract/support/shared-servers.ts'
import { ownOptions } from './own-options.ts'
import { rows, some } from './truth.ts'

const server = sharedServer()
let client: MongoClient

beforeAll(async () => {
  client = new MongoClient(server.uri)
})

afterAll(async () => {
  await client.close()
})

/** Runs phases of one call each. */
async function resultsOf(
  name: string,
  called: readonly JsonObject[],
): Promise<readonly (OperationResult | undefined)[]> {
  const items = { collection: 'items', rows: rows.length, document: { '@arrayElemAt': [rows, { '@row': {} }] } }
  const spec = {
    name,
    data: [{ ...items, indexes: [{ key: { n: 1 } }] }, { collection: 'replies' }, { collection: 'command_' }],
    phases: called.map((operation, i) => ({
      name: `case-${i}`,
      stopAfter: { operations: 1 },
      operations: [operation],
    })),
  }
  const { variants } = await run(spec as unknown as SpecInput, { uri: server.uri })
  return (variants[0]?.phases ?? []).map(({ operations }) => operations[0])
}

const database = (name: string) => client.db(`mongoperf_${name.replaceAll('-', '_')}`)

/** A step, and one that stores what it replied. */
const keepReply = (step: JsonObject, _id: string): JsonObject => ({
  kind: 'steps',
  name: 'both',
  steps: [
    { ...step, collection: 'items', name: 'first' },
    // Its counts are numbers to compute with, whatever the driver made of them.
    {
      kind: 'insertOne',
      collection: 'replies',
      when: { '@lte': [{ '@var': 'first.documents' }, 100] },
      document: { _id, reply: { '@var': 'first' } },
    },
  ],
})

async function repliesIn(name: string): Promise<ReadonlyMap<string, Document>> {
  const stored = await database(name).collection<{ _id: string; reply: Document }>('replies').find().toArray()
  return new Map(stored.map(({ _id, reply }) => [_id, reply]))
}

describe('expectDocuments', () => {
  const argumentsOf: Readonly<Record<string, JsonObject>> = {
    findOne: { filter: { _id: { $lt: 1 } } },
    find: { filter: some },
    aggregate: { pipeline: [{ $match: some }] },
  }

  test.each(Object.keys(ownOptions))('of %s counts what is found and what is missing', async (kind) => {
    const inAll = kind === 'findOne' ? 1 : rows.filter(({ n }) => n >= 2).length
    const operation = (expectDocuments: number | null): JsonObject => ({
      kind,
      collection: 'items',
      ...argumentsOf[kind],
      expectDocuments,
    })
    const results = await resultsOf(`expect-${kind.toLowerCase()}`, [
      operation(inAll),
      operation(inAll + 3),
      operation(0),
      operation(null),
    ])
    expect(results.map((result) => [result?.ok, result?.found, result?.missing])).toEqual([
      [1, inAll, 0],
      [1, inAll, 3],
      [1, 0, 0],
      [1, null, null],
    ])
  })
})

describe('replies', () => {
  const byIndex = rows.filter(({ n }) => n >= 2).toSorted((a, b) => a['n'] - b['n'] || a['_id'] - b['_id'])
  const [first = {}] = byIndex
  const all = byIndex.length
  const one: JsonObject = { _id: 3 }
  const seen: JsonObject = { $set: { seen: true } }
  const absent: JsonObject = { _id: 70 }

  /** An operation, and what it replies. Every one finds the documents as they were. */
  const cases: Readonly<Record<string, readonly [JsonObject, Document]>> = {
    countDocuments: [{ kind: 'countDocuments', filter: some }, { matched: all }],
    estimatedDocumentCount: [{ kind: 'estimatedDocumentCount' }, { matched: rows.length }],
    distinct: [{ kind: 'distinct', key: 'text' }, { matched: 4 }],
    command: [
      { kind: 'command', command: { count: 'items', query: some } },
      { document: expect.objectContaining({ n: all, ok: 1 }) },
    ],
    find: [
      { kind: 'find', filter: some, sort: { n: 1, _id: 1 }, projection: { list: 0 } },
      { documents: all, bytes: expect.any(Number), document: { _id: first['_id'], n: 2, text: first['text'] } },
    ],
    'findOneAndUpdate before': [
      { kind: 'findOneAndUpdate', filter: one, update: { $set: { seen: 1 } } },
      { documents: 1, matched: 1, modified: 1, document: rows[3] },
    ],
    'findOneAndUpdate after': [
      { kind: 'findOneAndUpdate', filter: one, update: { $unset: { seen: '' } }, returnDocument: 'after' },
      { documents: 1, matched: 1, modified: 1, document: rows[3] },
    ],
    'findOneAndUpdate of none': [{ kind: 'findOneAndUpdate', filter: absent, update: seen }, {}],
    'findOneAndUpdate that inserts': [
      { kind: 'findOneAndUpdate', filter: absent, update: seen, upsert: true, returnDocument: 'after' },
      { documents: 1, upserted: 1, document: { _id: 70, seen: true } },
    ],
    findOneAndReplace: [
      { kind: 'findOneAndReplace', filter: absent, replacement: { n: 9 }, returnDocument: 'after' },
      { documents: 1, matched: 1, modified: 1, document: { _id: 70, n: 9 } },
    ],
    findOneAndDelete: [
      { kind: 'findOneAndDelete', filter: absent },
      { documents: 1, deleted: 1, document: { _id: 70, n: 9 } },
    ],
    'findOneAndDelete of none': [{ kind: 'findOneAndDelete', filter: absent }, {}],
    updateMany: [
      { kind: 'updateMany', filter: some, update: { $set: { text: 'a' } } },
      { documents: all - byIndex.filter(({ text }) => text === 'a').length, matched: all },
    ],
    bulkWrite: [
      { kind: 'bulkWrite', operations: [{ insertOne: { document: absent } }, { deleteMany: { filter: absent } }] },
      { documents: 2, inserted: 1, deleted: 1 },
    ],
  }

  let replies: ReadonlyMap<string, Document>

  beforeAll(async () => {
    await resultsOf(
      'replies',
      Object.entries(cases).map(([name, [operation]]) => keepReply(operation, name)),
    )
    replies = await repliesIn('replies')
  })

  test.each(Object.entries(cases))('of %s', (name, [, reply]) => {
    const { modified = reply['matched'] === undefined ? 0 : reply['documents'] } = reply
    expect(replies.get(name)).toEqual({ ...emptyReply, modified: modified ?? 0, ...reply })
  })
})

test('every command that is allowed is answered', async () => {
  const argumentsOf: Readonly<Record<string, JsonObject>> = {
    collStats: { collStats: 'items' },
    dataSize: { dataSize: 'mongoperf_commands.items' },
    count: { count: 'items' },
    distinct: { distinct: 'items', key: 'n' },
    createIndexes: { createIndexes: 'items', indexes: [{ name: 'fresh', key: { fresh: 1 } }] },
    dropIndexes: { dropIndexes: 'items', index: 'fresh' },
  }
  // Search indexes need a search server.
  const names = allowedCommands.filter((name) => !name.includes('SearchIndex'))
  const commands = names.map((name) => ({ kind: 'command', command: argumentsOf[name] ?? { [name]: 1 } }))
  const results = await resultsOf('commands', commands)
  expect(results.map((result) => [result?.ok, result?.errors])).toEqual(commands.map(() => [1, []]))
})
