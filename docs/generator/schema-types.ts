import { isDeepStrictEqual } from 'node:util'
import { isSchema, mapSchemas, type Schema } from './editor/share-schemas.ts'

/** The first texts of a file of types, and whether their fields are read-only. */
export type TypesFile = { readonly head: readonly string[]; readonly isReadonly: boolean }

/**
 * The TypeScript types of a schema, not formatted: one for each part with a title, which is its name, with the descriptions
 * as documentation. Parts without a title are written in their places. What an operation and the steps of its name share is in an
 * interface that they extend: any other way to write a field once loses its documentation in editors.
 */
export function schemaTypes({ $defs, ...whole }: Schema, { head, isReadonly }: TypesFile): string {
  const definitions = ($defs ?? {}) as Definitions
  const titled = [whole, ...Object.values(definitions)].flatMap(titledIn)
  const types = new Map<string, Type>()
  for (const schema of titled) {
    const name = String(schema['title'])
    const type = readType(schema, { definitions, readonly: isReadonly ? 'readonly ' : '' })
    if (!isDeepStrictEqual(types.get(name) ?? type, type))
      throw new Error(`Two different parts of a schema have the title "${name}"`)
    types.set(name, type)
  }
  const declarations = [...withCalls(types)].map(([name, type]) => declare(name, type))
  return `${[...head, ...declarations].join('\n')}\n`
}

/** A part with a title: an interface, if it has members, else another type. */
type Type = {
  readonly description: unknown
  readonly base?: string
  readonly members: readonly string[]
  readonly other: string
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

function readType(titled: Schema, context: Context): Type {
  const { title: _, ...schema } = titled
  const members = isSchema(schema['properties']) ? listMembers(schema, context) : []
  const other = members.length > 0 ? '' : formatType(schema, context)
  return { description: schema['description'], members, other }
}

function declare(name: string, { description, base, members, other }: Type): string {
  const heritage = base === undefined ? '' : ` extends ${base}`
  const type = other === '' ? `interface ${name}${heritage} ${braces(members)}` : `type ${name} = ${other}`
  return `${comment(description)}export ${type}`
}

/** The types with `FindCall` before `FindOperation`, `FindStep` and `FindTransactionStep`, which extend it. */
function withCalls(types: ReadonlyMap<string, Type>): ReadonlyMap<string, Type> {
  const all = new Map<string, Type>()
  for (const [name, type] of types) {
    const base = nameCall(name)
    const group = [...types].filter(([other]) => base !== undefined && nameCall(other) === base)
    const shared = sharedMembers(group.map(([, { members }]) => members))
    if (base === undefined || shared.length < 2) all.set(name, type)
    else {
      all.set(base, { ...type, members: shared })
      all.set(name, { ...type, base, members: type.members.filter((member) => !shared.includes(member)) })
    }
  }
  return all
}

function nameCall(name: string): string | undefined {
  const call = /^(.+?)(?:Operation|(?:Transaction)?Step)$/.exec(name)?.[1]
  return call === undefined ? undefined : `${call}Call`
}

/** The members that several types have, each with the same documentation. */
function sharedMembers([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
  return others.length === 0 ? [] : first.filter((member) => others.every((members) => members.includes(member)))
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
