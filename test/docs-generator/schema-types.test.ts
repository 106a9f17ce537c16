import { expect, test } from 'vitest'
import { writtenSchema } from '../../docs/generator/editor/editor-schema.ts'
import { isSchema, mapSchemas, type Schema } from '../../docs/generator/editor/share-schemas.ts'
import { schemaTypes } from '../../docs/generator/schema-types.ts'

const readOnly = { head: [], isReadonly: true }

test('an object with a title becomes an interface, and its descriptions become documentation', () => {
  const load = {
    title: 'Load',
    description: 'When calls are sent.',
    type: 'object',
    properties: {
      kind: { const: 'closed' },
      workers: { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/absent' }], description: 'How many wait for replies.' },
    },
    required: ['kind'],
  }
  const schema = {
    title: 'Spec',
    type: 'object',
    properties: { loads: { type: 'array', items: load } },
    $defs: { absent: { type: 'null' } },
  }
  expect(schemaTypes(schema, readOnly).split('\n\n').join('\n')).toSay('types-of-spec')
})

test('two different parts with one title are refused', () => {
  const [text, number] = [
    { title: 'Part', type: 'string' },
    { title: 'Part', type: 'number' },
  ]
  expect(schemaTypes({ anyOf: [text, text] }, readOnly)).toContain('export type Part = string\n')
  expect(() => schemaTypes({ anyOf: [text, number] }, readOnly)).toThrow('have the title "Part"')
})

test('what an operation and the steps of its name share is written once', () => {
  const filter = { type: 'string', description: 'Which documents.' }
  const typeOf = (title: string, properties: Schema): Schema => ({
    title,
    description: 'Read one document.',
    type: 'object',
    properties: { kind: { const: 'findOne' }, filter, ...properties },
    required: ['kind'],
  })
  const [operation, step, other] = [
    typeOf('FindOneOperation', { weight: { type: 'number' } }),
    typeOf('FindOneTransactionStep', { abort: { type: 'boolean' } }),
    { title: 'SortOperation', type: 'object', properties: { filter } },
  ]
  expect(schemaTypes({ anyOf: [operation, step, other] }, readOnly)).toSay('types-with-calls')
})

/** The names of the fields of objects without a title. */
function untitledIn(schema: Schema): string[][] {
  const { title, properties } = schema
  const found = title === undefined && isSchema(properties) ? [Object.keys(properties)] : []
  mapSchemas(schema, (inner) => {
    found.push(...untitledIn(inner))
    return inner
  })
  return found
}

test('every part of a spec with more than four fields has a title', () => {
  const { $defs, ...root } = writtenSchema()
  const parts = [root, ...Object.values($defs as Record<string, Schema>)]
  expect(parts.flatMap(untitledIn).filter((fields) => fields.length > 4)).toEqual([])
})
