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

  test('has its defaults where keys are missing, and drops unknown keys', () => {
    expect(read(schema, { more: 1, name: 'a' })).toEqual({ name: 'a', tags: [] })
  })

  test('has a default of its own each time', () => {
    const reader = createSchemaReader<{ tags: string[] }>(schema)
    const [first, second] = [reader({ name: 'a' }), reader({ name: 'b' })]
    if ('issues' in first || 'issues' in second) throw new Error('not read')
    first.value.tags.push('changed')
    expect(second.value.tags).toEqual([])
  })

  test('is refused with all of its issues, each at its place', () => {
    expect(read(schema, { tags: ['a', 1, null] })).toEqual([
      'name: is missing',
      'tags[1]: must be a text, not 1',
      'tags[2]: must be a text, not null',
    ])
  })

  test('that is strict refuses unknown keys', () => {
    expect(read({ ...schema, additionalProperties: false }, { name: 'a', nmae: 'b' })).toEqual([
      'nmae: is an unknown key',
    ])
  })

  test('with any keys has values of one kind', () => {
    const schemaOfMap: JsonSchema = {
      type: 'object',
      propertyNames: { type: 'string', pattern: '^[a-z]+$' },
      additionalProperties: number,
    }
    expect(read(schemaOfMap, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 })
    expect(read(schemaOfMap, { a: '1', B: 2 })).toEqual(['a: must be a number, not a text', 'B: must match ^[a-z]+$'])
  })

  test('cannot replace its prototype', () => {
    const hostile: unknown = JSON.parse('{ "__proto__": { "isAdmin": true }, "a": 1 }')
    expect(read({ type: 'object', additionalProperties: {} }, hostile)).toEqual({ a: 1 })
    expect(read({ type: 'object', additionalProperties: false, properties: {} }, hostile)).toEqual([
      '__proto__: is an unknown key',
      'a: is an unknown key',
    ])
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
    expect(read(schema, ['a', 1])).toEqual(['[1]: must be a text, not 1'])
    expect(read(schema, 'a')).toEqual([': must be a list or null, not a text'])
  })

  test('may name its types in one list', () => {
    expect(read({ type: ['number', 'null'] }, null)).toBe(null)
    expect(read({ type: ['number', 'null'] }, {})).toEqual([': must be a number or null, not an object'])
  })

  test('is read by the option that its constant names', () => {
    const schema: JsonSchema = { oneOf: [ofKind('bar', text), ofKind('line', number)] }
    expect(read(schema, { kind: 'line', x: 1 })).toEqual({ kind: 'line', x: 1 })
    expect(read(schema, { kind: 'line', x: 'a' })).toEqual(['x: must be a number, not a text'])
    expect(read(schema, { kind: 'lines', x: 1 })).toEqual(['kind: must be one of "bar", "line"; did you mean "line"?'])
    expect(read(schema, { x: 1 })).toEqual(['kind: is missing'])
  })

  test('has the issues of the option that was meant, where none fits', () => {
    const schema: JsonSchema = { anyOf: [titled('metric'), titled('fact')] }
    expect(read(schema, { fact: 'a', title: 1 })).toEqual(['title: must be a text, not 1'])
  })

  test('lists its constants', () => {
    const schema: JsonSchema = {
      anyOf: [
        { type: 'string', const: 'a' },
        { type: 'string', const: 'b' },
      ],
    }
    expect(read(schema, 'b')).toBe('b')
    expect(read(schema, 'c')).toEqual([': must be one of "a", "b"'])
  })
})

test('a definition may contain itself', () => {
  const schema: JsonSchema = {
    $ref: '#/$defs/tree',
    $defs: { tree: { anyOf: [number, { type: 'array', items: { $ref: '#/$defs/tree' } }] } },
  }
  expect(read(schema, [1, [2, [3]]])).toEqual([1, [2, [3]]])
  expect(read(schema, [1, [2, ['3']]])).toEqual(['[1][1][0]: must be a number or a list, not a text'])
})

test.each<[JsonSchema, unknown, string]>([
  [{ type: 'integer' }, 1.5, 'must be a whole number, not 1.5'],
  [number, Infinity, 'must be a number, not Infinity'],
  [{ type: 'number', minimum: 2 }, 1, 'must be at least 2'],
  [{ type: 'number', maximum: 2 }, 3, 'must be at most 2'],
  [{ type: 'string', minLength: 1 }, '', 'must have at least 1 letter'],
  [
    { type: 'string', format: 'date-time', pattern: '^\\d' },
    'now',
    'must be a date of ISO 8601, such as "2026-01-01T00:00:00Z"',
  ],
  [{ type: 'array', minItems: 1 }, [], 'must have at least 1 item'],
  [{ type: 'string', enum: ['open', 'closed'] }, 'opne', 'must be one of "open", "closed"; did you mean "open"?'],
  [{ type: 'number', const: 2 }, 1, 'must be 2'],
])('what %j refuses: %j', (schema, value, reason) => {
  expect(read(schema, value)).toEqual([`: ${reason}`])
})

test('a schema without keywords accepts all as it is', () => {
  const value = { any: [1, null] }
  expect(read({}, value)).toBe(value)
})
