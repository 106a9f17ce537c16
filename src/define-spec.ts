import { type z } from 'zod'
import { type operations } from './operations/index.ts'
import { type specSchema } from './schema/schema.ts'

/** An object whose only key begins with `@`: a parameter, a function, or a generator where values are drawn. */
export type Expression = { readonly [keyword: `@${string}`]: unknown }

/** Keys whose values are read as written: they cannot hold expressions. */
type Literal = 'kind' | '$schema' | 'name' | 'seed' | 'repeat' | 'allow'

/** A part of a spec as it may be written: with an expression or null where the language allows one. */
type Written<Part> = unknown extends Part
  ? unknown
  : Part extends readonly (infer Item)[]
    ? readonly (Written<Item> | Expression)[]
    : Part extends object
      ? { readonly [Key in keyof Part]: Key extends Literal ? Part[Key] : Written<Part[Key]> | Expression | null }
      : Part

/** A spec in a TypeScript file: editors complete it, and the compiler refuses unknown keys. */
export type SpecInput = Written<z.input<typeof specSchema>>

/** An operation of one call, as it may be written in the `operations` of a phase. */
export type OperationInput = Written<z.input<(typeof operations)[number]['spec']>>

/** Returns its argument, with the type of a spec. `run` and `loadSpec` validate it like a file. */
export const defineSpec = (spec: SpecInput): SpecInput => spec
