import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { Issues } from '../../language/issues.ts'
import { collectFindings } from '../../language/reasons.ts'
import { engineKinds } from '../../load/engines/engine-kinds.ts'
import { InvalidSpec } from '../../spec/invalid-spec.ts'
import { parseJson } from '../../spec/parse/parse-json.ts'
import { formats } from './output-options.ts'

export const configSchema = z
  .strictObject({
    $schema: z.string().describe('The path of this schema, for editors.').optional(),
    engine: z.enum(engineKinds).describe('Engine of specs that name none.').optional(),
    out: z.string().min(1).describe('Folder of results, relative to this file.').optional(),
    uriFrom: z
      .string()
      .regex(/^[A-Za-z_]\w*$/, { error: 'must be the name of an environment variable' })
      .describe('Environment variable to read where MONGO_PERF_URI is not set.')
      .optional(),
    format: z.enum(formats).describe('What is printed, by the commands that have this format.').optional(),
  })
  .describe('Defaults of a project for the options of mongo-perf.')

export type ConfigValues = z.output<typeof configSchema>

/** Parses the defaults of a project, and refuses what it does not know. */
export function parseConfig(text: string, file: string): ConfigValues {
  const parsed = parseJson(text, file)
  const entries = isObject(parsed.value) ? Object.entries(parsed.value) : []
  const withUri = entries.find(([, value]) => /mongodb(?:\+srv)?:/i.test(JSON.stringify(value)))
  if (withUri !== undefined) {
    const { line, column } = parsed.locate([withUri[0]])
    throw new Problem(
      'refused',
      `${file}:${line}:${column}: a URI may have a password, which is not kept in this file`,
      { hint: 'Put the URI into an environment variable, and name that: "uriFrom": "SHOP_URI".' },
    )
  }
  const { data, findings } = collectFindings(configSchema, parsed.value)
  const issues = new Issues()
  for (const finding of findings) issues.add({ code: 'config', ...finding })
  if (issues.found.length > 0) throw new InvalidSpec(parsed, issues.found, false)
  return data as ConfigValues
}

export { readSpecFile } from '../../spec/load-spec.ts'
