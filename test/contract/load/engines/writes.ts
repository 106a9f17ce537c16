import { type Document } from 'mongodb'
import { type Write } from '../../../../src/load/engines/intent.ts'
import { type MethodCase, outputName, write } from './both-engines.ts'

const some = { n: { $gte: 2 } }
const seen = { $set: { seen: true } }
const tooMuch = 1000
const one = { _id: 3 }
const absent = { _id: 70 }
const collation = { locale: 'en', strength: 2 }

type Made = Readonly<Record<string, MethodCase>>

const method = (kind: MethodCase['kind'], given: () => ReturnType<MethodCase['given']>): MethodCase => ({
  kind,
  given,
  documentIsRead: true,
})

const insertOne = (document: Document, options: Document = {}): MethodCase =>
  method('insertOne', () => ({ document: { ...document }, options: { ...options } }))

const insertMany = (documents: readonly Document[], options: Document = {}): MethodCase =>
  method('insertMany', () => ({ documents: documents.map((each) => ({ ...each })), options: { ...options } }))

const inserts: Made = {
  insertOne: insertOne({ _id: 50, n: 1 }),
  'insertOne without an _id': insertOne({ n: 1 }),
  'insertOne with an _id of null': { ...insertOne({ _id: null, n: 1 }) },
  'insertOne whose _id the server makes': insertOne({ n: 1 }, { forceServerObjectId: true }),
  'insertOne of nothing': insertOne({}),
  'insertOne with undefined': insertOne({ _id: 50, n: undefined, list: [undefined] }),
  'insertOne with options': insertOne({ _id: 50 }, { maxTimeMS: 60_000 }),
  'insertOne of a key that is there': insertOne({ _id: 5 }),
  'insertOne of an invalid document': insertOne({ n: tooMuch }),
  'insertOne of an operator': insertOne({ _id: 50, $set: 1 }),
  'insertOne with a list as _id': insertOne({ _id: [1] }),
  insertMany: insertMany([{ _id: 50 }, { _id: 51 }, { n: 1 }]),
  'insertMany with an _id of null': insertMany([{ _id: null }, { n: 1 }]),
  'insertMany with options': insertMany([{ n: 1 }, {}], { maxTimeMS: 60_000 }),
  'insertMany whose _ids the server makes': insertMany([{ n: 1 }, { n: 2 }], { forceServerObjectId: true }),
  'insertMany of nothing': insertMany([]),
  'insertMany of invalid documents': insertMany([{ _id: 50 }, { _id: 51, n: tooMuch }, { _id: 52 }]),
  'insertMany of invalid documents in no order': insertMany([{ _id: 50 }, { _id: 51, n: tooMuch }, { _id: 52 }], {
    ordered: false,
  }),
  ...Object.fromEntries(
    [true, false].flatMap((ordered) =>
      [0, 1, 4].map((place) => [
        `insertMany (ordered: ${ordered}) with a key that is there at ${place}`,
        insertMany(
          Array.from({ length: 5 }, (_, i) => ({ _id: i === place ? 5 : 50 + i })),
          { ordered },
        ),
      ]),
    ),
  ),
  'insertMany with several keys that are there': insertMany([{ _id: 1 }, { _id: 50 }, { _id: 2 }], { ordered: false }),
}

const update = (
  kind: 'updateOne' | 'updateMany',
  change: unknown = seen,
  options: Document = {},
  filter: Document = some,
): MethodCase => method(kind, () => ({ filter, update: change, options: { ...options } }))

const updatesOf = (kind: 'updateOne' | 'updateMany'): Made => ({
  [kind]: update(kind),
  [`${kind} of none`]: update(kind, seen, {}, absent),
  [`${kind} of what is so already`]: update(kind, { $set: { n: 2 } }, {}, { n: { $in: [2, 3] } }),
  [`${kind} that inserts`]: update(kind, seen, { upsert: true }, absent),
  [`${kind} that inserts with an _id of the server's`]: update(kind, seen, { upsert: true }, { absent: 1 }),
  [`${kind} that need not insert`]: update(kind, seen, { upsert: true }),
  [`${kind} that must not insert`]: update(kind, seen, { upsert: false }, absent),
  [`${kind} by a pipeline`]: update(kind, [{ $set: { seen: '$$x' } }, { $unset: 'text' }], { let: { x: 3 } }),
  [`${kind} with arrayFilters`]: update(kind, { $set: { 'list.$[e].v': -1 } }, { arrayFilters: [{ 'e.k': 1 }] }),
  [`${kind} with options`]: update(kind, seen, { hint: { _id: 1 }, maxTimeMS: 60_000 }),
  [`${kind} with a collation`]: update(kind, seen, { collation }, { text: 'A' }),
  [`${kind} to what is invalid`]: update(kind, { $set: { n: tooMuch } }),
  [`${kind} by a document`]: update(kind, { seen: true }),
  [`${kind} by nothing`]: update(kind, {}),
  [`${kind} by an empty pipeline`]: update(kind, []),
  [`${kind} by a pipeline without stages`]: update(kind, [{ seen: true }]),
  [`${kind} by a text`]: update(kind, 'text'),
  [`${kind} by an operator that is none`]: update(kind, { $nonsense: { n: 1 } }),
  [`${kind} of an _id`]: update(kind, { $set: { _id: 99 } }),
  [`${kind} with a hint that is no index`]: update(kind, seen, { hint: 'nothing_1' }),
})

const sorted: Made = { 'updateOne with a sort': update('updateOne', seen, { sort: { _id: 'desc' } }) }

const replace = (replacement: unknown, options: Document = {}, filter: Document = some): MethodCase =>
  method('replaceOne', () => ({ filter, replacement, options: { ...options } }))

const replacements: Made = {
  replaceOne: replace({ n: 4, text: 'new' }),
  'replaceOne by nothing': replace({}),
  'replaceOne that inserts': replace({ n: 4 }, { upsert: true }, absent),
  'replaceOne with options': replace({ n: 1 }, { hint: 'n_1', let: { x: 1 } }),
  'replaceOne to what is invalid': replace({ n: tooMuch }),
  'replaceOne by operators': replace({ $set: { n: 1 } }),
  'replaceOne by a pipeline': replace([{ $set: { n: 1 } }]),
  'replaceOne by another _id': replace({ _id: 99 }),
  'replaceOne with a sort': replace({ n: 4 }, { sort: { _id: -1 } }),
}

const remove = (kind: 'deleteOne' | 'deleteMany', filter: Document, options: Document = {}): MethodCase =>
  method(kind, () => ({ filter, options: { ...options } }))

const deletesOf = (kind: 'deleteOne' | 'deleteMany'): Made => ({
  [kind]: remove(kind, some),
  [`${kind} of none`]: remove(kind, absent),
  [`${kind} with options`]: remove(kind, some, { hint: { _id: 1 }, maxTimeMS: 60_000 }),
  [`${kind} with a collation`]: remove(kind, { text: 'A' }, { collation }),
  [`${kind} with let`]: remove(kind, { $expr: { $eq: ['$n', '$$x'] } }, { let: { x: 3 } }),
  [`${kind} with an operator that is none`]: remove(kind, { $nonsense: 1 }),
  [`${kind} in a collection that is missing`]: { ...remove(kind, some), collection: 'missing' },
})

const change = (
  kind: 'findOneAndUpdate' | 'findOneAndReplace',
  value: unknown,
  options: Document = {},
  filter: Document = some,
): MethodCase =>
  method(kind, () => ({
    filter,
    [kind === 'findOneAndUpdate' ? 'update' : 'replacement']: value,
    options: { ...options },
  }))

const changesOf = (kind: 'findOneAndUpdate' | 'findOneAndReplace', value: Document): Made => ({
  [kind]: change(kind, value),
  [`${kind} whose document is not read`]: { ...change(kind, value), documentIsRead: false },
  [`${kind} after`]: change(kind, value, { returnDocument: 'after', sort: { _id: 'desc' } }),
  [`${kind} before`]: change(kind, value, { returnDocument: 'before', projection: { _id: 0, list: 1 } }),
  [`${kind} of none`]: change(kind, value, {}, absent),
  [`${kind} that inserts`]: change(kind, value, { upsert: true }, absent),
  [`${kind} that inserts, after`]: change(kind, value, { upsert: true, returnDocument: 'after' }, absent),
  [`${kind} with options`]: change(kind, value, { hint: 'n_1', maxTimeMS: 60_000 }),
  [`${kind} with a collation`]: change(kind, value, { collation }, { text: 'A' }),
  [`${kind} with let`]: change(kind, value, { let: { x: 3 } }, { $expr: { $eq: ['$n', '$$x'] } }),
  [`${kind} by nothing`]: change(kind, {}),
  [`${kind} by a list of nothing`]: change(kind, []),
  [`${kind} by a text`]: change(kind, 'text'),
  [`${kind} by operators`]: change(kind, { $set: { a: 1 } }),
  [`${kind} by a document`]: change(kind, { a: 1 }),
  [`${kind} by a pipeline`]: change(kind, [{ $set: { a: 1 } }]),
  [`${kind} with an operator that is none`]: change(kind, value, {}, { $nonsense: 1 }),
})

const removals: Made = {
  findOneAndDelete: method('findOneAndDelete', () => ({ filter: some })),
  'findOneAndDelete with options': method('findOneAndDelete', () => ({
    filter: some,
    options: { sort: { _id: -1 }, projection: { text: 1 }, hint: { _id: 1 } },
  })),
  'findOneAndDelete of none': method('findOneAndDelete', () => ({ filter: absent })),
  'findOneAndDelete with an operator that is none': method('findOneAndDelete', () => ({ filter: { $nonsense: 1 } })),
}

const bulk = (writes: readonly Write[], options: Document = {}): MethodCase =>
  method('bulkWrite', () => ({
    writes: writes.map((each) => ({ ...each, fields: structuredClone(each.fields) })),
    options: { ordered: true, ...options },
  }))

/** One of each, so that the counts are all different. */
const allKinds: readonly Write[] = [
  write('insertOne', { document: { _id: 50, n: 1 } }),
  write('insertOne', { document: { n: 1 } }),
  write('updateOne', { filter: one, update: seen }),
  write('updateMany', { filter: some, update: [{ $set: { text: 'b' } }] }),
  write('replaceOne', { filter: { _id: 4 }, replacement: { n: 4 } }),
  write('replaceOne', { filter: { _id: 60 }, replacement: { n: 4 }, upsert: true }),
  write('updateOne', { filter: { absent: 1 }, update: seen, upsert: true }),
  write('deleteOne', { filter: { n: 0 } }),
  write('insertOne', { document: { _id: 52 } }),
  write('deleteMany', { filter: { n: 1 } }),
]

const repeated = write('insertOne', { document: { _id: 5 } })
const invalid = write('updateOne', { filter: one, update: { $set: { n: tooMuch } } })

const bulks: Made = {
  bulkWrite: bulk(allKinds),
  'bulkWrite in no order': bulk(allKinds, { ordered: false }),
  'bulkWrite with options': bulk(allKinds, { let: { x: 3 } }),
  'bulkWrite of nothing': bulk([]),
  'bulkWrite with fields of its writes': bulk([
    write('updateOne', { filter: { text: 'A' }, update: seen, collation, hint: { _id: 1 } }),
    write('updateMany', { filter: {}, update: { $set: { 'list.$[e].v': -1 } }, arrayFilters: [{ 'e.k': 1 }] }),
    write('replaceOne', { filter: { text: 'A' }, replacement: { n: 1 }, collation, hint: 'n_1' }),
    write('deleteOne', { filter: { text: 'A' }, collation, hint: { _id: 1 } }),
    write('deleteMany', { filter: { text: 'B' }, collation, hint: { _id: 1 } }),
  ]),
  'bulkWrite with a sort': bulk([write('updateOne', { filter: some, update: seen, sort: { _id: -1 } })]),
  ...Object.fromEntries(
    [true, false].flatMap((ordered) =>
      [0, 2, 7, allKinds.length].flatMap((place) => [
        [
          `bulkWrite (ordered: ${ordered}) with a key that is there at ${place}`,
          bulk(allKinds.toSpliced(place, 0, repeated), { ordered }),
        ],
        [
          `bulkWrite (ordered: ${ordered}) with an invalid document at ${place}`,
          bulk(allKinds.toSpliced(place, 0, invalid), { ordered }),
        ],
      ]),
    ),
  ),
  'bulkWrite with several errors': bulk([invalid, repeated, ...allKinds, repeated], { ordered: false }),
  'bulkWrite with an update by a document, at its end': bulk([
    ...allKinds,
    write('updateOne', { filter: one, update: { n: 1 } }),
  ]),
  'bulkWrite with a replacement by operators, at its end': bulk([
    ...allKinds,
    write('replaceOne', { filter: one, replacement: { $set: { n: 1 } } }),
  ]),
  'bulkWrite with a replacement by a pipeline': bulk([
    write('replaceOne', { filter: one, replacement: [{ $set: { n: 1 } }] }),
  ]),
  'bulkWrite whose second command is refused': {
    ...bulk(allKinds),
    failPoint: { failCommands: ['update'], errorCode: 8000, errorLabels: ['A', 'B'] },
  },
  'bulkWrite in no order whose second command is refused': {
    ...bulk(allKinds, { ordered: false }),
    failPoint: { failCommands: ['update'], errorCode: 8000 },
  },
  'bulkWrite whose second command may have been interrupted': {
    ...bulk(allKinds),
    failPoint: { failCommands: ['update'], errorCode: 11600 },
  },
  'bulkWrite whose connection breaks at the second command': {
    ...bulk(allKinds),
    failPoint: { failCommands: ['update'], closeConnection: true },
    onlyKind: 'the driver names its connection by number',
  },
}

const output = (pipeline: readonly Document[], options: Document = {}): MethodCase => ({
  ...method('aggregate', () => ({ pipeline: [...pipeline], options: { ...options } })),
  reply: 'output',
})

const outputOnce = output([{ $match: some }, { $out: outputName }])

const outputs: Made = {
  'aggregate with $out': outputOnce,
  'aggregate with $merge': output([{ $match: some }, { $merge: { into: outputName } }], { batchSize: 2 }),
  'aggregate with $merge that fails': output([
    { $match: some },
    { $merge: { into: outputName, whenNotMatched: 'fail' } },
  ]),
  'aggregate with $out into a system collection': output([{ $out: 'system.nothing' }]),
}

/** Nothing but their writing is different with another write concern. */
const allWrites: Made = {
  insertOne: insertOne({ _id: 50 }),
  insertMany: insertMany([{ _id: 50 }, { _id: 51 }]),
  'insertMany with a key that is there': insertMany([{ _id: 50 }, { _id: 5 }, { _id: 51 }]),
  updateOne: update('updateOne'),
  updateMany: update('updateMany'),
  replaceOne: replace({ n: 1 }),
  deleteOne: remove('deleteOne', some),
  deleteMany: remove('deleteMany', some),
  findOneAndUpdate: change('findOneAndUpdate', seen),
  findOneAndReplace: change('findOneAndReplace', { n: 1 }),
  findOneAndDelete: method('findOneAndDelete', () => ({ filter: some })),
  bulkWrite: bulk(allKinds),
  'bulkWrite in no order': bulk(allKinds, { ordered: false }),
  'bulkWrite with a key that is there': bulk(allKinds.toSpliced(2, 0, repeated)),
  'bulkWrite in no order with a key that is there': bulk(allKinds.toSpliced(2, 0, repeated), { ordered: false }),
  'insertOne of a key that is there': insertOne({ _id: 5 }),
}

const under = (what: string, planOf: () => NonNullable<MethodCase['plan']>): Made =>
  Object.fromEntries(Object.entries(allWrites).map(([name, each]) => [`${name} ${what}`, { ...each, plan: planOf() }]))

const notMet = { writeConcern: { w: 2, wtimeoutMS: 100 } }
const journaled = { writeConcern: { w: 1, j: true } }

export const writes: Made = {
  ...inserts,
  ...updatesOf('updateOne'),
  ...updatesOf('updateMany'),
  ...sorted,
  ...replacements,
  ...deletesOf('deleteOne'),
  ...deletesOf('deleteMany'),
  ...changesOf('findOneAndUpdate', seen),
  ...changesOf('findOneAndReplace', { n: 4, text: 'new' }),
  ...removals,
  ...bulks,
  ...outputs,
  ...under('with a write concern that is not met', () => notMet),
  'aggregate with $out and a write concern that is not met': { ...outputOnce, plan: notMet },
  ...under('with a journal', () => journaled),
  ...under('without acknowledgement', () => ({ writeConcern: { w: 0 } })),
}

const text = 'x'.repeat(1024 * 1024)
const large = (from: number, count: number): Document[] =>
  Array.from({ length: count }, (_, i) => ({ _id: from + i, text }))
const tooLarge = { _id: 199, text: text.repeat(17) }

/** More than fits into one command. */
export const largeWrites: Made = {
  'insertMany of 20 MiB': insertMany(large(100, 20)),
  'insertMany of 20 MiB in no order': insertMany(large(100, 20), { ordered: false }),
  'insertMany of 20 MiB with a key that is there at its begin': insertMany([{ _id: 1 }, ...large(100, 20)]),
  'insertMany of 20 MiB with a key that is there at its end': insertMany([...large(100, 20), { _id: 1 }, { _id: 150 }]),
  'insertMany of 20 MiB in no order with keys that are there': insertMany(
    [{ _id: 1 }, ...large(100, 20), { _id: 1 }, { _id: 150 }],
    { ordered: false },
  ),
  'insertMany of 20 MiB without acknowledgement': { ...insertMany(large(100, 20)), plan: { writeConcern: { w: 0 } } },
  'insertMany with a document that is too large, at its end': insertMany([...large(100, 18), tooLarge]),
  'bulkWrite of 20 MiB': bulk([
    ...large(100, 20).map((document) => write('insertOne', { document })),
    write('deleteOne', { filter: { _id: 3 } }),
  ]),
  'bulkWrite with a document that is too large, at its end': bulk([
    ...large(100, 18).map((document) => write('insertOne', { document })),
    write('insertOne', { document: tooLarge }),
  ]),
  'insertOne of a document that is too large': { ...insertOne(tooLarge), onlyKind: 'the driver puts it into the body' },
  'replaceOne by a document that is too large': {
    ...replace(tooLarge, {}, { _id: 199 }),
    onlyKind: 'the driver puts it into the body',
  },
}
