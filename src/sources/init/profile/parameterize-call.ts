import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { type BsonDocument, isDocument } from '../../../language/values/bson-types.ts'
import { type CollectionProfile } from '../collection/collection-profile.ts'
import { shapeAt } from '../collection/field-path.ts'
import { toIndexKey } from '../collection/indexes.ts'
import { literal, literalFields } from '../collection/kinds.ts'
import { Shape, observe } from '../collection/shape.ts'
import { createDocumentGenerator, type PlannedData } from '../data/data-set.ts'
import { createValueGenerator, type DrawContext, inCall, usesRow } from '../data/draws.ts'
import { orDrawn } from '../data/value-source.ts'
import { collectionNameFor, operationName } from '../names.ts'
import { createNotes } from '../notes.ts'
import { argumentNames, type CallGroup } from './call-groups.ts'
import {
  CannotParameterize,
  createNumberChoice,
  parameterizeCondition,
  parameterizeFilter,
  type Place,
} from './parameterize-filter.ts'
import { parameterizePipeline, refuseKeys } from './parameterize-pipeline.ts'
import { type ProfiledCall } from './profiled-call.ts'

/** The name of the operation for a profiled call: its kind and the fields of its filter. */
export function createOperationName({ kind, filter, pipeline }: ProfiledCall): string {
  const fields = Object.keys(filter ?? (pipeline?.[0]?.['$match'] as object | undefined) ?? {})
  return operationName([kind, ...fields].join('_').replaceAll('$', '').slice(0, 40))
}

export type ParameterizeOptions = {
  /** Whether the spec has one collection, so that operations need not name it. */
  readonly isOnly: boolean
  readonly keepValues: boolean
  /** Called with every path that a query uses. */
  readonly ask: (path: string) => void
  /** Called with constants that are copied. */
  readonly copied: Place['copied']
  /** Paths and operators whose values stay as they are written. Default: none. */
  readonly keep?: Place['keep']
  /** Default: a value like the example is made up. */
  readonly like?: Place['like']
}

/** The parameterized filter, pipeline and options of a call. A string is the reason why that is impossible. */
export function parameterizeCall(
  { call, examples, values, documents, count }: CallGroup,
  profile: CollectionProfile,
  { isOnly, ...options }: ParameterizeOptions,
): JsonObject | string {
  const distribution = values.distribution(profile.documents)
  const place: Place = {
    path: '',
    root: profile.shape,
    picked: { ...(!isOnly && { of: collectionNameFor(profile.collection) }), ...(distribution && { distribution }) },
    textField: profile.indexes.flatMap(toIndexKey).find(([, kind]) => kind === 'text')?.[0],
    keep: new Set<string>(),
    like: likeExample,
    ...options,
    orDrawn: (value, { shape }, path) => orDrawn(value, shape, path, alone(options.keepValues)),
  }
  return orReason(() => {
    refuseKeys(call.options)
    const filters = examples.map(({ filter = {} }) => filter)
    const pipelines = examples.map(({ pipeline = [] }) => pipeline)
    const lists = examples.map(({ arrayFilters = [] }) => arrayFilters)
    const drawn: JsonObject = {
      ...(call.filter && { filter: parameterizeFilter(filters, place) }),
      ...(call.pipeline && { pipeline: parameterizePipeline(pipelines, place) }),
      ...(call.arrayFilters && { arrayFilters: parameterizeArrayFilters(lists, call.update, place) }),
    }
    const perCall = call.kind === 'insertMany' ? { documentsPerCall: Math.max(1, Math.round(documents / count)) } : {}
    return { ...ofOneDocument(drawn, place.picked), ...perCall, ...parameterizeOptions(examples) }
  })
}

/** The options of calls: those that are arguments are drawn as calls had them. */
function parameterizeOptions(examples: CallGroup['examples']): JsonObject {
  const options = Object.entries(examples[0]?.options ?? {}).map(
    ([name, value]): readonly [string, Json | undefined] => [
      name,
      argumentNames.has(name) ? createNumberChoice(examples.map((one) => one.options[name])) : literal(value),
    ],
  )
  return Object.fromEntries(options.filter(([, value]) => value !== undefined)) as JsonObject
}

function orReason(parameterize: () => JsonObject): JsonObject | string {
  try {
    return parameterize()
  } catch (error) {
    if (error instanceof CannotParameterize) return error.message
    throw error
  }
}

/** The same filter with the `_id` of the picked document, beside other values of it. */
const withOwnId = (filter: Json): Json =>
  isObject(filter) && isObject(filter['_id']) && '@key' in filter['_id']
    ? { ...filter, _id: { '@var': 'like._id' } }
    : filter

/** Picks one document for all values of a call, so that they match together. */
function ofOneDocument(drawn: JsonObject, picked: JsonObject): JsonObject {
  if (!JSON.stringify(drawn).includes('{"@var":"like.')) return drawn
  const { filter, pipeline, ...others } = drawn
  const [first, ...rest] = (pipeline ?? []) as readonly JsonObject[]
  const match = first?.['$match']
  return {
    let: { like: { '@document': picked } },
    ...others,
    ...(filter !== undefined && { filter: withOwnId(filter) }),
    ...(pipeline !== undefined && { pipeline: match ? [{ $match: withOwnId(match) }, ...rest] : pipeline }),
  }
}

/** The parameterized update or replacement of a call. A string is the reason why that is impossible. */
export function parameterizeWrite(
  { kind, update }: ProfiledCall,
  { context, profile }: PlannedData,
): JsonObject | string {
  if (update === undefined) return {}
  if (kind === 'replaceOne' || kind === 'findOneAndReplace') {
    const { _id: __, ...replacement } = createDocumentGenerator(profile.shape, inCall(context))
    return usesRow(replacement) ? 'they replace documents that have unique values' : { replacement }
  }
  // An update has no document number that could make a value unique.
  const drawing = { ...inCall(context), unique: new Set<string>() }
  return orReason(() => {
    refuseKeys(update)
    return {
      update: parameterizeUpdate(update, (path, example) => {
        const shape = shapeAt(profile.shape, path)
        return shape ? createValueGenerator(shape, path.replaceAll('.0', ''), drawing) : likeExample(example)
      }),
    }
  })
}

/** A generated value of the same type and length as an example that does not occur in the sample. */
function likeExample(value: unknown): Json {
  const shape = new Shape()
  observe(shape, value)
  return createValueGenerator(shape, '', alone(false))
}

/** The context of a value that needs neither to repeat nor to be unique, such as that of a picked document. */
const alone = (keepValues: boolean): DrawContext => ({
  documents: 1,
  sampled: 1,
  parameter: '',
  keepValues,
  needed: new Set(),
  unique: new Set(),
  columns: new Map(),
  notes: createNotes(),
})

/** A generated value for a path: like the sample there, else like the example. */
type DrawNew = (path: string, example: unknown) => Json

const setting: ReadonlySet<string> = new Set(['$set', '$setOnInsert', '$min', '$max'])
const adding: ReadonlySet<string> = new Set(['$push', '$addToSet', '$pull'])
/** Operators whose operands are not values of a document. */
const computing: ReadonlySet<string> = new Set(['$inc', '$mul', '$unset', '$rename', '$pop', '$currentDate', '$bit'])

/** An update whose written values are replaced by generated ones. */
function parameterizeUpdate(update: unknown, draw: DrawNew): Json {
  if (Array.isArray(update)) return literal(update)
  const operators = Object.entries(update as BsonDocument).map(([operator, fields]): readonly [string, Json] => {
    const entries = Object.entries(fields as BsonDocument)
    if (computing.has(operator)) return [operator, literal(fields)]
    if (setting.has(operator))
      return [operator, Object.fromEntries(entries.map(([path, value]) => [path, draw(plain(path), value)]))]
    if (adding.has(operator))
      return [operator, Object.fromEntries(entries.map(([path, value]) => [path, added(plain(path), value, draw)]))]
    throw new CannotParameterize(`they use "${operator}"`)
  })
  return Object.fromEntries(operators)
}

/** Without the positions of array elements. */
const plain = (path: string): string => path.replaceAll(/\.(\$(\[\w*\])?|\d+)(?=\.|$)/g, '')

/** Array filters, whose names stand for elements at paths of the update. All lists have the same shape. */
function parameterizeArrayFilters(
  lists: readonly (readonly BsonDocument[])[],
  update: unknown,
  place: Place,
): readonly Json[] {
  const paths = Object.values(update as BsonDocument).flatMap((fields) => Object.keys(fields as BsonDocument))
  return (lists[0] ?? []).map((filter, i) =>
    Object.fromEntries(
      Object.keys(filter).map((key) => {
        const [name = '', ...rest] = key.split('.')
        const array = paths.find((path) => path.includes(`.$[${name}]`))?.split(`.$[${name}]`)[0]
        if (array === undefined) throw new CannotParameterize(`they use "${name}" in array filters`)
        const conditions = lists.map((list) => list[i]?.[key])
        return [key, parameterizeCondition(conditions, { ...place, path: [plain(array), ...rest].join('.') })]
      }),
    ),
  )
}

function added(path: string, value: unknown, draw: DrawNew): Json {
  if (!isDocument(value) || !('$each' in value)) return elementAt(path, value, draw)
  const { $each, ...rest } = value
  const each = ($each as unknown[]).map((item) => elementAt(path, item, draw))
  return { $each: each, ...literalFields(rest) }
}

const elementAt = (path: string, value: unknown, draw: DrawNew): Json => draw(`${path}.0`, value)
