import { type z } from 'zod'
import { type Counter } from '../counter.ts'
import { type Json, type Path } from '../json.ts'
import { type Stream } from '../random.ts'
import { type Draw } from '../values/moment.ts'

/** Gives out the numbers of rows. */
export type RowNumbers = {
  /** The number that will be given out next. */
  readonly next: () => number
  /** A number that was never given out. It counts as under way until the call has ended. */
  readonly take: (call: number) => number
}

/** Rows of a data set, as keys and pickers see them while a phase runs. */
export type RowSource = {
  readonly collection: string
  /** Whether it was there before the run, so that nothing is known of its rows. */
  readonly isExisting: boolean
  /** Row numbers below this one had been given out when the phase began. */
  readonly rowsGivenOut: () => number
  /** Row numbers below this one have been given out by now, to calls that have ended. */
  readonly rowsAnswered: () => number
  /** The newest row up to this one whose insert is known here to have ended: of several threads each knows its own. */
  readonly ownUpTo: (row: number) => number
  /** The `_id` of a row. Undefined where the spec does not say what the `_id` is. */
  readonly idOf: (() => Draw) | undefined
  /** Builds the document of a row; its bytes and keys are its own. Undefined where the spec does not say what documents are. */
  readonly documentOf: ((row: number) => Record<string, unknown>) | undefined
  /** For one who takes rows; asked for while compiling. */
  readonly numbers: () => RowNumbers
  /** Values at a path, read from the collection beforehand. Undefined while a spec is only checked. */
  readonly samples: (path: string) => readonly unknown[] | undefined
}

/** What the calls of a phase have, and rows and options have not. */
export type CallContext = {
  /** Workers of the phase. */
  readonly workers: number
  readonly now: () => Date
}

/** What a generator may ask for while it is compiled. */
export type GeneratorContext = {
  /** Draws that belong to this place alone. */
  readonly stream: () => Stream
  /** Compiles a part of the argument, which may hold expressions. */
  readonly value: (part: Json, ...steps: Path) => Draw
  /** A row generator's data set: the named one, or the only one. Undefined after a report. */
  readonly rows: (of: string | undefined) => RowSource | undefined
  /** A counter that all callers of a pass share; asked for while compiling. */
  readonly counter: () => Counter
  /** True in documents of data sets, where there is a row; false in operations, where there is a call. */
  readonly inRow: boolean
  /** Undefined in documents of data sets. */
  readonly call: CallContext | undefined
  readonly report: (reason: string) => void
  /** Ends a draw that grows beyond any document. */
  readonly keepWithin: (bytes: number) => void
  /** For bytes that no other generator or function has made: where values are only tried, that ends at some time. */
  readonly spend: (bytes: number) => void
}

/** A generator is one file: its word, its arguments, and how to make a draw of them. A draw is a pure function of place and moment. */
export type Generator = {
  readonly word: `@${string}`
  readonly summary: string
  readonly args: z.ZodType
  /** An argument for the reference page and for the tests that run over all generators. */
  readonly example: Json
  /** Whether its draws themselves add to the moment's bytes and hash, because their parts do so. */
  readonly countsItself?: boolean
  readonly compile: (args: never, context: GeneratorContext) => Draw
}

export function defineGenerator<Args extends z.ZodType>(definition: {
  readonly word: `@${string}`
  readonly summary: string
  readonly args: Args
  readonly example: Json
  readonly countsItself?: boolean
  readonly compile: (args: z.output<Args>, context: GeneratorContext) => Draw
}): Generator {
  // Safe: `compile` is only ever called with what `args` of the same definition has parsed.
  return definition as Generator
}
