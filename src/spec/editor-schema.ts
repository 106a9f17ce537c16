import { z } from 'zod'
import { functions } from '../functions/index.ts'
import { generators } from '../generators/index.ts'
import { forms } from './expression.ts'
import { specSchema } from './schema.ts'

type Schema = { [keyword: string]: unknown }

const valueReference = '#/$defs/value'
const expressionReference = '#/$defs/expression'

/** What is read as written: no expression may stand there. */
const literalAtRoot = new Set(['$schema', 'name', 'seed', 'repeat', 'parameters', 'profiles'])

/**
 * The JSON Schema that editors use: the one of the spec's input, in which every property, item and map value may also be an
 * expression, optional ones null, and items of lists may have a `when`. Unions stay literal on `kind`, so that editors can complete.
 */
export function editorSchema(): Schema {
  const { $defs: _, ...root } = toSchema(specSchema)
  return {
    ...opened(root, literalAtRoot),
    title: 'A spec of mongo-perf',
    $defs: { value: valueSchema, expression: expressionSchema() },
  }
}

const toSchema = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: 'input', reused: 'inline' }) as Schema

const isSchema = (node: unknown): node is Schema => typeof node === 'object' && node !== null && !Array.isArray(node)

/** Opens a schema's parts to expressions; what stands at `#/$defs/value` is open already. */
function opened(schema: Schema, literal: ReadonlySet<string> = new Set()): Schema {
  const result: Schema = { ...schema }
  const required = new Set((schema['required'] ?? []) as string[])
  if (isSchema(schema['properties'])) {
    result['properties'] = Object.fromEntries(
      Object.entries(schema['properties']).map(([key, property]) => [
        key,
        literal.has(key) || key === 'kind' ? property : orExpression(property as Schema, !required.has(key)),
      ]),
    )
  }
  if (isSchema(schema['items'])) result['items'] = orExpression(withWhen(schema['items']), false)
  if (isSchema(schema['additionalProperties']))
    result['additionalProperties'] = orExpression(schema['additionalProperties'], false)
  for (const union of ['anyOf', 'oneOf', 'allOf']) {
    if (Array.isArray(schema[union])) result[union] = (schema[union] as Schema[]).map((member) => opened(member))
  }
  return result
}

function orExpression(schema: Schema, optional: boolean): Schema {
  if (schema['$ref'] === valueReference) return schema
  const { description, default: given, ...rest } = schema
  return {
    ...(description !== undefined && { description }),
    ...(given !== undefined && { default: given }),
    anyOf: [opened(rest), { $ref: expressionReference }, ...(optional ? [{ type: 'null' }] : [])],
  }
}

/** Items of lists may be left out by a condition. */
function withWhen(schema: Schema): Schema {
  if (isSchema(schema['properties'])) {
    return {
      ...schema,
      properties: { when: { type: 'boolean', description: 'False: this item is not there.' }, ...schema['properties'] },
    }
  }
  for (const union of ['anyOf', 'oneOf']) {
    if (Array.isArray(schema[union])) return { ...schema, [union]: (schema[union] as Schema[]).map(withWhen) }
  }
  return schema
}

const valueSchema: Schema = {
  description: 'A value as it is sent to the server: Extended JSON, with expressions in it.',
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array', items: { $ref: valueReference } },
    { type: 'object', propertyNames: { pattern: '^(?!@)' }, additionalProperties: { $ref: valueReference } },
    { $ref: expressionReference },
  ],
}

function expressionSchema(): Schema {
  const words = [
    ...forms.map(
      ({ word, summary }) =>
        [
          word,
          {
            description: summary,
            ...(word === '@param' || word === '@var' ? { type: 'string' } : { $ref: valueReference }),
          },
        ] as const,
    ),
    ...functions.map(({ word, summary }) => [word, { description: summary, $ref: valueReference }] as const),
    ...generators.map(({ word, summary, args }) => [word, generatorSchema(summary, args)] as const),
  ]
  return {
    description: 'An object whose only key begins with "@".',
    type: 'object',
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
    properties: Object.fromEntries(words),
  }
}

function generatorSchema(summary: string, args: z.ZodType): Schema {
  const { $defs: _, $schema: __, ...schema } = toSchema(args)
  return { description: summary, anyOf: [opened(schema), { $ref: expressionReference }] }
}
