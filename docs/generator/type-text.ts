import { isSchema, type Schema } from './editor/share-schemas.ts'
import { code } from './markdown.ts'

/** Renders a link to the section that describes an object. */
export type LinkObject = (schema: Schema, path: string, others: readonly Schema[]) => string

/** The type of a JSON Schema as text, with its range. */
export function typeText(schema: Schema, path: string, linkObject: LinkObject): string {
  return either(alternatives(schema, path, linkObject))
}

function alternatives(schema: Schema, path: string, linkObject: LinkObject): readonly string[] {
  const { const: only, enum: values, type } = schema
  const members = listMembers(schema)
  if (members.length > 0) return membersTexts(members, path, linkObject)
  if (only !== undefined) return [code(JSON.stringify(only))]
  if (Array.isArray(values)) return values.map((value) => code(JSON.stringify(value)))
  if (Array.isArray(type)) return type.map((name) => typeNames[String(name)] ?? String(name))
  return [singleText(schema, path, linkObject)]
}

const listMembers = (schema: Schema): readonly Schema[] =>
  [schema['anyOf'], schema['oneOf']].flatMap((members) => (Array.isArray(members) ? (members as Schema[]) : []))

function membersTexts(members: readonly Schema[], path: string, linkObject: LinkObject): readonly string[] {
  const objects = members.filter((member) => isSchema(member['properties']))
  const texts = members.flatMap((member) =>
    hasSection(member) ? [linkObject(member, path, objects)] : alternatives(member, path, linkObject),
  )
  return [...new Set(texts)]
}

function singleText(schema: Schema, path: string, linkObject: LinkObject): string {
  const inner = (part: unknown, at: string): string => typeText(isSchema(part) ? part : {}, at, linkObject)
  const { items, properties, additionalProperties, type } = schema
  if (typeof schema['$ref'] === 'string') return valueTexts[schema['$ref']] ?? 'value'
  if (hasSection(schema)) return linkObject(schema, path, [])
  if (isSchema(properties)) return shapeText(properties, inner)
  if (type === 'array') return `list${bounds(schema, 'minItems', 'maxItems')} of ${plural(inner(items, `${path}[]`))}`
  if (type === 'object') return `object of ${plural(inner(additionalProperties, `${path}.*`))}`
  return scalarText(schema)
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

const valueTexts: Readonly<Record<string, string>> = {
  '#/$defs/value': 'value',
  '#/$defs/reportValue': 'expression',
}

function either(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}

const plural = (text: string): string =>
  text
    .replaceAll(/\b(text|name|path|number|boolean|value|expression|list|object)(?=$|,| or | of | \()/g, '$1s')
    .replaceAll('[object](', '[objects](')

/** Maximum number of fields of an object that is described inline. */
const maxInlineFields = 2

/** Whether an object has a section of its own. Small objects without descriptions, and `{min, max}`, are inline. */
function hasSection({ properties }: Schema): boolean {
  if (!isSchema(properties)) return false
  if (Object.keys(properties).every((name) => name === 'min' || name === 'max')) return false
  const fields = Object.values(properties)
  return (
    fields.length > maxInlineFields || fields.some((field) => isSchema(field) && field['description'] !== undefined)
  )
}

const shapeText = (properties: Schema, inner: (part: unknown, at: string) => string): string =>
  `{${Object.entries(properties)
    .map(([name, field]) => `${code(name)}: ${inner(field, name)}`)
    .join(', ')}}`

/** Words for patterns that many fields have. */
const patternNames: Readonly<Record<string, string>> = {
  [String.raw`^[A-Za-z][\w-]*$`]: 'name',
  [String.raw`^[A-Za-z]\w*$`]: 'name',
  [String.raw`^[A-Za-z_][\w.-]{0,99}$`]: 'name',
  [String.raw`^[A-Za-z_][\w]*(\.[A-Za-z_][\w]*)*$`]: 'field path',
  [String.raw`^[^$.\0][^.\0]*(\.[^$.\0][^.\0]*)*$`]: 'field path',
  [String.raw`^-?\d{1,16}$`]: 'digits',
  [String.raw`^-?\d{1,19}$`]: 'digits',
}

/** Longer patterns are not readable. */
const maxPatternLength = 40

function scalarText(schema: Schema): string {
  const { type, pattern, format } = schema
  if (type === undefined) return 'value'
  const name = typeNames[String(type)] ?? String(type)
  if (format === 'date-time') return 'date of ISO 8601'
  if (typeof pattern === 'string' && patternNames[pattern] !== undefined) return patternNames[pattern]
  if (typeof pattern === 'string' && pattern.length <= maxPatternLength) return `${name} like ${code(pattern)}`
  return `${name}${bounds(schema, 'minimum', 'maximum')}`
}

function bounds(schema: Schema, minKey: string, maxKey: string): string {
  const { [minKey]: min, [maxKey]: max, exclusiveMinimum: above } = schema
  if (min !== undefined && max !== undefined) return ` (${String(min)} to ${String(max)})`
  const parts = [
    ...(above === undefined ? [] : [`above ${String(above)}`]),
    ...(min === undefined ? [] : [`at least ${String(min)}`]),
    ...(max === undefined ? [] : [`at most ${String(max)}`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}
