import { z } from 'zod'
import { type Counter } from '../../counter.ts'
import { type Stream } from '../../random.ts'
import { type Moment } from '../../values/moment.ts'

/** Draws a number in [0, count). */
export type Picker = (moment: Moment) => number

/** Draws a number in [0, count) of a range that grows from draw to draw. */
export type GrowingPicker = (moment: Moment, count: number) => number

/** A distribution is one file: its kind, its own arguments, and how to make a picker of them. */
export type Distribution = {
  readonly kind: string
  readonly summary: string
  /** Where its formula comes from, for the reference. Empty where there is none to speak of. */
  readonly source: string
  readonly spec: z.ZodObject<{ kind: z.ZodLiteral<string> }>
  /**
   * @param count Numbers to draw from, at least 1.
   * @param counter Makes a counter for a picker that goes by how often it was asked.
   */
  readonly create: (count: number, stream: Stream, given: never, counter: () => Counter) => Picker
  /** For one that follows a range that grows while it is drawn from. Undefined: it goes by the range at the beginning. */
  readonly createGrowing: ((count: number, stream: Stream, given: never) => GrowingPicker) | undefined
}

export function defineDistribution<Fields extends z.ZodRawShape = Record<never, never>>(definition: {
  readonly kind: string
  readonly summary: string
  /** Where its formula comes from, for the reference. Default: there is none to speak of. */
  readonly source?: string
  /** Its own arguments, each with a default: the bare word is to be enough. */
  readonly fields?: Fields
  readonly create: (
    count: number,
    stream: Stream,
    given: z.output<z.ZodObject<Fields>>,
    counter: () => Counter,
  ) => Picker
  /** Default: it does not follow a range that grows. */
  readonly createGrowing?: (count: number, stream: Stream, given: z.output<z.ZodObject<Fields>>) => GrowingPicker
}): Distribution {
  const { kind, summary, source = '', fields, create, createGrowing } = definition
  const spec = z.strictObject({ kind: z.literal(kind), ...fields })
  // Safe: `create` and `createGrowing` are only ever called with what `spec` of the same definition has parsed.
  return { kind, summary, source, spec, create, createGrowing } as unknown as Distribution
}
