import { z } from 'zod'
import { type Stream } from '../../../core/random.ts'
import { kindTitle } from '../../value-schema.ts'
import { type DrawContext } from '../../values/draw-context.ts'
import { type Counter } from '../../values/scope.ts'

/** Draws a number in [0, count). */
export type Picker = (drawContext: DrawContext) => number

/** Draws a number in [0, count), where the count may grow from draw to draw. */
export type GrowingPicker = (drawContext: DrawContext, count: number) => number

/** A distribution of draws over a range of numbers. Each is one file. */
export type Distribution = {
  readonly kind: string
  readonly summary: string
  /** Source of its formula, for the reference. Empty where it needs none. */
  readonly source: string
  readonly spec: z.ZodObject<{ kind: z.ZodLiteral<string> }>
  /**
   * @param count Numbers to draw from, at least 1.
   * @param counter Makes a counter for a picker that depends on the number of draws so far.
   */
  readonly create: (count: number, stream: Stream, given: never, counter: () => Counter) => Picker
  /** For a distribution that follows a growing range. Undefined: it keeps to the initial range. */
  readonly createGrowing: ((count: number, stream: Stream, given: never) => GrowingPicker | undefined) | undefined
}

/** Defines a distribution, with the type of its arguments checked. */
export function defineDistribution<Fields extends z.ZodRawShape = Record<never, never>>(definition: {
  readonly kind: string
  readonly summary: string
  /** Source of its formula, for the reference. Default: none. */
  readonly source?: string
  /** Its own arguments. Each needs a default, so that the name alone is enough. */
  readonly fields?: Fields
  readonly create: (
    count: number,
    stream: Stream,
    given: z.output<z.ZodObject<Fields>>,
    counter: () => Counter,
  ) => Picker
  /** Default: it keeps to the initial range. */
  readonly createGrowing?: (
    count: number,
    stream: Stream,
    given: z.output<z.ZodObject<Fields>>,
  ) => GrowingPicker | undefined
}): Distribution {
  const { kind, summary, source = '', fields, create, createGrowing } = definition
  const spec = z.strictObject({ kind: z.literal(kind), ...fields }).meta({ title: kindTitle(kind, 'Distribution') })
  // Safe: `create` and `createGrowing` are only called with arguments that `spec` of the same definition has parsed.
  return { kind, summary, source, spec, create, createGrowing } as unknown as Distribution
}
