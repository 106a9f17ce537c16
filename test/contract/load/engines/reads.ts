import { type Document, type Sort } from 'mongodb'
import { collectionName, type MethodCase, viewName } from './both-engines.ts'

const some = { n: { $gte: 2 } }

const read = (
  kind: MethodCase['kind'],
  given: ReturnType<MethodCase['given']>,
  more: Partial<MethodCase> = {},
): MethodCase => ({ kind, given: () => given, documentIsRead: true, ...more })

const find = (options: Document = {}, filter: Document = some): MethodCase => read('find', { filter, options })
const findOne = (options: Document = {}, filter: Document = some): MethodCase => read('findOne', { filter, options })
const aggregate = (pipeline: readonly Document[], options: Document = {}): MethodCase =>
  read('aggregate', { pipeline, options })

const sorts: Readonly<Record<string, Sort>> = {
  'a word': { _id: 'desc' },
  'a long word': { text: 'ascending', _id: 'DESCENDING' } as unknown as Sort,
  'a number': { text: -1, _id: 1 },
  'a list of pairs': [
    ['text', 1],
    ['_id', -1],
  ],
  'a pair': ['_id', -1],
  'a list of names': ['text', '_id'],
  'a name': '_id',
  nothing: {},
  'a word that is none': { _id: 'sideways' } as unknown as Sort,
  'a number that is none': { _id: 7 } as unknown as Sort,
}

const withSort = Object.fromEntries(
  Object.entries(sorts).flatMap(([name, sort]) => [
    [`find sorted by ${name}`, find({ sort })],
    [`findOne sorted by ${name}`, findOne({ sort })],
  ]),
)

const sizes: readonly (readonly [number | undefined, number | undefined])[] = [
  [undefined, 0],
  [0, undefined],
  [0, 5],
  [1, undefined],
  [3, undefined],
  [3, 6],
  [3, 7],
  [4, 4],
  [5, 3],
  [100, 20],
  [7, 20],
  [10, 20],
  [20, undefined],
  [undefined, 20],
]

const batches = Object.fromEntries(
  sizes.map(([batchSize, limit]) => [
    `find with a batchSize of ${batchSize} and a limit of ${limit}`,
    find({ ...(batchSize !== undefined && { batchSize }), ...(limit !== undefined && { limit }) }, {}),
  ]),
)

export const reads: Readonly<Record<string, MethodCase>> = {
  findOne: findOne(),
  'findOne of none': findOne({}, { _id: -1 }),
  'findOne with options': findOne({ projection: { text: 1 }, skip: 2, hint: 'n_1', maxTimeMS: 60_000 }),
  'findOne in a collection that is missing': { ...findOne(), collection: 'missing' },
  'findOne with a collation': findOne({ collation: { locale: 'en', strength: 2 }, sort: { _id: -1 } }, { text: 'A' }),
  'findOne with let': findOne({ let: { x: 3 } }, { $expr: { $eq: ['$n', '$$x'] } }),
  find: find(),
  'find of none': find({}, { _id: -1 }),
  'find in a collection that is missing': { ...find(), collection: 'missing' },
  'find in a view': { ...find({ batchSize: 3 }), collection: viewName },
  'find without the disk': find({ allowDiskUse: false }),
  'find with a hint that is no index': find({ hint: 'nothing_1' }),
  'find with an operator that is none': find({}, { $nonsense: 1 }),
  'find with a collation that is none': find({ collation: { locale: 'nowhere' } }),
  'find whose time expires': find({ maxTimeMS: 20 }, { $where: 'sleep(50) || true' }),
  'find whose time expires in a later batch': find(
    { batchSize: 2, maxTimeMS: 60 },
    { $where: 'if (this._id > 5) sleep(100); return true' },
  ),
  'find whose further batch is refused': {
    ...find({ batchSize: 3 }, {}),
    failPoint: { failCommands: ['getMore'], errorCode: 43 },
  },
  'find whose connection breaks in a later batch': {
    ...find({ batchSize: 3 }, {}),
    failPoint: { failCommands: ['getMore'], closeConnection: true },
    onlyKind: 'the driver names its connection by number',
  },
  'find with labels': {
    ...find(),
    failPoint: { failCommands: ['find'], errorCode: 112, errorLabels: ['TransientTransactionError', 'Another'] },
  },
  ...withSort,
  ...batches,
  aggregate: aggregate([{ $match: some }, { $project: { list: 0 } }]),
  'aggregate of nothing': aggregate([]),
  'aggregate of none': aggregate([{ $match: { _id: -1 } }]),
  'aggregate in batches': aggregate([{ $match: {} }], { batchSize: 3 }),
  'aggregate with a batchSize of 0': aggregate([{ $match: {} }], { batchSize: 0 }),
  'aggregate with options': aggregate([{ $set: { seen: '$$x' } }], {
    let: { x: 3 },
    hint: { _id: 1 },
    allowDiskUse: true,
    maxTimeMS: 60_000,
  }),
  'aggregate with a collation': aggregate([{ $match: { text: 'a' } }], { collation: { locale: 'en', strength: 2 } }),
  'aggregate in a view': { ...aggregate([{ $sort: { _id: 1 } }], { batchSize: 2 }), collection: viewName },
  'aggregate with a stage that is none': aggregate([{ $nonsense: 1 }]),
  'aggregate that fails in a later batch': aggregate(
    [{ $project: { x: { $divide: [1, { $subtract: ['$_id', 9] }] } } }],
    { batchSize: 2 },
  ),
  'aggregate in a collection that is missing': { ...aggregate([]), collection: 'missing' },
  countDocuments: read('countDocuments', { filter: some }),
  'countDocuments of none': read('countDocuments', { filter: { _id: -1 } }),
  'countDocuments with options': read('countDocuments', {
    filter: some,
    options: { skip: 1, limit: 3, hint: 'n_1', maxTimeMS: 60_000 },
  }),
  'countDocuments with a limit of 0': read('countDocuments', { filter: some, options: { limit: 0 } }),
  'countDocuments with a collation': read('countDocuments', {
    filter: { text: 'a' },
    options: { collation: { locale: 'en', strength: 2 } },
  }),
  'countDocuments with let': read('countDocuments', {
    filter: { $expr: { $eq: ['$n', '$$x'] } },
    options: { let: { x: 3 } },
  }),
  'countDocuments with an operator that is none': read('countDocuments', { filter: { $nonsense: 1 } }),
  'countDocuments in a view': read('countDocuments', { filter: {} }, { collection: viewName }),
  estimatedDocumentCount: read('estimatedDocumentCount', { options: { maxTimeMS: 60_000 } }),
  'estimatedDocumentCount of a view': read('estimatedDocumentCount', {}, { collection: viewName }),
  'estimatedDocumentCount of a collection that is missing': read(
    'estimatedDocumentCount',
    {},
    { collection: 'missing' },
  ),
  distinct: read('distinct', { key: 'text', filter: some }),
  'distinct of none': read('distinct', { key: 'text', filter: { _id: -1 } }),
  'distinct of lists': read('distinct', { key: 'list.v', filter: {} }),
  'distinct with options': read('distinct', {
    key: 'text',
    filter: some,
    options: { collation: { locale: 'en', strength: 2 }, maxTimeMS: 60_000 },
  }),
  // Servers before 7.1 refuse it.
  'distinct with a hint': read('distinct', { key: 'text', filter: some, options: { hint: 'n_1' } }),
  'distinct with an operator that is none': read('distinct', { key: 'text', filter: { $nonsense: 1 } }),
  command: read('command', { command: { count: collectionName, query: some } }),
  'a command with a cursor': read('command', { command: { find: collectionName, batchSize: 2, singleBatch: true } }),
  'a command that is refused': read('command', { command: { noSuchCommand: 1 } }),
  'a command on a collection that is missing': read('command', { command: { collStats: 'missing' } }),
  'a command whose reply is not read': read('command', { command: { ping: 1 } }, { documentIsRead: false }),
}
