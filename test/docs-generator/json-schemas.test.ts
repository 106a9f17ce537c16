import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { isSchema, mapSchemas, type Schema } from '../../docs/generator/editor/share-schemas.ts'
import { jsonSchemas, schemaText } from '../../docs/generator/json-schemas.ts'
import { type JsonSchema } from '../../src/language/json-schema/json-schema.ts'
import { storedResult, storedResults } from '../fakes/stored-results.ts'

test.each(Object.entries(jsonSchemas))('fixtures/%s is the one that `npm run schema` writes', (file, schema) => {
  const isStale = readFileSync(`fixtures/${file}`, 'utf8') !== schemaText(schema())
  expect(isStale, `fixtures/${file} is stale: run \`npm run schema\``).toBe(false)
})

/** All keywords that a reader knows: the compiler refuses one that is missing here, and one that is not in the type. */
const known: Readonly<Record<keyof JsonSchema, true>> = {
  $schema: true,
  $defs: true,
  $ref: true,
  title: true,
  description: true,
  default: true,
  anyOf: true,
  oneOf: true,
  type: true,
  const: true,
  enum: true,
  minimum: true,
  maximum: true,
  minLength: true,
  pattern: true,
  format: true,
  minItems: true,
  items: true,
  properties: true,
  required: true,
  additionalProperties: true,
  propertyNames: true,
}

function keywordsIn(schema: Schema, found = new Set<string>()): ReadonlySet<string> {
  for (const keyword of Object.keys(schema)) found.add(keyword)
  if (isSchema(schema['propertyNames'])) keywordsIn(schema['propertyNames'], found)
  mapSchemas(schema, (inner) => {
    keywordsIn(inner, found)
    return inner
  })
  return found
}

test.each(['result.schema.json', 'report.schema.json'] as const)(
  '%s has no keywords but those that are read',
  (file) => {
    expect([...keywordsIn(jsonSchemas[file]())].filter((keyword) => !Object.hasOwn(known, keyword))).toEqual([])
  },
)

/** The names of parts that have numbers without bounds. */
function unboundedIn(schema: Schema, name: string, found: Set<string>): ReadonlySet<string> {
  const types = new Set([schema['type']].flat())
  const hasBounds = 'const' in schema || ('minimum' in schema && 'maximum' in schema)
  if ((types.has('number') || types.has('integer')) && !hasBounds) found.add(name)
  mapSchemas(schema, (inner) => {
    unboundedIn(inner, name, found)
    return inner
  })
  return found
}

test('every number of a result has bounds: results come from other people', () => {
  const { $defs = {}, ...root } = jsonSchemas['result.schema.json']()
  const found = new Set<string>()
  for (const [name, part] of Object.entries({ ...$defs, root })) unboundedIn(part as Schema, name, found)
  // What may be any JSON: values of parameters, facts, and the spec.
  expect([...found].filter((name) => name !== 'Json')).toEqual([])
})

const validate = new Ajv2020({ allowUnionTypes: true, formats: { 'date-time': true, 'hdr-histogram': true } }).compile(
  jsonSchemas['result.schema.json'](),
)

test.each(storedResults)('another validator accepts the result %s by the schema that ships', (name) => {
  validate(storedResult(name))
  expect(validate.errors).toBe(null)
})
