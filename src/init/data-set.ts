import { type Json, type JsonObject } from '../json.ts'
import { documentDraw, type DrawContext, uniqueDraw } from './draws.ts'
import { collationOf, type PlannedIndex, planIndexes, uniqueField } from './indexes.ts'
import { literalFields } from './kinds.ts'
import { collectionNameFor } from './names.ts'
import { type Notes } from './notes.ts'
import { type Portrait } from './portrait.ts'
import { type Shape } from './shape.ts'

/** A collection of the spec that looks like one that is there. */
export type PlannedData = {
  readonly portrait: Portrait
  readonly collection: string
  readonly indexes: readonly PlannedIndex[]
  /** Documents that are made, by default and as many as there are. */
  readonly documents: number
  readonly spec: JsonObject
  readonly context: DrawContext
}

/** BSON bytes of all data sets of a spec together, so that it loads in seconds on a small machine. */
const mostBytes = 256 * 1024 * 1024
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

export function planData(portrait: Portrait, options: DataOptions): PlannedData {
  const { parameter, keepValues, share, asked, notes } = options
  const indexes = planIndexes(portrait, { notes, keepValues })
  const collection = collectionNameFor(portrait.collection)
  const unique = indexes.flatMap(({ key, unique: isUnique }) =>
    isUnique ? (uniqueField(key, portrait.shape) ?? []) : [],
  )
  const needed = [...asked, ...indexes.flatMap(({ key }) => key.map(([field]) => field)), ...unique].flatMap(prefixes)
  const context: DrawContext = {
    documents: portrait.documents,
    sampled: portrait.sampled,
    parameter,
    keepValues,
    needed: new Set(needed),
    unique: new Set(unique),
    notes,
  }
  if (portrait.sampled === 0) notes.add(`${portrait.collection} is empty: write into "document" what it will hold.`)
  const fits = Math.max(1, Math.floor((mostBytes * share) / Math.max(1, portrait.meanBytes)))
  return {
    portrait,
    collection,
    indexes,
    documents: portrait.documents === 0 ? documentsOfEmpty : Math.min(portrait.documents, fits),
    context,
    spec: {
      collection,
      rows: { '@param': parameter },
      document: documentOf(portrait.shape, context),
      ...(indexes.length > 0 ? { indexes: indexes.map(({ spec }) => spec) } : {}),
      ...optionsOf(portrait),
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

function optionsOf({ options }: Portrait): JsonObject {
  const capped = options['capped'] === true ? { capped: true, size: Number(options['size']) } : {}
  const max = options['capped'] === true && Number(options['max']) > 0 ? { max: Number(options['max']) } : {}
  const chosen = { ...capped, ...max, ...collationOf(options['collation']) }
  return Object.keys(chosen).length > 0 ? { options: literalFields(chosen) } : {}
}
