import { z } from 'zod'
import { type Json } from '../core/json.ts'

/** The schema accepts anything; a spec is JSON, so the value is too. */
type ValueSchema = z.ZodType<Json>

/**
 * A place for a value that is sent to the server: any Extended JSON with expressions. It is not validated by the schema but
 * compiled by `values/`; `null` and `when` in it belong to the user. The editor schema finds these places by the id.
 */
export const value = z.unknown().meta({ id: 'value' }) as unknown as ValueSchema

/** A place for an expression of the report: it is kept as written, and evaluated row by row after the measurement. */
export const reportValue = z.unknown().meta({ id: 'reportValue' }) as unknown as ValueSchema

/** Whether a schema is a place for a value. A description makes it another schema object, so it is compared by type. */
export const isValueSchema = (schema: unknown): boolean => schema instanceof z.ZodUnknown

/** The title of the schema of a kind, which is the name of its TypeScript type: "findOne" of "Operation" is "FindOneOperation". */
export const kindTitle = (kind: string, of: string): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${of}`
