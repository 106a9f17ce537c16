import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../src/core/json.ts'
import { functions } from '../../src/language/functions/index.ts'
import { generators } from '../../src/language/generators/index.ts'
import { fencesOf, pages } from '../docs/pages.ts'

/** Property names of specs that the editor schema has, at most. A new one finds another that leaves. */
const maxWords = 350

const readJson = (file: string): JsonObject => JSON.parse(readFileSync(file, 'utf8')) as JsonObject
const root = readJson('fixtures/spec.schema.json')

const membersOf = (value: Json | undefined): readonly Json[] => (isObject(value) ? Object.values(value) : [])
const itemsOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
const propertiesOf = (schema: Json | undefined): JsonObject => {
  const properties = isObject(schema) ? schema['properties'] : undefined
  return isObject(properties) ? properties : {}
}

function listWords(schema: Json): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(listWords)
  return isObject(schema) ? [...Object.keys(propertiesOf(schema)), ...membersOf(schema).flatMap(listWords)] : []
}

const words = new Set(listWords(root))

/** The alternatives of a schema, and what they refer to. */
const resolve = memoized((schema: JsonObject): ReadonlySet<JsonObject> => {
  const found = new Set<JsonObject>()
  const add = (part: Json | undefined): void => {
    if (!isObject(part) || found.has(part)) return
    found.add(part)
    for (const name of ['anyOf', 'oneOf', 'allOf']) itemsOf(part[name]).forEach(add)
    for (const name of ['then', 'else']) add(part[name])
    add(followed(part['$ref']))
  }
  add(schema)
  return found
})

function memoized<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    const value = known.get(key) ?? compute(key)
    known.set(key, value)
    return value
  }
}

function followed(reference: Json | undefined): Json | undefined {
  if (typeof reference !== 'string') return undefined
  const steps = reference
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/'))
  return steps.reduce((at: Json | undefined, step) => (isObject(at) ? at[step] : undefined), root)
}

const resolveAll = (schemas: readonly (Json | undefined)[]): readonly JsonObject[] => [
  ...new Set(schemas.flatMap((schema) => (isObject(schema) ? [...resolve(schema)] : []))),
]

/** Members whose values stand for parts of the spec in other places. */
const isElsewhere = (name: string): boolean =>
  name.startsWith('@') || ['variants', 'parameters', 'profiles'].includes(name)

/** Adds the words that a part of a spec uses where the schema has them, not the fields of documents. */
function collectWords(value: Json | undefined, schemas: readonly JsonObject[], used: Set<string>): void {
  if (Array.isArray(value)) {
    const items = resolveAll(schemas.flatMap(({ items: each, prefixItems }) => [each, ...itemsOf(prefixItems)]))
    for (const item of value) collectWords(item, items, used)
  }
  if (!isObject(value)) return
  for (const [name, member] of Object.entries(value)) {
    const own = schemas.flatMap((schema) => propertiesOf(schema)[name] ?? [])
    if (own.length > 0) used.add(name)
    if (isElsewhere(name)) for (const key of listKeys(member)) used.add(key)
    else collectWords(member, resolveAll([...own, ...schemas.map((schema) => schema['additionalProperties'])]), used)
  }
}

const listKeys = (value: Json | undefined): readonly string[] => [
  ...(isObject(value) ? Object.keys(value) : []),
  ...[...membersOf(value), ...itemsOf(value)].flatMap(listKeys),
]

const shipped = ['specs', 'examples'].flatMap((folder) =>
  readdirSync(path.join('fixtures', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => readJson(path.join('fixtures', folder, file))),
)
/** Specs that pages show; `test/docs/pages.test.ts` loads each. */
const shown = [...pages.values()].flatMap((page) => fencesOf(page, 'json spec').map((text) => JSON.parse(text) as Json))

/** Keywords of expressions in the examples of the reference, whose results are computed. */
const computed: readonly Json[] = [
  ...functions.map(({ example: [expression] }) => expression as Json),
  ...generators.map(({ keyword, example }) => ({ [keyword]: example })),
]

test('every word of specs is in a spec that ships, or in one that a page shows', () => {
  const used = new Set<string>()
  for (const spec of [...shipped, ...shown]) collectWords(spec, resolveAll([root]), used)
  const expression = followed('#/$defs/expression')
  for (const example of computed) collectWords(example, resolveAll([expression]), used)
  expect([...words].filter((word) => !used.has(word)).toSorted()).toEqual([])
})

test('specs have a bounded number of words', () => expect(words.size).toBeLessThanOrEqual(maxWords))
