import { expect, test } from 'vitest'
import { z } from 'zod'
import { toSchema } from '../../docs/generator/editor/editor-schema.ts'
import { createSections } from '../../docs/generator/sections.ts'
import { value } from '../../src/language/value-schema.ts'
import { undescribed } from './undescribed.ts'

const described = (schema: z.ZodType, elsewhere?: (path: string) => string | undefined) => {
  const sections = createSections({ titleOf: (path) => path, elsewhere })
  return { fields: sections.fieldsOf(toSchema(schema), ''), sections: sections.found() }
}

const typesOf = (shape: z.ZodRawShape): readonly string[] =>
  described(z.strictObject(shape)).fields.map(({ type }) => type)

test('types are shown as text, with their range', () => {
  expect(
    typesOf({
      a: z.int().min(1).max(9),
      b: z.number().positive().max(5),
      c: z.int().min(0),
      d: z.string(),
      e: z.boolean(),
      f: z.enum(['x', 'y', 'z']),
      g: z.array(z.string()).min(1),
      h: z.record(z.string(), z.array(z.number())),
      i: value,
      j: z.array(value),
      k: z.union([z.literal(1), z.union([z.literal('all'), z.array(z.boolean())])]),
      l: z.string().regex(/^a+$/),
      m: z.iso.datetime(),
    }),
  ).toSay('docs-types')
})

test('defaults have their own column, with the text of the description if it states one', () => {
  const { fields } = described(
    z.strictObject({
      a: z.int().default(5).describe('A number.'),
      b: z.int().default(5).describe('A number. Default 5.'),
      c: z.string().optional().describe('A path. Default: a temporary folder. Removed afterwards.'),
      d: z.string().describe('A name.'),
      e: z.string().optional().describe('A title.'),
      f: z.number().default(0.25).describe('A size. Default: 0.25.'),
    }),
  )
  expect(fields.map(({ defaultText, meaning }) => [defaultText, meaning])).toEqual([
    ['`5`', 'A number.'],
    ['5', 'A number.'],
    ['a temporary folder', 'A path. Removed afterwards.'],
    ['required', 'A name.'],
    ['', 'A title.'],
    ['0.25', 'A size.'],
  ])
})

test('an object has one section, however often it stands in the schema', () => {
  const shared = z.strictObject({ size: z.int().describe('A size.') })
  const { fields, sections } = described(
    z.strictObject({ a: shared.optional().describe('One.'), b: z.array(shared).describe('Several.') }),
  )
  expect(fields.map(({ type }) => type)).toEqual(['[object](#a)', 'list of [objects](#a)'])
  expect(sections.map(({ title }) => title)).toEqual(['a'])
})

test('objects of a union are distinguished by their kind, or by their first required field', () => {
  const byKind = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('open'), rate: z.int().describe('A rate.') }),
    z.strictObject({ kind: z.literal('closed'), workers: z.int().describe('A number.') }),
  ])
  const byField = z.union([
    z.string(),
    z.strictObject({ metric: z.string().describe('A name.') }),
    z.strictObject({ value: z.string().describe('A name.') }),
  ])
  const { fields, sections } = described(z.strictObject({ load: byKind, columns: z.array(byField) }))
  expect(fields.map(({ type }) => type)).toEqual([
    '[open](#load-open) or [closed](#load-closed)',
    'list of texts, [metric](#columns-metric) or [value](#columns-value)',
  ])
  // The kind is in the heading.
  expect(sections.map(({ title, fields: own }) => [title, own.map(({ name }) => name)])).toEqual([
    ['load: open', ['rate']],
    ['load: closed', ['workers']],
    ['columns[]: metric', ['metric']],
    ['columns[]: value', ['value']],
  ])
})

test('a small object without descriptions is shown inline', () => {
  expect(typesOf({ length: z.strictObject({ min: z.int(), max: z.int().max(9) }) })).toSay('docs-type-inline')
})

test('what another page describes is shortened, and not walked', () => {
  const { fields, sections } = described(
    z.strictObject({ part: z.strictObject({ a: z.int().describe('A.') }).describe('A part. It has an A.') }),
    (path) => (path === 'part' ? '[part](part.md)' : undefined),
  )
  expect(fields).toEqual([{ name: 'part', type: '[part](part.md)', defaultText: 'required', meaning: 'A part.' }])
  expect(sections).toEqual([])
})

test('a field without a description is listed by its section', () => {
  const { sections } = described(
    z.strictObject({ part: z.strictObject({ described: z.int().describe('A.'), undescribed: z.int() }) }),
  )
  expect(undescribed(sections)).toEqual(['part: undescribed'])
})
