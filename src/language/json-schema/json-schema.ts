import { type Json } from '../../core/json.ts'

/** The types of JSON, and "integer", which is a number. */
export type JsonType = 'null' | 'boolean' | 'number' | 'integer' | 'string' | 'array' | 'object'

/** A JSON Schema with the keywords that `readerOf` reads: those of the schemas in `fixtures/` that zod schemas are written to. */
export type JsonSchema = Constraints & {
  readonly $schema?: string
  readonly title?: string
  readonly description?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

type Constraints = {
  /** `#/$defs/` and a name. */
  readonly $ref?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly type?: JsonType | readonly JsonType[]
  readonly const?: Json
  readonly enum?: readonly Json[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minItems?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  /** False: other keys are refused. Absent: they are dropped. */
  readonly additionalProperties?: JsonSchema | false
  readonly propertyNames?: JsonSchema
  /** Value of a property where it is missing. */
  readonly default?: Json
}
