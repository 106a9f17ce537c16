import { z } from 'zod'

/**
 * A place for a value that goes to the server: any Extended JSON, with expressions in it. What stands there is compiled,
 * not validated, by `values/`; `null` and `when` in it are the user's own. The id is how the editor schema knows it.
 */
export const value = z.unknown().meta({ id: 'value' })

/** Also with a description of its own, which makes it another schema. */
export const isValuePlace = (schema: unknown): boolean => schema instanceof z.ZodUnknown
