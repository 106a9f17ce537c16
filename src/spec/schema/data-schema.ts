import { z } from 'zod'
import { value } from '../../language/value-schema.ts'
import { letValues } from '../operations/operation.ts'
import { collectionOptions } from './collection-options.ts'
import { columnTypes } from './data-file-kinds.ts'
import { existingNamespace, readNamespace } from './namespace.ts'

/** Schema of the name of a collection that mongo-perf creates. */
export const collectionName = z
  .string()
  .regex(/^[A-Za-z_][\w.-]{0,99}$/)
  .refine(
    (name) => !name.startsWith('system.') && !name.startsWith('mongoperf'),
    'must not be a name that the server or mongo-perf reserves',
  )

export const indexKey = z
  .record(z.string(), z.union([z.literal(1), z.literal(-1), z.enum(['text', 'hashed', '2d', '2dsphere'])]))
  .refine((key) => Object.keys(key).length > 0, 'must name a field')
  .describe('Fields with 1, -1, "hashed", "text", "2d" or "2dsphere", in order.')

export const indexSpec = z
  .object({
    key: indexKey,
    name: z.string().optional().describe('Name. Default: derived from the key.'),
  })
  .catchall(value.optional())
  .meta({ title: 'Index' })
  .describe(
    'A key, and options as the server names and checks them: `{"key": {"email": 1}, "unique": true}`. See https://www.mongodb.com/docs/manual/reference/command/createIndexes/',
  )

const sharding = z
  .strictObject({
    key: z
      .record(z.string(), z.union([z.literal(1), z.literal('hashed')]))
      .refine((key) => Object.keys(key).length > 0, 'must name a field')
      .describe('Fields of the shard key with 1 (ranges) or "hashed", in order.'),
    splitAt: z
      .array(z.record(z.string(), value))
      .default([])
      .describe('Where one chunk ends and the next begins: values of the key, rising. Default: one chunk.'),
    chunksTo: z
      .array(z.int().min(0))
      .optional()
      .describe(
        'The shard of each chunk, from 0, set before anything is loaded: one more entry than split points. Shards of an existing cluster count in the order of their names. Default: the server decides.',
      ),
    balancer: z
      .boolean()
      .optional()
      .describe(
        "Whether the cluster's balancer moves chunks while the phases run. On a cluster started by mongo-perf it is switched on or off; an existing cluster must already be set so. It applies to the whole cluster, so all collections must set the same. Default: what another collection sets; else on, or unchanged on an existing cluster.",
      ),
  })
  .superRefine(refuseWrongChunks)
  .meta({ title: 'Sharding' })
  .describe('How a sharded cluster (started or existing) spreads the collection. Default: not sharded.')

type Sharding = {
  readonly key: Readonly<Record<string, unknown>>
  readonly splitAt: readonly Readonly<Record<string, unknown>>[]
  readonly chunksTo?: readonly number[] | undefined
}

function refuseWrongChunks({ key, splitAt, chunksTo }: Sharding, context: z.RefinementCtx): void {
  const refuse = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message })
  const names = Object.keys(key)
  if (names.length === 0) return
  if (key[names[0] ?? ''] === 'hashed') {
    const reason = 'cannot be combined with a key whose first field is hashed: the server distributes its chunks itself'
    if (splitAt.length > 0) refuse(['splitAt'], reason)
    if (chunksTo !== undefined) refuse(['chunksTo'], reason)
    return
  }
  for (const [i, point] of splitAt.entries())
    if (Object.keys(point).join() !== names.join())
      refuse(['splitAt', i], `must have the fields of the key, in order: ${names.join(', ')}`)
  const chunks = splitAt.length + 1
  if (chunksTo !== undefined && chunksTo.length !== chunks)
    refuse(['chunksTo'], `must name a shard for each chunk: ${chunks} of them, one more than split points`)
}

const fields = z.strictObject({
  collection: collectionName
    .optional()
    .describe(
      'Name of the collection, in the database of the spec. For an existing collection: the name that operations use for it. Default then: its own name.',
    ),
  rows: z
    .int()
    .min(0)
    .max(2 ** 40)
    .default(0)
    .describe(
      'Documents loaded before the phases, outside of every timed window. Default 0. With "file": only the first documents of the file; 0 loads all. With "existing": documents that are there.',
    ),
  collections: z
    .array(collectionName)
    .min(1)
    .max(10_000)
    .optional()
    .describe(
      'Names of up to 10000 collections, each with all rows; generate them by a `@map` over a `@range`. They are loaded at the same time; a row that an operation inserts is in one of them. Operations name one, or draw the name: `{"@concat": ["tenant", {"@int": {"min": 0, "max": 99}}]}`. Default: one, with the name of the data set.',
    ),
  let: letValues
    .optional()
    .describe('Values drawn once per row, in this order; `@var` reads them in the document of the row.'),
  document: value
    .optional()
    .describe(
      'The document of a row, a pure function of the seed, the collection and the number of the row. With "existing": how the documents that are there were made, so that `@key` knows their keys.',
    ),
  file: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Your own documents instead: Extended JSON (one document per line, or a list), CSV with a line of names, BSON or an archive of mongodump, or the folder that it wrote, also compressed (.gz). Its path is relative to the spec.',
    ),
  columns: z
    .record(z.string().min(1), z.enum(columnTypes))
    .optional()
    .describe(
      'Types of columns of a CSV file, by name. Default "auto": a number where it looks like one, as mongoimport does, else a text. Empty fields of other types are left out, and all of "skip".',
    ),
  namespace: existingNamespace
    .optional()
    .describe(
      'Which collection of a folder or an archive of mongodump is loaded, as "database.collection". Default: the one of the same name, or the only one.',
    ),
  metadata: z
    .boolean()
    .optional()
    .describe(
      'Whether the collection also gets the options and indexes in the dump, except `expireAfterSeconds`, which would delete documents. Default true.',
    ),
  existing: existingNamespace
    .optional()
    .describe(
      'A collection that exists already, as "database.collection", on a target of kind "existing". It is used as it is: nothing is loaded, indexed or dropped. With `document` and `rows` its keys are known.',
    ),
  create: z
    .boolean()
    .optional()
    .describe(
      'Whether the collection is created before the phases. False: it does not exist until a write creates it, to measure reads of a missing collection. Default true.',
    ),
  indexes: z.array(indexSpec).default([]).describe('Secondary indexes.'),
  indexBuild: z
    .enum(['after', 'before'])
    .default('after')
    .describe('Whether the indexes are built after the load or before it. Default "after".'),
  options: collectionOptions.optional(),
  sharding: sharding.optional(),
  reuse: z
    .union([z.boolean(), z.literal('changed')])
    .default(false)
    .describe(
      'Whether documents that an earlier variant loaded are reused where they would be the same; if a phase wrote to them, they are restored from a copy. With "changed" they are reused even after updates, which saves the copy where changed values do not matter. Default false.',
    ),
})

type Fields = z.output<typeof fields>

const isGiven = (given: unknown): boolean =>
  Array.isArray(given) ? given.length > 0 : ![undefined, 0, false, 'after'].includes(given as undefined)

/** Fields that cannot be combined with another one, and why. */
const exclusions: readonly Exclusion[] = [
  {
    when: ({ existing }) => existing !== undefined,
    fields: ['file', 'indexes', 'indexBuild', 'options', 'sharding', 'reuse'],
    reason: 'cannot be combined with "existing": that collection is measured as it is',
  },
  {
    when: ({ existing, document }) => existing !== undefined && document === undefined,
    fields: ['rows', 'let'],
    reason: 'needs a "document" beside "existing": together they describe what the collection holds',
  },
  {
    when: ({ file }) => file !== undefined,
    fields: ['let', 'document'],
    reason: 'cannot be combined with "file": the documents come from there',
  },
  {
    when: ({ file }) => file === undefined,
    fields: ['columns', 'namespace', 'metadata'],
    reason: 'says how a "file" is read, and there is none',
  },
  {
    when: ({ collections }) => collections !== undefined,
    fields: ['file', 'existing', 'create', 'sharding', 'reuse'],
    reason: 'cannot be combined with "collections": each of them is made of the same generated rows',
  },
  {
    when: ({ create }) => create === false,
    fields: ['rows', 'file', 'existing', 'indexes', 'indexBuild', 'options', 'sharding', 'reuse'],
    reason: 'cannot be combined with "create": false, which does not create the collection',
  },
]

type Exclusion = {
  readonly when: (given: Fields) => boolean
  readonly fields: readonly (keyof Fields)[]
  readonly reason: string
}

function refuseContradictions(given: Fields, context: z.RefinementCtx): void {
  for (const { when, fields: excluded, reason } of exclusions) {
    if (!when(given)) continue
    for (const field of excluded)
      if (isGiven(given[field])) context.addIssue({ code: 'custom', path: [field], message: reason })
  }
  if (given.collection === undefined && given.existing === undefined)
    context.addIssue({ code: 'custom', path: ['collection'], message: 'is missing' })
}

const getCollectionName = ({ collection, existing }: Fields): string =>
  collection ?? readNamespace(existing ?? '')?.collection ?? ''

/** Schema of a data set: one collection, the source of its documents, and its indexes. */
export const dataSet = fields
  .superRefine(refuseContradictions)
  .transform((given) => ({ ...given, collection: getCollectionName(given) }))

export type DataSetSpec = z.output<typeof dataSet>
