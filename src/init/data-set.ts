import { type Json, type JsonObject } from '../json.ts'
import { documentDraw, type DrawContext, uniqueDraw } from './draws.ts'
import { collationOf, type PlannedIndex, planIndexes, uniqueField } from './indexes.ts'
import { literalFields } from './kinds.ts'
import { collectionNameFor } from './names.ts'
import { type Notes } from './notes.ts'
import { type CollectionProfile } from './collection-profile.ts'
import { type Shape } from './shape.ts'

/** A collection of the spec that looks like one that is there. */
export type PlannedData = {
  readonly profile: CollectionProfile
  readonly collection: string
  readonly indexes: readonly PlannedIndex[]
  /** Documents that are made, by default and as many as there are. */
  readonly documents: number
  readonly spec: JsonObject
  readonly context: DrawContext
}

/** BSON bytes of all data sets of a spec together, so that it loads in seconds on a small machine. */
const maxBytes = 256 * 1024 * 1024
/** Of a collection in which nothing is yet. */
const documentsOfEmpty = 1000

export type DataOptions = {
  readonly parameter: string
  readonly keepValues: boolean
  /** Share of the bytes that this collection may have. */
  readonly share: number
  /** Paths that queries ask for, besides those of indexes. */
  readonly asked: readonly string[]
  readonly notes: Notes
}

export function planData(profile: CollectionProfile, options: DataOptions): PlannedData {
  const { parameter, keepValues, share, asked, notes } = options
  const indexes = planIndexes(profile, { notes, keepValues })
  const collection = collectionNameFor(profile.collection)
  const unique = indexes.flatMap(({ key, unique: isUnique }) =>
    isUnique ? (uniqueField(key, profile.shape) ?? []) : [],
  )
  const needed = [...asked, ...indexes.flatMap(({ key }) => key.map(([field]) => field)), ...unique].flatMap(prefixes)
  const context: DrawContext = {
    documents: profile.documents,
    sampled: profile.sampled,
    parameter,
    keepValues,
    needed: new Set(needed),
    unique: new Set(unique),
    notes,
  }
  if (profile.sampled === 0) notes.add(`${profile.collection} is empty: write into "document" what it will hold.`)
  const fits = Math.max(1, Math.floor((maxBytes * share) / Math.max(1, profile.meanBytes)))
  return {
    profile,
    collection,
    indexes,
    documents: profile.documents === 0 ? documentsOfEmpty : Math.min(profile.documents, fits),
    context,
    spec: {
      collection,
      rows: { '@param': parameter },
      document: documentOf(profile.shape, context),
      ...(indexes.length > 0 ? { indexes: indexes.map(({ spec }) => spec) } : {}),
      ...optionsOf(profile),
    },
  }
}

/** "a.b.c" asks for "a" and "a.b" too. */
const prefixes = (path: string): readonly string[] =>
  path.split('.').map((_, i, steps) => steps.slice(0, i + 1).join('.'))

function documentOf({ object }: Shape, context: DrawContext): Json {
  const { _id: __, ...drawn } = (object ? documentDraw(object, '', context) : {}) as Record<string, Json>
  return { _id: idOf(object?.fields.get('_id'), context), ...drawn }
}

function idOf(shape: Shape | undefined, context: DrawContext): Json {
  const draw = shape && uniqueDraw(shape, '_id', context)
  if (shape && draw === undefined) context.notes.leftOut('an "_id" of a type that no generator makes unique', '_id')
  return draw ?? { '@objectId': {} }
}

function optionsOf({ options }: CollectionProfile): JsonObject {
  const capped = options['capped'] === true ? { capped: true, size: Number(options['size']) } : {}
  const max = options['capped'] === true && Number(options['max']) > 0 ? { max: Number(options['max']) } : {}
  const chosen = { ...capped, ...max, ...collationOf(options['collation']) }
  return Object.keys(chosen).length > 0 ? { options: literalFields(chosen) } : {}
}
