import { readFileSync } from 'node:fs'
import { shippedPath } from '../../core/package-root.ts'
import { type JsonSchema } from './json-schema.ts'
import { type Formats, type Reader, createSchemaReader } from './reader.ts'

/** The schemas that readers read by. `npm run schema` writes them from zod schemas. */
export type ShippedSchema = 'result.schema.json' | 'report.schema.json'

/** A reader by a schema in `fixtures/`, which is read when something is first read by it. */
export function shippedReader<Value>(file: ShippedSchema, formats: Formats = {}): Reader<Value> {
  let reader: Reader<Value> | undefined
  return (value) => {
    reader ??= createSchemaReader(parseShipped(file), formats)
    return reader(value)
  }
}

const parseShipped = (file: ShippedSchema): JsonSchema =>
  JSON.parse(readFileSync(shippedPath(file), 'utf8')) as JsonSchema
