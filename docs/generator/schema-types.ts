import { isSchema, mapSchemas, type Schema } from './editor/share-schemas.ts'

/** The first texts of a file of types, and whether their fields are read-only. */
export type TypesFile = { readonly head: readonly string[]; readonly isReadonly: boolean }

/**
 * The TypeScript types of a schema, not formatted: one for each part with a title, which is its name, with the descriptions
 * as documentation. Parts without a title are written in their places.
 */
export function schemaTypes({ $defs, ...whole }: Schema, { head, isReadonly }: TypesFile): string {
  const definitions = ($defs ?? {}) as Definitions
  const titled = [whole, ...Object.values(definitions)].flatMap(titledIn)
  const types = new Map<string, string>()
  for (const schema of titled) {
    const name = String(schema['title'])
    const type = declare(schema, { definitions, readonly: isReadonly ? 'readonly ' : '' })
    if ((types.get(name) ?? type) !== type) throw new Error(`Two different parts of a schema have the title "${name}"`)
    types.set(name, type)
  }
  return `${[...head, ...types.values()].join('\n')}\n`
}

type Definitions = Readonly<Record<string, Schema>>

/** The definitions that references stand for, and what stands before a field or a list. */
type Context = { readonly definitions: Definitions; readonly readonly: 'readonly ' | '' }

/** Only a comment that begins a line belongs to the member behind it. */
const braces = (members: readonly string[]): string => `{\n${members.join(';\n')} }`

/** The parts of a schema that have a title, outer ones first. */
function titledIn(schema: Schema): readonly Schema[] {
  const found = schema['title'] === undefined ? [] : [schema]
  mapSchemas(schema, (inner) => {
    found.push(...titledIn(inner))
    return inner
  })
  return found
}

function declare({ title, ...schema }: Schema, context: Context): string {
  const members = isSchema(schema['properties']) ? listMembers(schema, context) : []
  const type =
    members.length > 0 ? `interface ${title} ${braces(members)}` : `type ${title} = ${formatType(schema, context)}`
  return `${comment(schema['description'])}export ${type}`
}

const formatType = (schema: Schema, context: Context): string => [...new Set(alternatives(schema, context))].join(' | ')

function alternatives(schema: Schema, context: Context): readonly string[] {
  const { $ref, title, const: only, enum: values, anyOf, oneOf = anyOf, type } = schema
  if ($ref !== undefined) return alternatives(resolveDefinition(schema, context), context)
  if (title !== undefined) return [String(title)]
  if (only !== undefined) return [JSON.stringify(only)]
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value))
  if (Array.isArray(oneOf)) return union(oneOf as readonly Schema[], context)
  if (Array.isArray(type)) return type.map((one) => simpleTypes[String(one)] ?? 'unknown')
  if (type === 'array') return [`${context.readonly}(${formatType(schema['items'] as Schema, context)})[]`]
  if (type === 'object') return [objectType(schema, context)]
  return [simpleTypes[String(type)] ?? 'unknown']
}

function union(members: readonly Schema[], context: Context): readonly string[] {
  const types = members.flatMap((member) => alternatives(member, context))
  return members.some(hasKeys) ? types.map((type) => (type === 'Expression' ? 'AnyExpression' : type)) : types
}

/** Whether it is an object with keys of its own, or may be one. */
const hasKeys = ({ properties, anyOf, oneOf = anyOf }: Schema): boolean =>
  isSchema(properties) || (Array.isArray(oneOf) && (oneOf as readonly Schema[]).some(hasKeys))

/** The schema that a reference stands for, or the schema itself. */
function resolveDefinition(schema: Schema, { definitions }: Context): Schema {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const definition = definitions[$ref.replace('#/$defs/', '')]
  if (definition === undefined) throw new Error(`There is no definition ${$ref}`)
  return definition
}

const simpleTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

const noFields = 'Readonly<Record<string, never>>'

function objectType(schema: Schema, context: Context): string {
  const { properties, propertyNames, additionalProperties } = schema
  if (!isSchema(properties) && isSchema(additionalProperties)) {
    const value = formatType(additionalProperties, context)
    return isSchema(propertyNames) && propertyNames['$ref'] !== undefined
      ? `{ ${context.readonly}[Name in ${formatType(propertyNames, context)}]?: ${value} }`
      : `{ ${context.readonly}[name: string]: ${value} }`
  }
  const members = listMembers(schema, context)
  return members.length === 0 ? noFields : braces(members)
}

function listMembers(schema: Schema, context: Context): readonly string[] {
  const { properties, additionalProperties, required = [] } = schema
  const fields = Object.entries((properties ?? {}) as Definitions)
  const members = fields.map(([name, field]) => {
    const type = formatType(field, context)
    const isRequired = (required as readonly string[]).includes(name)
    const described = name === 'kind' ? { ...schema, ...field } : { ...resolveDefinition(field, context), ...field }
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
    const member = isRequired ? `${key}: ${type}` : `${key}?: ${type} | undefined`
    return `${comment(described['description'])}${context.readonly}${member}`
  })
  const others =
    fields.length > 0 && isSchema(additionalProperties)
      ? [`${context.readonly}[name: string]: ${formatType(additionalProperties, context)} | undefined`]
      : []
  return [...members, ...others]
}

const comment = (description: unknown): string =>
  description === undefined ? '' : `/** ${String(description).replaceAll('*/', '*\\/')} */ `
