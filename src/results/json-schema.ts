import { z } from 'zod'
import { result } from './schema.ts'

/** The result file as JSON Schema, for readers in other languages. */
export const resultJsonSchema = (): Readonly<Record<string, unknown>> => z.toJSONSchema(result)
