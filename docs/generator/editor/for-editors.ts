import { thresholdForm, thresholdPattern } from '../../../src/language/thresholds.ts'
import { getColumn, measures } from '../../../src/metrics/columns/index.ts'
import { shortenText } from '../markdown.ts'
import { patternExamples, patternMessages } from './pattern-messages.ts'
import { isSchema, mapSchemas, type Schema } from './share-schemas.ts'
import { createSnippets, type Snippet, thresholdSnippets } from './snippets.ts'

const snippets = createSnippets()

/**
 * Adds what editors need to help with a half-written spec: kinds with their meanings, names of measures, snippets, and messages instead of
 * patterns. It accepts the same specs, except for wrong thresholds, which the schema of specs finds in code.
 */
export function forEditors(schema: Schema): Schema {
  const { format, title, ...rest } = mapSchemas(schema, (inner, name) => withDescription(forEditors(inner), name))
  if (format === 'address') {
    const { description } = rest
    return { ...(description !== undefined && { description }), $ref: '#/$defs/address' }
  }
  if (title === 'Expression' || title === 'ReportExpression') return asExpression(rest)
  if (format === 'threshold') return threshold
  return withSnippetsAbove(
    withMessages({
      ...(title !== undefined && { title }),
      ...(format !== undefined && { format }),
      ...byKind(rest),
      ...toDefaultSnippets(snippets[String(title)]),
    }),
  )
}

/** Expressions stand beside everything else: what is no keyword must not look like one, nor an unknown keyword like something else. */
function asExpression({ type, maxProperties, additionalProperties, properties }: Schema): Schema {
  const keywords = Object.entries(properties as Readonly<Record<string, Schema>>)
  return {
    type,
    maxProperties,
    additionalProperties,
    propertyNames: { pattern: '^@', patternErrorMessage: patternMessages['^@'] },
    // Counts as a match, for which editors choose among schemas that do not fit.
    allOf: [{ patternProperties: { '^@': true } }],
    // Below the keys that an object has besides.
    properties: Object.fromEntries(
      keywords.map(([name, schema]) => [name, { suggestSortText: `~${name}`, ...schema }]),
    ),
  }
}

/** Descriptions of small parts, which pages show without. */
const descriptions: Readonly<Record<string, string>> = {
  $numberLong: 'A 64-bit integer, as text.',
  $numberDecimal: 'A decimal of 128 bits, as text.',
  $date: 'A date of ISO 8601, or milliseconds since 1970.',
  level: 'The level of the read concern.',
  times: 'How many calls it meets.',
  skip: 'How many calls pass before it.',
  activationProbability: 'The share of calls that it meets.',
  min: 'At least this.',
  max: 'At most this.',
}

/** Describes a property that has no description. */
const withDescription = (schema: Schema, name = ''): Schema => {
  const description = schema['description'] ?? (schema['$ref'] === undefined ? descriptions[name] : undefined)
  return description === undefined ? schema : { ...schema, description }
}

/** Moves the snippets of the first alternative to the union: of the items of a list editors look no deeper, where the list itself is missing. */
function withSnippetsAbove(schema: Schema): Schema {
  const [first, ...others] = Array.isArray(schema['anyOf']) ? (schema['anyOf'] as readonly Schema[]) : []
  if (first?.['defaultSnippets'] === undefined) return schema
  const { defaultSnippets, ...rest } = first
  return { ...schema, anyOf: [rest, ...others], defaultSnippets }
}

const toDefaultSnippets = (given: readonly Snippet[] = []): Schema =>
  given.length === 0
    ? {}
    : { defaultSnippets: given.map(({ label, description, text }) => ({ label, description, bodyText: text })) }

type Kind = { readonly kind: string; readonly summary: string; readonly member: Schema }

/**
 * Has the kind of an object choose its schema. Of a `oneOf` editors take what fits best so far: they offer some kinds and not others,
 * and report what another kind needs.
 */
function byKind({ oneOf, ...rest }: Schema): Schema {
  const kinds = Array.isArray(oneOf) ? (oneOf as readonly Schema[]).flatMap(readKind) : []
  if (kinds.length === 0 || kinds.length !== (oneOf as readonly Schema[]).length)
    return { ...rest, ...(oneOf !== undefined && { oneOf }) }
  return {
    ...rest,
    type: 'object',
    properties: {
      kind: {
        description: 'The kind, by which the other fields differ.',
        // Keys are sorted by this.
        suggestSortText: '0',
        enum: kinds.map(({ kind }) => kind),
        enumDescriptions: kinds.map(({ summary }) => shortenText(summary)),
      },
    },
    required: ['kind'],
    allOf: kinds.map(({ kind, member }) => ({
      if: { properties: { kind: { not: { const: kind } } } },
      else: member,
    })),
  }
}

function readKind(member: Schema): readonly Kind[] {
  const own = isSchema(member['properties']) ? member['properties']['kind'] : undefined
  const kind = isSchema(own) ? own['const'] : undefined
  if (!isSchema(own) || typeof kind !== 'string') return []
  return [{ kind, summary: String(member['description'] ?? own['description'] ?? ''), member }]
}

const storageName = 'storage'

/** The schema of an address: any text, with the measures as suggestions. */
export function addressSchema(): Schema {
  const columns = measures.map((measure) => ({ measure, column: getColumn(measure) }))
  return {
    anyOf: [
      { type: 'string', minLength: 1 },
      {
        enum: columns.map(({ measure, column }) =>
          column.of.includes('storage') ? `${storageName}.${measure}` : measure,
        ),
        enumDescriptions: columns.map(({ column }) => `${column.title}. ${shortenText(column.meaning)}`),
      },
    ],
  }
}

const threshold: Schema = {
  type: 'string',
  pattern: thresholdPattern.source,
  patternErrorMessage: `must be ${thresholdForm}`,
  ...toDefaultSnippets(thresholdSnippets),
}

/** Adds what a wrong text is to be, instead of its pattern. */
function withMessages(schema: Schema): Schema {
  const { pattern, propertyNames } = schema
  const examples = patternExamples[String(pattern)]
  return {
    ...schema,
    ...(examples !== undefined && { examples }),
    ...(typeof pattern === 'string' && { patternErrorMessage: messageFor(schema) }),
    ...(isSchema(propertyNames) && { propertyNames: withMessages(propertyNames) }),
  }
}

function messageFor({ pattern, format }: Schema): string {
  const message = patternMessages[String(format ?? pattern)]
  if (message === undefined) throw new Error(`There is no message for the pattern ${String(pattern)}`)
  return message
}
