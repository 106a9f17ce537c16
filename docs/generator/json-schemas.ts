import { z } from 'zod'
import { configSchema } from '../../src/cli/options/config-schema.ts'
import { type JsonSchema } from '../../src/language/json-schema/json-schema.ts'
import { type ShippedSchema } from '../../src/language/json-schema/shipped-reader.ts'
import { reportSpec } from '../../src/metrics/report-schema.ts'
import { editorSchema } from './editor/editor-schema.ts'
import { snippetsFile } from './editor/snippets.ts'
import { result } from './result-parts.ts'

/** The JSON Schema of a result as `readResult` takes it: fields with a default may be missing. */
const resultSchema = (): JsonSchema => ({
  ...inputSchema(result),
  title: 'A result of mongo-perf',
  description:
    'The file of a compact result has a list `shared` besides: in its variants `{"@shared": 3}` refers to index 3 of it.',
})

const inputSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', reused: 'inline', override: withoutAddresses }) as JsonSchema

/** Removes the format of addresses, by which editors alone go. */
function withoutAddresses({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'address') delete jsonSchema.format
}

/** The JSON Schemas in `fixtures/` that `npm run schema` writes, and the snippets that belong to that of specs. */
export const jsonSchemas = {
  'spec.schema.json': editorSchema,
  'result.schema.json': resultSchema,
  'report.schema.json': () => inputSchema(reportSpec),
  'config.schema.json': () => ({ ...inputSchema(configSchema), title: 'Defaults of mongo-perf' }),
  'editor/mongo-perf.code-snippets': snippetsFile,
} as const satisfies Readonly<
  Record<ShippedSchema | 'spec.schema.json' | 'config.schema.json' | `editor/${string}`, () => object>
>

/** The text of the file of a schema. */
export const schemaText = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`
