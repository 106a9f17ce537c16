import { z } from 'zod'

/** Larger numbers are measured nowhere, and their sums and squares would no longer be finite. */
const max = Number.MAX_SAFE_INTEGER

/** A measured number. Results come from other machines and other people, so it has bounds, as `count` has. */
export const figure = z.number().min(-max).max(max)
export const count = z.int()
export const text = z.string()
export const flag = z.boolean()
export const json = z.json()
export const keyword = z.enum
export const list = z.array
export const record = z.record

export const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable()

/** The schema of what may be null, as it is where an older result does not have it. */
export const nullByDefault = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null)

/** The schema of a list that is empty where an older result does not have it. */
export const orEmpty = <Item extends z.ZodType>(item: Item) => z.array(item).default([])

/** The schema of an object, with its description. */
export const part = <Fields extends z.ZodRawShape>(description: string, fields: Fields) =>
  z.object(fields).describe(description)
