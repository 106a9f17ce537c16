import { z } from 'zod'
import { type Json } from '../json.ts'

/** It checks nothing, but a spec is JSON, so what stands there is. */
type ValuePlace = z.ZodType<Json>

/**
 * A place for a value that goes to the server: any Extended JSON, with expressions in it. What stands there is compiled,
 * not validated, by `values/`; `null` and `when` in it are the user's own. The id is how the editor schema knows it.
 */
export const value = z.unknown().meta({ id: 'value' }) as unknown as ValuePlace

/** A place for an expression of the report, computed row by row from what was measured: kept as written until then. */
export const reportValue = z.unknown().meta({ id: 'reportValue' }) as unknown as ValuePlace

/** Also with a description of its own, which makes it another schema. */
export const isValuePlace = (schema: unknown): boolean => schema instanceof z.ZodUnknown
