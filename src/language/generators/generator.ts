import type { z } from 'zod'
import type { Json, JsonObject, Path } from '../../core/json.ts'
import type { Stream } from '../../core/random.ts'
import { isNumber, toNumber } from '../values/bson-types.ts'
import type { CompiledValue, Draw } from '../values/draw-context.ts'
import type { Counter } from '../values/scope.ts'

type Bounds<Bound> = { readonly min: Bound; readonly max: Bound }

/** Arguments that expressions may give: a bound is left to its default, or is the other one, until it is drawn. */
export const drawableBounds = { min: null, max: null } as const

/**
 * Draws the bounds of a range anew for each value, where an expression gives one of them. Undefined: both are fixed.
 * @param read Reads a bound. Undefined where the value is none.
 * @param wanted Names the type of a bound, for messages.
 */
export function drawBounds<Bound extends number | bigint>(
  fixed: Bounds<Bound>,
  { drawn, refuse }: GeneratorContext,
  read: (value: unknown) => Bound | undefined,
  wanted: string,
): Draw<Bounds<Bound>> | undefined {
  const [min, max] = [drawn.get('min'), drawn.get('max')]
  if (min === undefined && max === undefined) return undefined
  const one = (name: string, value: unknown): Bound => read(value) ?? refuse(`"${name}" must be ${wanted}`)
  return (drawContext) => {
    const low = min === undefined ? fixed.min : one('min', min(drawContext))
    const high = max === undefined ? fixed.max : one('max', max(drawContext))
    if (low > high) refuse(`"min" is above "max": ${low} and ${high}`)
    return { min: low, max: high }
  }
}

/** A whole number within a range. Undefined for all else. */
export function readWhole(value: unknown, min: number, max: number): number | undefined {
  const number = isNumber(value) ? toNumber(value) : Number.NaN
  return Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

/** Assigns the numbers of new documents. */
export type RowNumbers = {
  /** The number that will be assigned next. */
  readonly next: () => number
  /** Assigns the next number to a call. It counts as in flight until the call has ended. */
  readonly take: (call: number) => number
}

/** The documents ("rows") of a data set, as generators see them while a phase runs. */
export type RowSource = {
  readonly collection: string
  /** Whether the collection existed before the run, and nothing describes its documents. */
  readonly isUnknown: boolean
  /** Numbers below this one had been assigned when the phase began. */
  readonly rowsGivenOut: () => number
  /** Numbers below this one belong to documents whose inserts have ended by now. */
  readonly rowsAnswered: () => number
  /** The newest row up to this one whose insert is known here to have ended: of several threads each knows its own. */
  readonly ownUpTo: (row: number) => number
  /** Compiles the value at a path of a document, such as its `_id`. Undefined where the spec does not define it. */
  readonly fieldOf: (path: string) => CompiledValue | undefined
  /** Builds the document of a number; the caller owns it. Undefined where the spec does not define documents. */
  readonly documentOf: ((row: number) => Record<string, unknown>) | undefined
  /** For generators that assign numbers; requested while compiling. */
  readonly numbers: () => RowNumbers
  /** Values at a path, read from the collection before the phases. Undefined while a spec is only validated. */
  readonly samples: (path: string) => readonly unknown[] | undefined
}

/** Context for the calls of a phase, but not for documents of data sets. */
export type CallContext = { readonly workers: number; readonly now: () => Date; readonly memory: Memory }

/** Values that workers remember for their later calls. */
export type Memory = {
  /** Names of all values that operations of the phase leave. */
  readonly names: readonly string[]
  /** The value that the worker of a call has remembered last. Undefined: none yet. */
  readonly read: (name: string, call: number) => unknown
}

/** Context that a generator may use while it is compiled. */
export type GeneratorContext = {
  /** Draws that belong to this place alone. */
  readonly stream: () => Stream
  /** Compiles a part of the argument, which may hold expressions. */
  readonly value: (part: Json, ...steps: Path) => CompiledValue
  /** A row generator's data set: the named one, or the only one. Undefined after a report. */
  readonly rows: (of: string | undefined) => RowSource | undefined
  /** A counter that all workers of a pass share; requested while compiling. */
  readonly counter: () => Counter
  /** True in documents of data sets, false in operations. */
  readonly inRow: boolean
  /** Undefined in documents of data sets. */
  readonly call: CallContext | undefined
  readonly report: (reason: string) => void
  /** Draws of the arguments that are expressions, by name: of those that the generator names as drawable. */
  readonly drawn: ReadonlyMap<string, Draw>
  /** Stops a draw for which a part of the argument has no usable value. */
  readonly refuse: (reason: string) => never
  /** Stops a draw that grows larger than any document may be. */
  readonly keepWithin: (bytes: number) => void
  /** Charges bytes that no other generator or function has charged to the budget of trial draws. */
  readonly spend: (bytes: number) => void
}

/**
 * Result of compiling a generator: how it draws, and perhaps how it writes. Such a `write` adds to the hash what the digest
 * has of the value: `hashValue` of it, unless the generator counts itself. Without one, values are written from what is drawn.
 */
export type Generated = Draw | CompiledValue

/** A generator of values. Each is one file. A draw is a pure function of its place in the spec and the draw context. */
export type Generator = {
  readonly keyword: `@${string}`
  readonly summary: string
  readonly args: z.ZodType
  /** An argument for the reference page and for the tests that run over all generators. */
  readonly example: Json
  /** Whether its draws add to the bytes and the hash of the context themselves, because their parts do. */
  readonly countsItself?: boolean
  /** Arguments that may be expressions, with what is parsed in their place: null leaves them out. */
  readonly drawable?: JsonObject
  readonly compile: (args: never, context: GeneratorContext) => Generated
}

/** Defines a generator, with the type of its arguments checked. */
export function defineGenerator<Args extends z.ZodType>(definition: {
  readonly keyword: `@${string}`
  readonly summary: string
  readonly args: Args
  readonly example: Json
  readonly countsItself?: boolean
  readonly drawable?: JsonObject
  readonly compile: (args: z.output<Args>, context: GeneratorContext) => Generated
}): Generator {
  // Safe: `compile` is only called with arguments that `args` of the same definition has parsed.
  return definition as Generator
}
