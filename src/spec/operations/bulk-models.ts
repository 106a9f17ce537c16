import { z } from 'zod'
import { type Json, type Path } from '../../core/json.ts'
import { kindTitle } from '../../language/value-schema.ts'
import { type Draw } from '../../language/values/draw-context.ts'
import { type Namespace, type Options, type Write, type WriteKind } from '../../load/engines/intent.ts'
import { compileInsertedDocuments, insertFields } from './insert-one.ts'
import { type BuildArguments, type OperationContext, optionsCall } from './operation.ts'
import { arrayFilters, filter, filterOptions, firstInOrder, replacement, update, upsert } from './options.ts'

export const modelFields = {
  insertOne: insertFields,
  updateOne: { filter, update, upsert, arrayFilters, sort: firstInOrder, ...filterOptions },
  updateMany: { filter, update, upsert, arrayFilters, ...filterOptions },
  replaceOne: { filter, replacement, upsert, sort: firstInOrder, ...filterOptions },
  deleteOne: { filter, ...filterOptions },
  deleteMany: { filter, ...filterOptions },
} as const satisfies Readonly<Record<WriteKind, z.ZodRawShape>>

const kinds = Object.keys(modelFields) as readonly WriteKind[]

const summaries: Readonly<Record<WriteKind, string>> = {
  insertOne: 'Insert one document.',
  updateOne: 'Update one document.',
  updateMany: 'Update all documents that match.',
  replaceOne: 'Replace one document.',
  deleteOne: 'Delete one document.',
  deleteMany: 'Delete all documents that match.',
}

/** The write of a model, once its schema has been passed. */
export type ModelSpec = { readonly collection?: string | undefined; readonly [field: string]: Json | undefined }

/** One write of a bulk: exactly one of its keys is given. */
export type EntrySpec = { readonly [Kind in WriteKind]?: ModelSpec | undefined }

/**
 * @param prefix Of the names of its types, as the driver has them: "ClientInsertOneModel" next to "InsertOneModel".
 * @param more Fields that every model has besides its own.
 */
export function bulkFields<More extends z.ZodRawShape>(prefix: '' | 'Client', more: More) {
  const models = kinds.map((kind) => {
    const model = z
      .strictObject({ ...modelFields[kind], ...more })
      .meta({ title: `${prefix}${kindTitle(kind, 'Model')}` })
      .describe(summaries[kind])
    return [kind, model.optional()] as const
  })
  const entry = z
    .strictObject(Object.fromEntries(models))
    .refine((given) => givenKinds(given as EntrySpec).length === 1, `takes one of ${kinds.join(', ')}`)
    .meta({ title: `${prefix}BulkWriteModel` })
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
        'Writes per call, 1 to 100000: the list is repeated across calls, with new values for every write. Default: the length of the list.',
      ),
  }
}

/** The fields of a bulk write that determine its writes. */
export type BulkSpec = {
  readonly operations: readonly unknown[]
  readonly forceServerObjectId?: boolean | undefined
  readonly operationsPerCall?: number | undefined
}

const givenKinds = (entry: EntrySpec): readonly WriteKind[] => kinds.filter((kind) => entry[kind] !== undefined)

/** The writes of a bulk as the spec lists them. */
export function listWriteModels({
  operations,
}: BulkSpec): readonly { readonly kind: WriteKind; readonly model: ModelSpec }[] {
  return (operations as readonly EntrySpec[]).flatMap((entry) =>
    givenKinds(entry).map((kind) => ({ kind, model: entry[kind] ?? {} })),
  )
}

export const writesPerCall = (spec: BulkSpec): number => spec.operationsPerCall ?? spec.operations.length

/** Every write but those of many asks for one document. */
export const documentsPerBulk = (spec: BulkSpec): number | undefined =>
  listWriteModels(spec).some(({ kind }) => kind.endsWith('Many')) ? undefined : writesPerCall(spec)

/** The field whose bytes count: it carries a document to the server. */
const carriedField: Readonly<Partial<Record<WriteKind, string>>> = { insertOne: 'document', replaceOne: 'replacement' }

/** @param namespaceOf Where a write goes. Default: to the collection of the call. */
export function bulkCall(
  spec: BulkSpec,
  options: readonly string[],
  context: OperationContext,
  namespaceOf: (model: ModelSpec) => Namespace | undefined = () => undefined,
): BuildArguments {
  const draws = listWriteModels(spec).map(({ kind, model }, i): Draw<Write> => {
    const at: Path = ['operations', i, kind]
    const fields = compileModel(
      { kind, model, forceServerObjectId: spec.forceServerObjectId },
      {
        ...context,
        value: (part, ...steps) => context.value(part, ...at, ...steps),
        computed: (part, ...steps) => context.computed(part, ...at, ...steps),
        document: (part, ...steps) => context.document(part, ...at, ...steps),
        rows: () => context.rows(model.collection),
      },
    )
    const namespace = namespaceOf(model)
    return (drawContext) => ({ kind, namespace, fields: fields(drawContext) })
  })
  const readOptions = optionsCall(spec, options, context)
  const perCall = writesPerCall(spec)
  return (drawContext, documents) => {
    const built = readOptions(drawContext)
    drawContext.bytes = 0
    const first = (drawContext.n % draws.length) * perCall
    // Only the last call of a phase that stops by documents asks for fewer.
    const writes = Array.from({ length: documents > 0 ? documents : perCall }, (_, i) => {
      drawContext.lane = i
      return (draws[(first + i) % draws.length] as Draw<Write>)(drawContext)
    })
    drawContext.lane = 0
    return { writes, options: built }
  }
}

type Model = { readonly kind: WriteKind; readonly model: ModelSpec; readonly forceServerObjectId: boolean | undefined }

function compileModel({ kind, model, forceServerObjectId }: Model, context: OperationContext): Draw<Options> {
  const carried = carriedField[kind]
  const names = Object.keys(modelFields[kind]).filter((name) => name !== carried)
  const fields = optionsCall(model, names, context)
  const uncounted: Draw<Options> = (drawContext) => {
    const { bytes } = drawContext
    const made = fields(drawContext)
    drawContext.bytes = bytes
    return made
  }
  if (carried === undefined) return uncounted
  const document =
    kind === 'insertOne'
      ? compileInsertedDocuments({ ...model, forceServerObjectId }, context)
      : context.value(model[carried] ?? null, carried)
  return (drawContext) => ({ ...uncounted(drawContext), [carried]: document(drawContext) })
}
