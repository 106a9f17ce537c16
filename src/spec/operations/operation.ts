import { z } from 'zod'
import { type Json, type Path } from '../../core/json.ts'
import { isStatic } from '../../language/expression.ts'
import { kindTitle, value } from '../../language/value-schema.ts'
import { isNumber, toNumber } from '../../language/values/bson-types.ts'
import { type Draw, type DrawContext, createDrawContext } from '../../language/values/draw-context.ts'
import {
  type MethodKind,
  type NamedArguments,
  type Namespace,
  type Options,
  type ValueArguments,
} from '../../load/engines/intent.ts'
import { type ReplyKind } from '../../load/engines/reply-traits.ts'
import { drawn as drawnName } from './options.ts'

/** Rows that an insert takes when its spec names no document. */
export type RowTaker = {
  /** Builds the document of the next row; adds its bytes to the moment. */
  readonly nextDocument: Draw
}

export type OperationContext = {
  /** Compiles a value that is sent as it is; the steps lead to it from the operation. */
  readonly value: (part: Json, ...steps: Path) => Draw
  /** Compiles a value that the operation or an engine computes with: always a value of JavaScript. */
  readonly computed: (part: Json, ...steps: Path) => Draw
  /** Compiles a document to insert: of its own for every call, and the last one that has been built. */
  readonly document: (part: Json, ...steps: Path) => Draw
  /** The rows of a collection, by default the operation's. Undefined, after a report, when its data set has no document. */
  readonly rows: (collection?: CollectionName) => RowTaker | undefined
  /** Returns the namespace of a collection, by default the operation's. Undefined, after a report, when there is none. */
  readonly namespace: (collection?: CollectionName) => Namespace | undefined
}

export type BuildArguments = (drawContext: DrawContext, documents: number) => NamedArguments

export const operationName = z
  .string()
  .regex(/^[A-Za-z][\w-]*$/)
  .optional()

/** Names with values, made in their order. */
export const letValues = z
  .record(z.string().regex(/^[a-z]\w*$/), value)
  .refine((given) => Object.keys(given).length <= 1000, 'names at most 1000 values')

/** Longest pause after a call, in seconds. */
export const maxPauseSeconds = 3600

/** Fields common to all specs that are drawn and timed. */
export const timedFields = {
  name: operationName.describe('Name in tables and addresses, unique in its phase. Default: the kind or the function.'),
  weight: z
    .number()
    .positive()
    .default(1)
    .describe('How often it is drawn, relative to the other operations of the phase. Default 1.'),
  share: z
    .number()
    .positive()
    .optional()
    .describe(
      "Its part of the workers' time, relative to the shares of the other operations, instead of a weight. Either all operations of a phase have a share or none. How many operations result depends on their latency, and so does the digest. Each thread counts its own time.",
    ),
  pause: z
    .union([z.number().min(0).max(maxPauseSeconds), drawnName])
    .optional()
    .describe(
      'Seconds for which a worker of a closed load pauses after this operation, before its next one: a number, or an expression that draws one each time, such as `{"@exponential": {"mean": 12, "max": 120}}`. Pauses are not timed. They are drawn separately from `let`, and do not change the digest. Each worker starts at a random point of its first pause. 0 to 3600. Default: none.',
    ),
}

/** Schema of the values that an operation leaves for later calls of its worker. */
export const rememberedNames = z
  .array(z.string())
  .optional()
  .describe('Values of "let" that the worker remembers: `@remembered` reads them in later operations of the phase.')

/** A name as it is, or an expression that draws one for every call. */
export type CollectionName = string | Readonly<Record<string, Json>>

/** Fields common to all operations of one call. */
const methodFields = {
  collection: z
    .union([z.string(), drawnName])
    .optional()
    .describe(
      'Collection to work on: its name, or of a data set with "collections" an expression that draws one each time. Default: the only one.',
    ),
  let: letValues
    .optional()
    .describe(
      "Values drawn once per operation, in order; `@var` reads them. Values that the server's expressions read as `$$name` are sent as the driver's option `let`.",
    ),
  remember: rememberedNames,
  expectErrors: z
    .array(z.int().min(1))
    .min(1)
    .max(50)
    .optional()
    .describe(
      'Codes of server errors that are part of the work, such as 11000 where documents may be there already. An operation that ends with no other error counts as done, with its latency and the documents that were written, and `expectedErrors` counts it. Default: every error is one.',
    ),
}

/** Whether a call has an output depends on its pipeline, not on its kind. */
export type OwnReply = Exclude<ReplyKind, 'output'>

/** An operation is one file: its words in a spec, and how a call's arguments are made and its reply is read. */
export type Operation<Kind extends MethodKind = MethodKind, Spec extends z.ZodObject = z.ZodObject> = {
  readonly kind: Kind
  readonly summary: string
  readonly spec: Spec
  readonly needsCollection: boolean
  readonly reply: OwnReply
  readonly carriesDocuments: boolean
  readonly documentsPerCall: (spec: never) => number | undefined
  /** Oldest server version that knows the method, such as "8.0". */
  readonly needsServer: string | undefined
  readonly compile: (spec: never, context: OperationContext) => BuildArguments
}

/** Defines an operation of one call: its schema, its reply and how it compiles. */
export function defineOperation<const Kind extends MethodKind, Fields extends z.ZodRawShape>(definition: {
  readonly kind: Kind
  readonly summary: string
  readonly fields: Fields
  /** Whether it works on a collection of the spec. Default true. */
  readonly needsCollection?: boolean
  /** Oldest server version that knows the method, such as "8.0". Default: any. */
  readonly needsServer?: string
  /** How an engine reads the reply. */
  readonly reply: OwnReply
  /** Whether calls carry documents to the server: their bytes count as loaded. */
  readonly carriesDocuments?: boolean
  /** Most documents that a call asks for; undefined when nothing bounds them. */
  readonly documentsPerCall: (spec: z.output<z.ZodObject<Fields>>) => number | undefined
  readonly compile: (spec: z.output<z.ZodObject<Fields>>, context: OperationContext) => BuildArguments
}) {
  const spec = z
    .strictObject({ kind: z.literal(definition.kind), ...timedFields, ...methodFields, ...definition.fields })
    .meta({ title: kindTitle(definition.kind, 'Operation') })
    .describe(definition.summary)
  // Safe: `compile` and `documentsPerCall` are only called with what `spec` of the same definition has parsed.
  const operation = {
    ...definition,
    spec,
    needsCollection: definition.needsCollection ?? true,
    needsServer: definition.needsServer,
    carriesDocuments: definition.carriesDocuments ?? false,
  }
  return operation as Operation<Kind, typeof spec>
}

type Made = { -readonly [Name in keyof ValueArguments]: unknown } & { options: Options }

const noOptions: Options = {}

/** Arguments that are values of the fields of the same names, and options. */
export function methodCall(
  spec: object,
  names: readonly (keyof ValueArguments)[],
  options: readonly string[],
  context: OperationContext,
): BuildArguments {
  const given = spec as Readonly<Record<string, Json>>
  const args = names.map((name) => ({ name, draw: context.value(given[name] ?? {}, name) }))
  const readOptions = optionsCall(spec, options, context)
  return (drawContext) => {
    const made: Made = { options: noOptions }
    for (const { name, draw } of args) made[name] = draw(drawContext)
    made.options = readOptions(drawContext)
    return made
  }
}

/** Options that may be drawn for every call and must be whole numbers. */
export const wholeNumberOptions: ReadonlySet<string> = new Set(['limit', 'skip', 'batchSize', 'maxTimeMS'])

/** Engines compute with these options, so they get numbers of JavaScript, also for an int64. */
const asNumber =
  (draw: Draw): Draw =>
  (drawContext) => {
    const drawn = draw(drawContext)
    return isNumber(drawn) ? toNumber(drawn) : drawn
  }

/** The options that the spec gives. Nothing is passed for those that it does not. */
export function optionsCall(spec: object, options: readonly string[], context: OperationContext): Draw<Options> {
  const given = spec as Readonly<Record<string, Json>>
  const names = options.filter((name) => given[name] !== undefined)
  const draws = names.map((name) => {
    const part = given[name] ?? null
    if (wholeNumberOptions.has(name)) return asNumber(context.computed(part, name))
    // Engines go by flags, sizes and keywords.
    return typeof part === 'object' ? context.value(part, name) : context.computed(part, name)
  })
  const build = (drawContext: DrawContext): Options =>
    Object.fromEntries(names.map((name, i) => [name, draws[i]?.(drawContext)]))
  if (!names.every((name) => isStatic(given[name] ?? null))) return build
  // One object for all calls, by which engines know that they have seen these options before.
  const made = Object.freeze(build(createDrawContext()))
  return () => made
}
