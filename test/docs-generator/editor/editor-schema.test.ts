import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { editorSchema } from '../../../docs/generator/editor/editor-schema.ts'
import { isSchema, mapSchemas, type Schema } from '../../../docs/generator/editor/share-schemas.ts'
import { type Json, type JsonObject } from '../../../src/core/json.ts'
import { forms } from '../../../src/language/expression.ts'
import { functions } from '../../../src/language/functions/index.ts'
import { generators } from '../../../src/language/generators/index.ts'
import { operations } from '../../../src/spec/operations/index.ts'
import { aPhase, aSpec } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'
import { validate } from './editor-validator.ts'

const schema = editorSchema()

/** What an independent validator finds wrong. */
const faults = (spec: unknown): readonly string[] =>
  validate(spec) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file) =>
    file.endsWith('.json') ? [`${folder}/${file}`] : [],
  )

test('it is small enough for editors', () => {
  // Of the three ways in which an operation may stand (by itself, as a step, in a transaction), each has its own fields.
  const help = new Set(['defaultSnippets', 'enumDescriptions', 'suggestSortText', 'patternErrorMessage'])
  const bare = JSON.stringify(schema, (keyword, part: unknown) => (help.has(keyword) ? undefined : part))
  // The choice by kinds takes 12,000 of it, the names of measures 5,000, generators 10,000 since there are series, relations and words,
  // options of collections 4,500, drawn names of collections 2,500, loads beside each other 3,500, pauses 1,500, expected errors 1,500, and searches for a cache 1,500. Nothing in it stands twice.
  expect(bare.length).toBeLessThan(206_900)
  expect(JSON.stringify(schema).length - bare.length).toBeLessThan(58_000)
})

describe('specs are accepted as they are written', () => {
  test.each([...filesBelow('fixtures/specs'), ...filesBelow('fixtures/examples')])('%s', (file) => {
    expect(faults(JSON.parse(readFileSync(file, 'utf8')))).toEqual([])
  })

  test.each(generators)('the example of $keyword', ({ keyword, example }) => {
    expect(faults(aSpec({ data: { collection: 'things', document: { a: [{ [keyword]: example }] } } }))).toEqual([])
  })

  test.each(functions)('the example of $keyword', ({ example }) => {
    expect(faults(aSpec({ parameters: { a: example[0] }, variants: { b: [example[0]] } }))).toEqual([])
  })
})

describe('mistakes are flagged', () => {
  test.each<[string, JsonObject]>([
    ['a misspelt key of the spec', { titel: 'x' }],
    ['a misspelt key of a phase', { phases: [aPhase({ warmUp: { seconds: 1 } })] }],
    ['a misspelt key of an operation', { phases: [aPhase({ operations: [{ kind: 'find', limt: 1 }] })] }],
    ['an unknown kind of operation', { phases: [aPhase({ operations: [{ kind: 'findone' }] })] }],
    ['an unknown kind of target', { target: { kind: 'cluster' } }],
    ['an unknown generator', { data: { collection: 'a', document: { a: { '@itn': {} } } } }],
    ['an unknown argument of a generator', { data: { collection: 'a', document: { a: { '@int': { mni: 1 } } } } }],
    ['a word beside other keys', { data: { collection: 'a', document: { a: { '@int': {}, b: 1 } } } }],
    ['an unknown word where the tool wants a number', { data: { collection: 'a', rows: { '@parm': 'x' } } }],
    ['a wrong type', { data: { collection: 'a', rows: '5' } }],
    ['an expression in the name', { name: { '@param': 'x' } }],
    ['an expression in a kind', { target: { kind: { '@param': 'x' } } }],
    ['a condition of two parts', { parameters: { a: { '@cond': [1, 2] } } }],
    ['a map without a name', { parameters: { a: { '@map': { input: [], in: 1 } } } }],
    ['null for what has to be given', { phases: [aPhase({ name: null })] }],
    ['an open load without its kind', { phases: [aPhase({ load: { ratePerSecond: 5 } })] }],
    ['an unknown column', { report: { tables: [{ title: 't', columns: [{ metrik: 'p99Ms' }] }] } }],
  ])('%s', (_, parts) => {
    expect(faults(aSpec(parts))).not.toEqual([])
  })

  test('a spec without a name or phases', () => {
    expect(faults({})).toEqual([" must have required property 'name'"])
  })
})

describe('where the language takes an expression, so does the schema', () => {
  const written: Json = { '@param': 'x' }
  test.each<[string, JsonObject]>([
    [
      'parts of the spec',
      { title: written, description: written, target: written, data: written, variants: written, report: written },
    ],
    [
      'the values of the report',
      { report: { let: { '@cond': [written, { a: { '@ratio': { of: 'p99Ms', at: {}, to: {} } } }, {}] } } },
    ],
    ['items of its lists', { phases: [written], data: [written], thresholds: [written] }],
    [
      'fields of a data set',
      { data: { collection: written, rows: written, document: written, indexes: written, options: written } },
    ],
    [
      'items and fields of indexes',
      {
        data: {
          collection: 'a',
          indexes: [written, { key: { a: written }, unique: written, collation: { locale: written } }],
        },
      },
    ],
    [
      'fields of a phase',
      {
        phases: [
          aPhase({
            load: { kind: 'closed', workers: written },
            warmup: written,
            stopAfter: { seconds: written },
            measured: written,
          }),
        ],
      },
    ],
    [
      'operations',
      {
        phases: [
          aPhase({ operations: [written, { kind: 'find', limit: written, sort: written, collation: written }] }),
        ],
      },
    ],
    [
      'members',
      {
        target: {
          kind: 'replicaSet',
          members: [written, { priority: written, tags: { a: written }, server: { cacheGB: written } }],
        },
      },
    ],
    ['facts', { target: { kind: 'existing', facts: { disk: written } } }],
    [
      'tables and charts',
      { report: { tables: [written, { title: 't', columns: [written, { parameter: written }] }], charts: [written] } },
    ],
    [
      'arguments of generators',
      { data: { collection: 'a', document: { a: { '@int': { min: written } }, b: { '@string': written } } } },
    ],
    [
      'values of variants and profiles',
      { variants: { a: [written, { label: 'x', value: written }] }, profiles: { p: { a: written } } },
    ],
  ])('%s', (_, parts) => {
    expect(faults(aSpec(parts))).toEqual([])
  })

  test('an item of a list may have a condition', () => {
    const when = { '@eq': [1, 2] }
    const parts = {
      data: [{ collection: 'a', when, indexes: [{ key: { a: 1 }, when: false }] }],
      phases: [{ ...aPhase({ operations: [{ kind: 'find', when }] }), when }],
      target: { kind: 'replicaSet', members: [{ when }] },
      report: {
        tables: [{ title: 't', when, columns: [{ metric: 'p99Ms', when }] }],
        charts: [{ kind: 'percentiles', when }],
      },
    }
    expect(faults(aSpec(parts))).toEqual([])
  })

  test('null stands for what need not be given', () => {
    expect(
      faults(
        aSpec({ title: null, target: null, data: { collection: 'a', rows: null }, phases: [aPhase({ warmup: null })] }),
      ),
    ).toEqual([])
  })
})

/** The definition that a schema refers to, or itself. */
const resolved = (part: Schema): Schema => {
  const name = typeof part['$ref'] === 'string' ? part['$ref'].replace('#/$defs/', '') : undefined
  const defs = schema['$defs'] as Record<string, Schema>
  return name === undefined ? part : resolved(defs[name] ?? fail(`${name} is not defined`))
}

/** Every property of every object, with its name. */
function propertiesIn(root: Schema): readonly (readonly [string, Schema])[] {
  const found: (readonly [string, Schema])[] = []
  const visit = (part: Schema, name?: string): Schema => {
    if (name !== undefined) found.push([name, part])
    return mapSchemas(part, visit)
  }
  const { $defs, ...rest } = root
  mapSchemas(rest, visit)
  for (const def of Object.values($defs as Record<string, Schema>)) mapSchemas(def, visit)
  return found
}

/** Editors add what a reference leads to, step by step. */
function described(part: Schema): boolean {
  const name = String(part['$ref'] ?? '').replace('#/$defs/', '')
  const next = (schema['$defs'] as Record<string, Schema>)[name]
  return part['description'] !== undefined || (next !== undefined && described(next))
}

describe('editors can help', () => {
  test('every word is described', () => {
    const { properties } = (schema['$defs'] as Record<string, Schema>)['expression'] as {
      properties: Record<string, Schema>
    }
    expect(Object.keys(properties)).toEqual([...forms, ...functions, ...generators].map(({ keyword }) => keyword))
    expect(Object.values(properties).every(described)).toBe(true)
  })

  test('every property is described', () => {
    const bare = propertiesIn(schema).flatMap(([name, part]) => (described(part) ? [] : [name]))
    expect(propertiesIn(schema).length).toBeGreaterThan(500)
    // The kind of a part is described where it is chosen.
    expect(bare.filter((name) => name !== 'kind')).toEqual([])
  })

  test('what a pattern refuses has a message', () => {
    const bare: string[] = []
    JSON.stringify(schema, (_, part: unknown) => {
      if (isSchema(part) && typeof part['pattern'] === 'string' && part['patternErrorMessage'] === undefined)
        bare.push(part['pattern'])
      return part
    })
    expect(bare).toEqual([])
  })

  test('kinds are literal, so that the rest can be completed by them', () => {
    const kinds = propertiesIn(schema)
      .flatMap(([name, part]) => (name === 'kind' ? [resolved(part)] : []))
      .flatMap(({ const: one, enum: all = [one] }) => all as readonly unknown[])
    expect(kinds).toEqual(
      expect.arrayContaining([...operations.map(({ kind }) => kind), 'standalone', 'replicaSet', 'existing', 'closed']),
    )
    expect(kinds).not.toContain(undefined)
  })
})
