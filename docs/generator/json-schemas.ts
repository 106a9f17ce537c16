import { z } from 'zod'
import { configSchema } from '../../src/cli/options/config-schema.ts'
import { type JsonSchema } from '../../src/language/json-schema/json-schema.ts'
import { type ShippedSchema } from '../../src/language/json-schema/shipped-reader.ts'
import { reportSpec } from '../../src/metrics/report-schema.ts'
import { phaseResult, result, variantResult } from '../../src/results/schema.ts'
import {
  errorCount,
  operationResult,
  perSecond,
  readConcern,
  readPreference,
  stepResult,
  writeConcern,
} from '../../src/results/schema/calls.ts'
import { explain } from '../../src/results/schema/explain.ts'
import { latency, latencySummary, nullableSeries, secondHistograms } from '../../src/results/schema/latency.ts'
import { memberResources, serverInfo } from '../../src/results/schema/servers.ts'
import { warning } from '../../src/results/schema/warnings.ts'
import { editorSchema } from './editor/editor-schema.ts'
import { snippetsFile } from './editor/snippets.ts'
import { operationFields, phaseFields, resultFields, variantFields } from './result-fields.ts'

/** Parts of a result that have a definition of their own: the main ones, and those that occur in several places. */
const partsOfResult: Readonly<Record<string, z.ZodType>> = {
  variant: variantResult,
  phase: phaseResult,
  operation: operationResult,
  step: stepResult,
  perSecond,
  latency,
  latencySummary,
  series: nullableSeries,
  secondHistograms,
  errorCount,
  explain,
  writeConcern,
  readConcern,
  readPreference,
  server: serverInfo,
  member: memberResources,
  warning,
}

/** The JSON Schema of a result as `readResult` takes it: fields with a default may be missing. */
function resultSchema(): JsonSchema {
  const names = z.registry<{ id: string }>()
  for (const [id, part] of Object.entries(partsOfResult)) names.add(part, { id })
  const { $defs: { variant = {}, phase = {}, operation = {}, ...others } = {}, ...root } = inputSchema(result, names)
  return {
    ...described(root, resultFields),
    title: 'A result of mongo-perf',
    description:
      'The file of a compact result has a list `shared` besides: in its variants `{"@shared": 3}` refers to index 3 of it.',
    $defs: {
      variant: described(variant, variantFields),
      phase: described(phase, phaseFields),
      operation: described(operation, operationFields),
      ...others,
    },
  }
}

function inputSchema(schema: z.ZodType, metadata: z.core.$ZodRegistry<z.GlobalMeta> = z.globalRegistry): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', reused: 'inline', metadata, override: withoutAddresses }) as JsonSchema
}

/** Removes the format of addresses, by which editors alone go. */
function withoutAddresses({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'address') delete jsonSchema.format
}

function described(schema: JsonSchema, meanings: Readonly<Record<string, string>>): JsonSchema {
  const fields = Object.entries(schema.properties ?? {})
  return {
    ...schema,
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, { ...(meanings[name] && { description: meanings[name] }), ...field }]),
    ),
  }
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
