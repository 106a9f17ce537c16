import { z } from 'zod'
import { forms, type ReportKeyword, reportKeywords } from '../../../src/language/expression.ts'
import { functions } from '../../../src/language/functions/index.ts'
import { type Generator } from '../../../src/language/generators/generator.ts'
import { generators } from '../../../src/language/generators/index.ts'
import { kindTitle } from '../../../src/language/value-schema.ts'
import { specSchema } from '../../../src/spec/schema/schema.ts'
import { addressSchema, forEditors } from './for-editors.ts'
import { isSchema, mapSchemas, type Schema, shareSchemas } from './share-schemas.ts'

const valueReference = { $ref: '#/$defs/value' }
const reportValueReference = { $ref: '#/$defs/reportValue' }
/** Among values `{}` fits, too, so that editors offer the keywords in it. */
const keywordReference = { $ref: '#/$defs/expression' }
const expressionReference = { ...keywordReference, minProperties: 1 }
const reportExpressionReference = { $ref: '#/$defs/reportExpression' }
const valueReferences: ReadonlySet<unknown> = new Set([valueReference.$ref, reportValueReference.$ref])
const absentReference = { $ref: '#/$defs/optional' }

/** Properties that are read as written: they may not hold expressions. */
const literalAtRoot = new Set(['$schema', 'name', 'seed', 'repeat', 'allow', 'parameters', 'profiles'])

/**
 * The JSON Schema for editors: that of the spec's input, but every property, item and map value may also be an expression,
 * optional ones null, and items of lists may have a `when`. `kind` stays literal, so that editors can complete by it.
 */
export function editorSchema(): Schema {
  const { $schema, ...schema } = shareSchemas(withoutTitles(forEditors(writtenSchema())))
  const { $defs, ...root } = schema
  return { $schema, $id: 'urn:mongo-perf:spec', ...root, $defs: { ...($defs as Schema), address: addressSchema() } }
}

/** Returns that schema in one piece, in which the title of an object is the name of its TypeScript type. */
export const writtenSchema = (): Schema => ({
  ...opened(titledSchema(specSchema), literalAtRoot),
  title: 'SpecInput',
  description: 'A spec of mongo-perf: what is measured, on which servers, and what the report shows.',
  $defs: {
    value: {
      title: 'Value',
      description: 'A value as it is sent to the server: Extended JSON, with expressions in it.',
      ...valueSchema(valueReference, keywordReference),
    },
    expression: { title: 'Expression', ...expressionSchema(keywords()) },
    reportValue: {
      title: 'ReportValue',
      description: 'A value of the report, computed from what was measured.',
      ...valueSchema(reportValueReference, reportExpressionReference),
    },
    reportExpression: { title: 'ReportExpression', ...expressionSchema(keywordsOfReport()) },
    optional: { anyOf: [expressionReference, { type: 'null' }] },
  },
})

/** The JSON Schema of the input of a zod schema; places for values are references. */
export const toSchema = (schema: z.ZodType): Schema => withoutTitles(titledSchema(schema))

function titledSchema(schema: z.ZodType): Schema {
  const { $defs: _, ...whole } = z.toJSONSchema(schema, { io: 'input', reused: 'inline' }) as Schema
  return withoutNoise(whole)
}

/** Without titles: readers would see the names of types as headings. */
function withoutTitles(schema: Schema): Schema {
  const { title: _, ...rest } = mapSchemas(schema, withoutTitles)
  return rest
}

/** Removes bounds and names that every number and every key has, and the types that values have anyway. */
function withoutNoise(schema: Schema): Schema {
  const { type, maximum, minimum, propertyNames, ...rest } = mapSchemas(schema, withoutNoise)
  const hasValues = rest['const'] !== undefined || rest['enum'] !== undefined
  return {
    ...(type !== undefined && !hasValues && { type }),
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(isSchema(propertyNames) && Object.keys(propertyNames).length > 1 && { propertyNames }),
  }
}

/** Allows expressions in all parts of a schema; `#/$defs/value` allows them already. */
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
  if (valueReferences.has(schema['$ref'])) return schema
  const { description, default: given, ...rest } = schema
  return {
    ...(description !== undefined && { description }),
    ...(given !== undefined && { default: given }),
    // Values of the report may be chosen as a whole, too.
    anyOf: [opened(rest), ...(holdsReportValues(rest) ? [reportExpressionReference] : []), alternative],
  }
}

const holdsReportValues = ({ additionalProperties: values }: Schema): boolean =>
  isSchema(values) && values['$ref'] === reportValueReference.$ref

/** Allows a `when` in the items of lists. */
function withWhen(schema: Schema): Schema {
  if (isSchema(schema['properties'])) {
    const when = { type: 'boolean', description: 'False: this item is left out.' }
    return { ...schema, properties: { when, ...schema['properties'] } }
  }
  for (const union of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[union])) return { ...schema, [union]: (schema[union] as Schema[]).map(withWhen) }
  return schema
}

type Reference = { readonly $ref: string }

/** @param inner Schema of elements and fields. */
const valueSchema = (inner: Reference, expression: Reference): Schema => ({
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array', items: inner },
    { type: 'object', propertyNames: { pattern: '^(?!@)' }, additionalProperties: inner },
    expression,
  ],
})

/** Schemas of the arguments of keywords that are neither functions nor generators. */
const formArguments = (inner: Reference): Readonly<Record<(typeof forms)[number]['keyword'], Schema>> => ({
  '@param': { type: 'string' },
  '@var': { type: 'string' },
  '@literal': {},
  '@cond': { type: 'array', minItems: 3, maxItems: 3, items: inner },
  '@map': {
    type: 'object',
    properties: {
      input: { description: 'The list.', ...inner },
      as: { description: 'The name by which `@var` reads an element.', type: 'string' },
      in: { description: 'What each element becomes.', ...inner },
    },
    required: ['input', 'as', 'in'],
    additionalProperties: false,
  },
})

const address: Schema = { type: 'string', format: 'address' }

const rowSelection: Schema = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } }

const reportKeywordArguments: Readonly<Record<ReportKeyword, Schema>> = {
  '@metric': {
    anyOf: [
      address,
      {
        type: 'object',
        properties: {
          of: { description: 'The metric.', ...address },
          at: { description: 'The parameters in which the other row differs.', ...rowSelection },
          where: { description: 'Lists all rows of which this is true.', ...reportValueReference },
        },
        required: ['of'],
        minProperties: 2,
        maxProperties: 2,
        additionalProperties: false,
      },
    ],
  },
  '@ratio': {
    type: 'object',
    properties: {
      of: { description: 'The metric.', ...address },
      at: { description: 'The row whose value is divided: values or labels of parameters.', ...rowSelection },
      to: { description: 'The row that it is divided by.', ...rowSelection },
      noun: { description: 'What texts call the metric, such as "queries per second".', type: 'string' },
    },
    required: ['of', 'at', 'to'],
    additionalProperties: false,
  },
  '@cluster': {
    type: 'object',
    properties: {
      of: { description: 'What rows are sorted by.', ...reportValueReference },
      names: {
        description: 'Names of the groups, of the smallest values first.',
        type: 'array',
        minItems: 2,
        items: { type: 'string' },
      },
    },
    required: ['of', 'names'],
    additionalProperties: false,
  },
}

type Keywords = readonly (readonly [keyword: string, schema: Schema])[]

function staticKeywords(inner: Reference): Keywords {
  const argumentsOf = formArguments(inner)
  return [
    ...forms.map(({ keyword, summary }) => [keyword, { description: summary, ...argumentsOf[keyword] }] as const),
    ...functions.map(({ keyword, summary }) => [keyword, { description: summary, ...inner }] as const),
  ]
}

const keywords = (): Keywords => [
  ...staticKeywords(valueReference),
  ...generators.map((generator) => [generator.keyword, generatorSchema(generator)] as const),
]

const keywordsOfReport = (): Keywords => [
  ...staticKeywords(reportValueReference),
  ...reportKeywords.map(
    ({ keyword, summary }) => [keyword, { description: summary, ...reportKeywordArguments[keyword] }] as const,
  ),
]

function expressionSchema(known: Keywords): Schema {
  return {
    description: 'An object whose only key begins with "@".',
    type: 'object',
    maxProperties: 1,
    additionalProperties: false,
    properties: Object.fromEntries(known),
  }
}

function generatorSchema({ keyword, summary, args }: Generator): Schema {
  const { $schema: _, ...schema } = titledSchema(args)
  const title = kindTitle(keyword.slice(1), 'Arguments')
  return { description: summary, anyOf: [{ ...opened(schema), title }, expressionReference] }
}
