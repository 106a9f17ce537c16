import { describe, expect, test } from 'vitest'
import { pathText } from '../../../src/core/json.ts'
import { type JsonSchema } from '../../../src/language/json-schema/json-schema.ts'
import { createSchemaReader } from '../../../src/language/json-schema/reader.ts'

/** What was read, or the issues as texts. */
function read(schema: JsonSchema, value: unknown): unknown {
  const reading = createSchemaReader(schema)(value)
  return 'value' in reading ? reading.value : reading.issues.map(({ path, reason }) => `${pathText(path)}: ${reason}`)
}

const text = { type: 'string' } as const
const number = { type: 'number' } as const

describe('an object', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { name: text, tags: { type: 'array', items: text, default: [] } },
    required: ['name'],
  }

  test('has its defaults where keys are missing, and drops unknown keys', () =>
    expect(read(schema, { more: 1, name: 'a' })).toEqual({ name: 'a', tags: [] }))

  test('has a default of its own each time', () => {
    const reader = createSchemaReader<{ tags: string[] }>(schema)
    const [first, second] = [reader({ name: 'a' }), reader({ name: 'b' })]
    if ('issues' in first || 'issues' in second) throw new Error('not read')
    first.value.tags.push('changed')
    expect(second.value.tags).toEqual([])
  })

  test('is refused with all of its issues, each at its place', () =>
    expect(read(schema, { tags: ['a', 1, null] })).toSay('json-schema-all-issues'))

  test('that is strict refuses unknown keys', () =>
    expect(read({ ...schema, additionalProperties: false }, { name: 'a', nmae: 'b' })).toSay('json-schema-unknown-key'))

  test('with any keys has values of one kind', () => {
    const schemaOfMap: JsonSchema = {
      type: 'object',
      propertyNames: { type: 'string', pattern: '^[a-z]+$' },
      additionalProperties: number,
    }
    expect(read(schemaOfMap, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 })
    expect(read(schemaOfMap, { a: '1', B: 2 })).toSay('json-schema-map')
  })

  test('cannot replace its prototype', () => {
    const hostile: unknown = JSON.parse('{ "__proto__": { "isAdmin": true }, "a": 1 }')
    expect(read({ type: 'object', additionalProperties: {} }, hostile)).toEqual({ a: 1 })
    expect(read({ type: 'object', additionalProperties: false, properties: {} }, hostile)).toSay(
      'json-schema-unknown-keys',
    )
  })
})

const ofKind = (kind: string, field: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { kind: { type: 'string', const: kind }, x: field },
  required: ['kind', 'x'],
})

const titled = (name: string): JsonSchema => ({
  type: 'object',
  properties: { [name]: text, title: text },
  required: [name],
  additionalProperties: false,
})

describe('a value of several types', () => {
  test('is read by the option of its type', () => {
    const schema: JsonSchema = { anyOf: [{ type: 'array', items: text }, { type: 'null' }] }
    expect(read(schema, null)).toBe(null)
    expect(read(schema, ['a', 1])).toSay('json-schema-number-for-text', { place: '[1]', value: 1 })
    expect(read(schema, 'a')).toSay('json-schema-text-for-list')
  })

  test('may name its types in one list', () => {
    expect(read({ type: ['number', 'null'] }, null)).toBe(null)
    expect(read({ type: ['number', 'null'] }, {})).toSay('json-schema-object-for-number')
  })

  test('is read by the option that its constant names', () => {
    const schema: JsonSchema = { oneOf: [ofKind('bar', text), ofKind('line', number)] }
    expect(read(schema, { kind: 'line', x: 1 })).toEqual({ kind: 'line', x: 1 })
    expect(read(schema, { kind: 'line', x: 'a' })).toSay('json-schema-text-for-number')
    expect(read(schema, { kind: 'lines', x: 1 })).toSay('json-schema-constant-misspelt')
    expect(read(schema, { x: 1 })).toSay('json-schema-missing', { place: 'kind' })
  })

  test('has the issues of the option that was meant, where none fits', () => {
    const schema: JsonSchema = { anyOf: [titled('metric'), titled('fact')] }
    expect(read(schema, { fact: 'a', title: 1 })).toSay('json-schema-number-for-text', { place: 'title', value: 1 })
  })

  test('lists its constants', () => {
    const schema: JsonSchema = {
      anyOf: [
        { type: 'string', const: 'a' },
        { type: 'string', const: 'b' },
      ],
    }
    expect(read(schema, 'b')).toBe('b')
    expect(read(schema, 'c')).toSay('json-schema-constant-unknown')
  })
})

test('a definition may contain itself', () => {
  const schema: JsonSchema = {
    $ref: '#/$defs/tree',
    $defs: { tree: { anyOf: [number, { type: 'array', items: { $ref: '#/$defs/tree' } }] } },
  }
  expect(read(schema, [1, [2, [3]]])).toEqual([1, [2, [3]]])
  expect(read(schema, [1, [2, ['3']]])).toSay('json-schema-text-in-tree')
})

test.each<[JsonSchema, unknown, string]>([
  [{ type: 'integer' }, 1.5, 'json-schema-not-whole'],
  [number, Infinity, 'json-schema-infinite'],
  [{ type: 'number', minimum: 2 }, 1, 'json-schema-too-small'],
  [{ type: 'number', maximum: 2 }, 3, 'json-schema-too-large'],
  [{ type: 'string', minLength: 1 }, '', 'json-schema-empty-text'],
  [{ type: 'string', format: 'date-time', pattern: '^\\d' }, 'now', 'json-schema-no-date'],
  [{ type: 'array', minItems: 1 }, [], 'json-schema-empty-list'],
  [{ type: 'string', enum: ['open', 'closed'] }, 'opne', 'json-schema-word-misspelt'],
  [{ type: 'number', const: 2 }, 1, 'json-schema-constant-other'],
])('what %j refuses: %j', (schema, value, code) => expect(read(schema, value)).toSay(code))

test('a schema without keywords accepts all as it is', () => {
  const value = { any: [1, null] }
  expect(read({}, value)).toBe(value)
})
