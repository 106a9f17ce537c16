import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  type Document,
  Double,
  Long,
  ObjectId,
  Timestamp,
} from 'bson'
import { expect, test } from 'vitest'
import { createRecording } from '../../../src/traffic/recording/create-recording.ts'
import { frameStartBytes, magic, readFrameStart } from '../../../src/traffic/recording/frames.ts'
import { hideValues } from '../../../src/traffic/recording/hide-values.ts'
import { places } from '../../../src/traffic/recording/places.ts'
import { propertyRuns } from '../../property-runs.ts'
import { aCall, aReplyOf, header } from '../calls.ts'

/** A text that names a collection, a field or an index, and stays. */
class Name {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
const name = (text: string) => new Name(text)
const [a, b, c] = [name('a'), name('b'), name('c')]

/** A value of a document. */
const v = 'value'

/** Commands of every kind. Numbers stay, as names do; everything else is a place of values, or of words that the language has. */
const filters: readonly Document[] = [
  { a: v, 'b.c': { $gt: v, $in: [v, v], $not: { $eq: v } }, $or: [{ a: v }, { $and: [{ b: v }] }] },
  { a: { $type: 'string' }, b: { $type: ['int', 2] }, c: { $exists: true, $size: 3 } },
  {
    a: { $regex: v, $options: 'i' },
    b: { $elemMatch: { a: v, b: { $gt: v } } },
    c: { $all: [v] },
    d: { $mod: [v, v] },
  },
  {
    $expr: { $eq: ['$a', v] },
    $comment: v,
    $where: v,
    $text: { $search: v, $language: v },
    $jsonSchema: { required: [v] },
  },
  { a: { $near: { $geometry: { type: v, coordinates: [v, v] } } }, b: { $bitsAllSet: v } },
  { a: { $type: { $size: v } }, b: { c: { $expr: v } }, c: { $size: { a: v } } },
]
const documents: readonly Document[] = [
  { a: v, b: { c: v, d: [v, { e: v }] }, to: v, field: v, format: v, unit: v, as: v, timezone: v, key: v, limit: v },
  { a: { $type: v, $size: v, $slice: v, $expr: v, $options: v, $meta: v }, from: { db: v, coll: v } },
]
const expressions: readonly Document[] = [
  {
    a: '$a',
    b: { $concat: ['$a', v] },
    c: { to: v, field: v, format: v, unit: v, as: v, timezone: v },
    d: { $literal: v },
  },
  { a: { $size: { $filter: { input: '$a', as: a, cond: { $eq: ['$$a', v] }, limit: 1 } } }, b: { $slice: ['$a', 3] } },
  { a: { $type: v }, b: { $map: { input: [v], as: b, in: { $eq: ['$$b', v] } } }, c: { $slice: [[v], 1] } },
  {
    a: { $dateToString: { date: '$a', format: '%Y-%m', timezone: 'UTC', onNull: v } },
    b: { $convert: { input: v, to: 'int', onError: v } },
  },
  {
    a: { $dateAdd: { startDate: v, unit: 'day', amount: v, timezone: '+01:00' } },
    b: { $year: { date: v, timezone: 'UTC' } },
  },
  {
    a: { $getField: { field: a, input: { b: v } } },
    b: { $setField: { field: b, input: '$$ROOT', value: v } },
  },
  {
    a: { $switch: { branches: [{ case: { $eq: [v, v] } }], default: v } },
    b: { $let: { vars: { x: v }, in: v } },
  },
  {
    a: { $function: { body: v, args: ['$a', v], lang: 'js' } },
    b: { $reduce: { input: [v], initialValue: v, in: v } },
  },
  {
    a: {
      $accumulator: {
        init: v,
        initArgs: [v],
        accumulate: v,
        accumulateArgs: ['$a'],
        merge: v,
        finalize: v,
        lang: 'js',
      },
    },
  },
  {
    a: { $topN: { n: 3, sortBy: { a: 1 }, output: v } },
    b: { $sortArray: { input: [v], sortBy: { a: -1 } } },
    c: { $meta: 'textScore' },
  },
  {
    a: { $year: { $toDate: v } },
    b: { $cond: [v, v, v] },
    c: { $switch: { to: v } },
    d: { $unknown: { a: v, b: [v] } },
  },
]
const stages: readonly Document[] = [
  ...filters.map((filter) => ({ $match: filter })),
  ...expressions.flatMap((one) => [
    { $project: one },
    { $set: one },
    { $group: { _id: '$a', ...one } },
    { $replaceWith: one },
  ]),
  { $lookup: { from: a, localField: b, foreignField: c, as: a, let: { x: v }, pipeline: [{ $match: { a: v } }] } },
  {
    $graphLookup: {
      from: a,
      startWith: v,
      connectFromField: b,
      connectToField: c,
      as: a,
      maxDepth: 3,
      depthField: b,
      restrictSearchWithMatch: { a: v },
    },
  },
  { $unionWith: { coll: a, pipeline: [{ $set: { a: v } }] } },
  { $facet: { a: [{ $match: { a: v } }], b: [{ $limit: 3 }] } },
  {
    $merge: {
      into: { db: a, coll: b },
      on: [c],
      let: { x: v },
      whenMatched: [{ $set: { to: v } }],
      whenNotMatched: 'insert',
    },
  },
  { $unwind: { path: a, includeArrayIndex: b, preserveNullAndEmptyArrays: true } },
  { $geoNear: { near: { type: v, coordinates: [v] }, distanceField: a, maxDistance: 5, query: { a: v }, key: b } },
  { $densify: { field: a, partitionByFields: [b], range: { step: 1, unit: 'hour', bounds: [v, v] } } },
  { $fill: { partitionBy: { x: v }, sortBy: { a: 1 }, output: { a: { value: v }, b: { method: 'linear' } } } },
  {
    $setWindowFields: {
      partitionBy: v,
      sortBy: { a: 1 },
      output: { a: { $sum: v, window: { documents: ['unbounded', 2], unit: 'day' } } },
    },
  },
  { $bucket: { groupBy: '$a', boundaries: [v, v], default: v, output: { n: { $sum: v } } } },
  { $changeStream: { resumeAfter: { _data: v }, fullDocument: 'updateLookup', startAtOperationTime: v } },
  { $sort: { a: 1, b: { $meta: 'textScore' } } },
  { $limit: 3 },
  { $skip: 3 },
  { $sample: { size: 3 } },
  { $unset: [a, b] },
  { $count: a },
  { $redact: { $cond: [v, '$$PRUNE', v] } },
  { $documents: [{ a: v }] },
  { $search: { text: { query: v, path: v } } },
  { $listSessions: { users: [{ user: v, db: v }] } },
  { $currentOp: { a: v } },
  { $newStage: v },
  { $newStage: { pipeline: [{ $match: { a: v } }] } },
]
const updates: readonly (Document | readonly Document[])[] = [
  ...documents,
  {
    $set: { a: v, to: v, field: { as: v } },
    $inc: { b: v },
    $unset: { c: v },
    $rename: { d: a },
    $setOnInsert: { e: v },
  },
  {
    $push: { a: { $each: [v], $slice: 3, $position: 1, $sort: { a: 1 } } },
    $pull: { a: { $type: v } },
    $pullAll: { a: [v] },
    $addToSet: { a: v },
  },
  { $currentDate: { a: { $type: 'date' } }, $bit: { a: { and: v } }, $new: { $type: v } },
  ...expressions.map((one) => [{ $set: one }]),
  [{ $unset: [a] }, { $replaceWith: { to: v } }],
]
const options = {
  hint: a,
  collation: { locale: b, strength: 2, caseFirst: 'upper' },
  let: { x: v },
  comment: v,
  maxTimeMS: 3,
  readConcern: { level: 'majority', afterClusterTime: v },
  writeConcern: { w: 2, wtimeout: 3 },
  $readPreference: { mode: 'nearest', tags: [{ x: v }] },
}
const commands: readonly Document[] = [
  ...filters.flatMap((filter) => [
    { find: a, filter, sort: { a: 1 }, limit: 3, min: { a: v }, max: { a: v }, ...options },
    { delete: a, deletes: [{ q: filter, limit: 1, hint: { a: 1 } }] },
    { count: a, query: filter },
  ]),
  ...expressions.map((one) => ({ find: a, projection: { ...one, x: { $elemMatch: { a: v } } }, let: one })),
  ...documents.map((document) => ({ insert: a, documents: [document], ordered: true })),
  ...stages.flatMap((stage) => [
    { aggregate: a, pipeline: [stage], cursor: { batchSize: 3 } },
    { explain: { aggregate: a, pipeline: [stage] }, verbosity: 'queryPlanner' },
  ]),
  ...updates.flatMap((u) => [
    { update: a, updates: [{ q: { a: v }, u, multi: true, c: { x: v }, arrayFilters: [{ 'e.a': v }] }] },
    { findAndModify: a, query: { a: v }, update: u, fields: { a: 1 } },
  ]),
  {
    bulkWrite: 1,
    ops: [
      { insert: 0, document: { a: v, to: v } },
      { update: 0, filter: { a: v }, updateMods: { $set: { a: v } }, constants: { x: v } },
      { delete: 0, filter: { a: v } },
    ],
    nsInfo: [{ ns: a }],
  },
  { distinct: a, key: b, query: { a: v } },
  {
    createIndexes: a,
    indexes: [
      {
        key: { a: 1, b: 'text' },
        name: b,
        partialFilterExpression: { a: v },
        weights: { a: 3 },
        storageEngine: { a: v },
        collation: { locale: c },
      },
    ],
  },
  {
    create: a,
    validator: { a: v },
    viewOn: b,
    pipeline: [{ $match: { a: v } }],
    timeseries: { timeField: a, metaField: b, granularity: 'hours' },
    expireAfterSeconds: 3,
  },
  { mapReduce: a, map: v, reduce: v, finalize: v, scope: { x: v }, query: { a: v }, out: { inline: v } },
  { getMore: 99, collection: a, batchSize: 3, comment: v },
  { applyOps: [{ op: v, ns: v, o: { a: v } }] },
  { setClusterParameter: { a: { b: v } } },
  { setFeatureCompatibilityVersion: v },
  { configureFailPoint: v, data: { a: v } },
  { somethingNew: v, payload: { a: v } },
  { ping: v },
  { collMod: a, validator: { a: v }, index: { keyPattern: { a: v } } },
  { usersInfo: { user: v, db: v } },
  { eval: v },
]

type Form = { readonly kind: 'text' | 'number' | 'other'; readonly value: unknown }

const as = (kind: Form['kind'], ...values: readonly unknown[]): readonly Form[] =>
  values.map((value) => ({ kind, value }))

/** Values with a marker of 12 letters, or of 8 bytes. */
function forms(marker: string): readonly Form[] {
  const bytes = Buffer.from(marker)
  const long = Long.fromBytesLE([...bytes.subarray(0, 8)])
  return [
    ...as('text', marker, `$5 ${marker}`, `$${marker}@example.com`, [marker]),
    ...as('number', long, new Double(bytes.readDoubleLE()), [long]),
    ...as(
      'other',
      new Decimal128(Buffer.concat([bytes.subarray(0, 8), bytes.subarray(0, 8)])),
      new Date(Number(bytes.readBigInt64LE() >> 12n)),
      new ObjectId(bytes),
    ),
    ...as(
      'other',
      new Binary(bytes),
      new BSONRegExp(marker),
      new BSONRegExp(`^${marker}`, 'i'),
      new Code(marker, { a: marker }),
      new BSONSymbol(marker),
      new DBRef(marker, new ObjectId(bytes)),
      new Timestamp(long as never),
    ),
    ...as(
      'other',
      { a: marker },
      { $type: marker },
      { $size: marker },
      { $slice: [marker] },
      { to: marker, field: marker, format: marker, as: marker, unit: marker, timezone: marker },
      { $literal: marker },
      { $meta: { x: marker } },
      { a: { $type: { b: marker } } },
      { pipeline: [{ $match: { a: marker } }] },
    ),
  ]
}

/** A command for each of its places and each form that is a value there. */
function* withMarker(command: Document, marker: string): Generator<Document> {
  const values = forms(marker)
  function* variants(value: unknown): Generator<unknown> {
    if (value instanceof Name)
      for (const form of values) {
        if (form.kind !== 'text') yield form.value
      }
    else if (typeof value === 'number')
      for (const form of values) {
        if (form.kind !== 'number') yield form.value
      }
    else if (typeof value !== 'object' || value === null) for (const form of values) yield form.value
    else if (Array.isArray(value))
      for (const [i, item] of value.entries())
        for (const one of variants(item)) yield value.map((other, at) => (at === i ? one : plain(other)))
    else
      for (const [key, item] of Object.entries(value))
        for (const one of variants(item)) yield { ...(plain(value) as Document), [key]: one }
  }
  yield* variants(command) as Generator<Document>
}

const plain = (value: unknown): unknown =>
  value instanceof Name
    ? value.text
    : Array.isArray(value)
      ? value.map(plain)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
        : value

/** All bytes of a recording, unpacked. */
function unpacked(file: string): Buffer {
  const bytes = readFileSync(file)
  const frames: Buffer[] = [bytes]
  for (let at = magic.length; at < bytes.length;) {
    const { packedBytes } = readFrameStart(bytes.subarray(at, at + frameStartBytes))
    at += frameStartBytes
    frames.push(inflateSync(bytes.subarray(at, at + packedBytes)))
    at += packedBytes
  }
  return Buffer.concat(frames)
}

const letters = 'abcdefghijkmnopqrstuvwxyz'
/** Not the beginning of a name that a command has. */
const randomMarker = (): string => `Q${[...randomBytes(11)].map((byte) => letters[byte % letters.length]).join('')}`

/** Forms that are tried at each place, of all that there are. */
const tried = 3

/** Every place of a command with a few of the forms. */
const someVariants = (command: Document, marker: string): readonly Document[] => {
  const all = [...withMarker(command, marker)]
  return all.filter(() => Math.random() < tried / forms(marker).length)
}

const hasMarker = (bytes: Buffer, marker: string): boolean =>
  bytes.includes(marker) || bytes.includes(marker.slice(0, 8))

const rounds = Math.max(1, Math.round(propertyRuns / 100))

test.each(['shape', 'hash'] as const)('"%s" keeps no value at any place of commands of every kind', (mode) => {
  expect(commands.length).toBeGreaterThan(200)
  const hide = hideValues(mode)
  const marker = randomMarker()
  const leaks = new Set<string>()
  for (let round = 0; round < rounds; round++)
    for (const variant of commands.flatMap((command) => someVariants(command, marker)))
      if (hasMarker(hide(aCall(variant)).command, marker)) leaks.add(JSON.stringify(variant))
  expect([...leaks]).toEqual([])
})

test.each(['shape', 'hash'] as const)('the bytes of a recording with "%s" have none of 200 markers', async (values) => {
  const file = join(await mkdtemp(join(tmpdir(), 'markers-')), 'a.mprec')
  const writer = await createRecording(file, { ...header, values })
  const marker = randomMarker()
  for (let i = 0; i < 200 * rounds; i++) {
    const variants = someVariants(commands[i % commands.length] ?? {}, marker)
    writer.add(aCall(variants[0] ?? {}, { reply: aReplyOf({ upsertedIds: [marker] }) }))
  }
  await writer.close(0)
  expect(hasMarker(unpacked(file), marker)).toBe(false)
})

/** Calls with keys of users, which tools send by any command. */
const withKeys: readonly (readonly [database: string, command: (key: string) => Document])[] = [
  ['admin', (key) => ({ createUser: 'ann', pwd: key })],
  ['admin', (key) => ({ insert: 'tempusers', documents: [{ _id: 'a', credentials: { storedKey: key } }] })],
  ['admin', (key) => ({ update: 'system.users', updates: [{ q: {}, u: { storedKey: key } }] })],
  ['admin', (key) => ({ findAndModify: 'system.users', update: { storedKey: key } })],
  ['admin', (key) => ({ applyOps: [{ op: 'i', ns: 'admin.system.users', o: { storedKey: key } }] })],
  ['shop', (key) => ({ applyOps: [{ op: 'i', ns: 'admin.tempusers', o: { storedKey: key } }] })],
  [
    'admin',
    (key) => ({
      bulkWrite: 1,
      ops: [{ insert: 0, document: { storedKey: key } }],
      nsInfo: [{ ns: 'admin.system.users' }],
    }),
  ],
]

test('a recording with all values has none of collections of users, whatever the command', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'markers-')), 'a.mprec')
  const writer = await createRecording(file, header)
  const [marker, kept] = [randomMarker(), randomMarker()]
  for (const [database, command] of withKeys) writer.add(aCall(command(marker), { database }))
  writer.add(aCall({ insert: 'system.users', documents: [{ a: kept }] }))
  const { leftOut } = await writer.close(0)
  expect(leftOut).toEqual({ 'commands with passwords': 1, 'calls on collections of users and keys': 6 })
  expect([marker, kept].map((one) => hasMarker(unpacked(file), one))).toEqual([false, true])
})

test('every place that is named is there', () => {
  const named = [...places.values()].flatMap(({ fields = new Map<string, string>(), otherwise, rest, items }) =>
    [otherwise, rest, items, [...fields.values()]].flat().filter((one) => one !== undefined),
  )
  expect(named.filter((one) => !places.has(one))).toEqual([])
})
