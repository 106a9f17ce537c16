import { z } from 'zod'
import { type Json } from '../json.ts'
import { type Draw, type DrawContext } from '../values/draw-context.ts'
import { documentsOf, insertFields } from './insert-one.ts'
import { type OperationContext, optionsCall } from './operation.ts'
import { arrayFilters, filter, filterOptions, firstInOrder, replacement, update, upsert } from './options.ts'

/** The writes of a bulk, with the driver's names and fields. */
export const modelFields = {
  insertOne: insertFields,
  updateOne: { filter, update, upsert, arrayFilters, sort: firstInOrder, ...filterOptions },
  updateMany: { filter, update, upsert, arrayFilters, ...filterOptions },
  replaceOne: { filter, replacement, upsert, sort: firstInOrder, ...filterOptions },
  deleteOne: { filter, ...filterOptions },
  deleteMany: { filter, ...filterOptions },
} as const satisfies Readonly<Record<string, z.ZodRawShape>>

export type ModelKind = keyof typeof modelFields
const kinds = Object.keys(modelFields) as readonly ModelKind[]

const summaries: Readonly<Record<ModelKind, string>> = {
  insertOne: 'Insert one document.',
  updateOne: 'Update one document.',
  updateMany: 'Update all documents that match.',
  replaceOne: 'Replace one document.',
  deleteOne: 'Delete one document.',
  deleteMany: 'Delete all documents that match.',
}

/** What a model says of its write, once its schema has been passed. */
export type ModelSpec = { readonly collection?: string | undefined; readonly [field: string]: Json | undefined }

/** One write of a bulk: exactly one of its keys is given. */
export type EntrySpec = { readonly [Kind in ModelKind]?: ModelSpec | undefined }

/** @param more Fields that every model has besides its own. */
export function bulkFields<More extends z.ZodRawShape>(more: More) {
  const models = kinds.map((kind) => {
    const model = z.strictObject({ ...modelFields[kind], ...more }).describe(summaries[kind])
    return [kind, model.optional()] as const
  })
  const entry = z
    .strictObject(Object.fromEntries(models))
    .refine((given) => givenKinds(given as EntrySpec).length === 1, `takes one of ${kinds.join(', ')}`)
  return {
    operations: z
      .array(entry)
      .min(1)
      .max(1000)
      .describe('Writes, each an object with the name of the write as its only key.'),
    operationsPerCall: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe(
        'Writes per call, 1 to 100000: the list is repeated, from call to call, and every write is drawn anew. Default: the length of the list.',
      ),
  }
}

export type BulkSpec = {
  readonly operations: readonly unknown[]
  readonly operationsPerCall?: number | undefined
}

const givenKinds = (entry: EntrySpec): readonly ModelKind[] => kinds.filter((kind) => entry[kind] !== undefined)

/** The writes of a bulk as the spec lists them. */
export function modelsOf({ operations }: BulkSpec): readonly { readonly kind: ModelKind; readonly model: ModelSpec }[] {
  return (operations as readonly EntrySpec[]).flatMap((entry) =>
    givenKinds(entry).map((kind) => ({ kind, model: entry[kind] ?? {} })),
  )
}

export const writesPerCall = (spec: BulkSpec): number => spec.operationsPerCall ?? spec.operations.length

/** Every write but those of many asks for one document. */
export const documentsPerBulk = (spec: BulkSpec): number | undefined =>
  modelsOf(spec).some(({ kind }) => kind.endsWith('Many')) ? undefined : writesPerCall(spec)

/** What parts of a write must be, whatever its kind. */
export const modelShapes = {
  filter: 'document',
  update: 'update',
  document: 'document',
  replacement: 'replacement',
} as const

/** The field whose bytes count: it carries a document to the server. */
const carriedField: Readonly<Partial<Record<ModelKind, string>>> = { insertOne: 'document', replaceOne: 'replacement' }

/**
 * Builds the writes of a call.
 * @param toArgument Puts the fields of a write into the form that the method of the driver takes.
 */
export function writesOf(
  spec: BulkSpec,
  context: OperationContext,
  toArgument: (kind: ModelKind, fields: object, model: ModelSpec) => object,
): (moment: DrawContext, documents: number) => readonly object[] {
  const draws = modelsOf(spec).map(({ kind, model }, i): Draw<object> => {
    const fields = compileModel(kind, model, {
      ...context,
      value: (part, ...steps) => context.value(part, 'operations', i, kind, ...steps),
      rows: () => context.rows(model.collection),
    })
    return (moment) => toArgument(kind, fields(moment), model)
  })
  const perCall = writesPerCall(spec)
  return (moment, documents) => {
    const first = (moment.n % draws.length) * perCall
    // Only the last call of a phase that stops by documents asks for fewer.
    const writes = Array.from({ length: documents > 0 ? documents : perCall }, (_, i) => {
      moment.lane = i
      return (draws[(first + i) % draws.length] as Draw<object>)(moment)
    })
    moment.lane = 0
    return writes
  }
}

function compileModel(kind: ModelKind, model: ModelSpec, context: OperationContext): Draw<object> {
  const carried = carriedField[kind]
  const names = Object.keys(modelFields[kind]).filter((name) => name !== carried)
  const fields = optionsCall(model, names, context)
  const uncounted: Draw<object> = (moment) => {
    const { bytes } = moment
    const made = fields(moment)
    moment.bytes = bytes
    return made
  }
  if (carried === undefined) return uncounted
  const document =
    kind === 'insertOne'
      ? documentsOf({ document: model['document'] }, context)
      : context.value(model[carried] ?? null, carried)
  return (moment) => ({ ...uncounted(moment), [carried]: document(moment) })
}
