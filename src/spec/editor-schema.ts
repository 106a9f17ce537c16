import { z } from 'zod'
import { functions } from '../functions/index.ts'
import { generators } from '../generators/index.ts'
import { forms } from './expression.ts'
import { specSchema } from './schema.ts'
import { isSchema, mapSchemas, type Schema, shareSchemas } from './share-schemas.ts'

const valueReference = { $ref: '#/$defs/value' }
const expressionReference = { $ref: '#/$defs/expression' }
const absentReference = { $ref: '#/$defs/expressionOrAbsent' }

/** What is read as written: no expression may stand there. */
const literalAtRoot = new Set(['$schema', 'name', 'seed', 'repeat', 'parameters', 'profiles'])

/**
 * The JSON Schema that editors use: the one of the spec's input, in which every property, item and map value may also be an
 * expression, optional ones null, and items of lists may have a `when`. Unions stay literal on `kind`, so that editors can complete.
 */
export function editorSchema(): Schema {
  return shareSchemas({
    ...opened(toSchema(specSchema), literalAtRoot),
    title: 'A spec of mongo-perf',
    $defs: {
      value: valueSchema,
      expression: expressionSchema(),
      expressionOrAbsent: { anyOf: [expressionReference, { type: 'null' }] },
    },
  })
}

function toSchema(schema: z.ZodType): Schema {
  const { $defs: _, ...whole } = z.toJSONSchema(schema, { io: 'input', reused: 'inline' }) as Schema
  return withoutNoise(whole)
}

/** Bounds and names that say nothing to a reader: every number and every key has them. */
function withoutNoise(schema: Schema): Schema {
  const { maximum, minimum, propertyNames, ...rest } = mapSchemas(schema, withoutNoise)
  return {
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(isSchema(propertyNames) && Object.keys(propertyNames).length > 1 && { propertyNames }),
  }
}

/** Opens a schema's parts to expressions; what stands at `#/$defs/value` is open already. */
function opened(schema: Schema, literal: ReadonlySet<string> = new Set()): Schema {
  const required = new Set((schema['required'] ?? []) as string[])
  const isLiteral = (name: string): boolean => literal.has(name) || name === 'kind'
  const withItems = isSchema(schema['items']) ? { ...schema, items: withWhen(schema['items']) } : schema
  const { anyOf, oneOf, allOf, ...parts } = withItems
  const unions = mapSchemas(
    { ...(anyOf ? { anyOf } : {}), ...(oneOf ? { oneOf } : {}), ...(allOf ? { allOf } : {}) },
    (member) => opened(member),
  )
  const inner = mapSchemas(parts, (part, name) => {
    if (name === undefined) return orExpression(part, expressionReference)
    return isLiteral(name) ? part : orExpression(part, required.has(name) ? expressionReference : absentReference)
  })
  return { ...inner, ...unions }
}

function orExpression(schema: Schema, alternative: Schema): Schema {
  if (schema['$ref'] === valueReference.$ref) return schema
  const { description, default: given, ...rest } = schema
  return {
    ...(description !== undefined && { description }),
    ...(given !== undefined && { default: given }),
    anyOf: [opened(rest), alternative],
  }
}

/** Items of lists may be left out by a condition. */
function withWhen(schema: Schema): Schema {
  if (isSchema(schema['properties'])) {
    const when = { type: 'boolean', description: 'False: this item is not there.' }
    return { ...schema, properties: { when, ...schema['properties'] } }
  }
  for (const union of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[union])) return { ...schema, [union]: (schema[union] as Schema[]).map(withWhen) }
  return schema
}

const valueSchema: Schema = {
  description: 'A value as it is sent to the server: Extended JSON, with expressions in it.',
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array', items: valueReference },
    { type: 'object', propertyNames: { pattern: '^(?!@)' }, additionalProperties: valueReference },
    expressionReference,
  ],
}

/** What stands after the words that are no functions and no generators. */
const formArguments: Readonly<Record<(typeof forms)[number]['word'], Schema>> = {
  '@param': { type: 'string' },
  '@var': { type: 'string' },
  '@literal': {},
  '@cond': { type: 'array', minItems: 3, maxItems: 3, items: valueReference },
  '@map': {
    type: 'object',
    properties: { input: valueReference, as: { type: 'string' }, in: valueReference },
    required: ['input', 'as', 'in'],
    additionalProperties: false,
  },
}

function expressionSchema(): Schema {
  const words = [
    ...forms.map(({ word, summary }) => [word, { description: summary, ...formArguments[word] }] as const),
    ...functions.map(({ word, summary }) => [word, { description: summary, ...valueReference }] as const),
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
  const { $schema: _, ...schema } = toSchema(args)
  return { description: summary, anyOf: [opened(schema), expressionReference] }
}
