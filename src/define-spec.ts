import { type z } from 'zod'
import { type specSchema } from './schema/schema.ts'

/** An object whose only key begins with `@`: a parameter, a function, or a generator where values are drawn. */
export type Expression = { readonly [keyword: `@${string}`]: unknown }

/** Read as written: kinds tell unions apart, the others are said of the whole spec. */
type Literal = 'kind' | '$schema' | 'name' | 'seed' | 'repeat' | 'allow'

/** A part of a spec as its author may write it: an expression or null wherever the language allows one. */
type Written<Part> = unknown extends Part
  ? unknown
  : Part extends readonly (infer Item)[]
    ? readonly (Written<Item> | Expression)[]
    : Part extends object
      ? { readonly [Key in keyof Part]: Key extends Literal ? Part[Key] : Written<Part[Key]> | Expression | null }
      : Part

/** A spec in a TypeScript file: editors complete it, and the compiler refuses keys that do not exist. */
export type SpecInput = Written<z.input<typeof specSchema>>

/** Hands back what it is given; it is there for the types. `run` and `loadSpec` check it as they check a file. */
export const defineSpec = (spec: SpecInput): SpecInput => spec
