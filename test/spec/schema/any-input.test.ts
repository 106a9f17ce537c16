import { readdirSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { isObject, type Json, type Path } from '../../../src/core/json.ts'
import { forms } from '../../../src/language/expression.ts'
import { functions } from '../../../src/language/functions/index.ts'
import { generators } from '../../../src/language/generators/index.ts'
import { type LoadedSpec, loadSpecText } from '../../../src/spec/load-spec.ts'
import { aPhase, problemsOf } from '../../fakes/a-spec.ts'
import { forAll } from '../../fakes/for-all.ts'
import { propertyRuns } from '../../property-runs.ts'

/** The spec, or the problem that a user sees; anything else that is thrown is a bug. */
function loadOrProblem(text: string): LoadedSpec | Problem {
  try {
    return loadSpecText(text, 'spec.json')
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

const folder = 'fixtures/specs'
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
const specs = files.map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }))

/** Every place of a spec. */
function places(node: Json, path: Path = []): readonly Path[] {
  if (typeof node !== 'object' || node === null) return [path]
  const steps = Array.isArray(node) ? node.map((_, i) => i) : Object.keys(node)
  return [
    path,
    ...steps.flatMap((step) => places((node as Record<string | number, Json>)[step] ?? null, [...path, step])),
  ]
}

/** A copy with the node at a place changed; undefined removes it. */
function changed(node: Json, path: Path, change: (node: Json) => Json | undefined): Json {
  const [step, ...rest] = path
  if (step === undefined) return change(node) ?? null
  const entries = Array.isArray(node) ? [...node.entries()] : Object.entries(node as object)
  const next = (entries as [string | number, Json][]).flatMap(([key, item]): [string | number, Json][] => {
    if (key !== step) return [[key, item]]
    const made = rest.length === 0 ? change(item) : changed(item, rest, change)
    return made === undefined ? [] : [[key, made]]
  })
  return Array.isArray(node) ? next.map(([, item]) => item) : Object.fromEntries(next)
}

const words = [...forms, ...functions, ...generators].map(({ keyword }) => keyword)
const names = ['documents', 'workers', 'batch', 'x', 'label', 'documents.a.b', 'constructor', '']
const odd = ['', ' ', ...'__proto__ constructor toString _id $where @ @int kind when a.b _bsontype'.split(' ')]

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, -1, 1, 1.5, 2 ** 40, -0),
  fc.constantFrom('', 'closed', 'insertMany', 'p99Ms', '2026-01-01T00:00:00Z'),
  fc.string({ maxLength: 5 }),
)

const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json; object: Json; expression: Json; list: Json }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', maxDepth: 5 }, scalar, tie('object'), tie('list'), tie('expression')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...odd), fc.string({ maxLength: 3 })), tie('value'), { maxKeys: 3 }),
  expression: fc.oneof(
    fc.tuple(fc.constantFrom(...words), tie('value')).map(([word, argument]): Json => ({ [word]: argument })),
    fc.constantFrom(...names).map((name): Json => ({ '@param': name })),
    fc.constantFrom(...generators).map(({ keyword, example }): Json => ({ [keyword]: example })),
    fc
      .tuple(
        fc.constantFrom('$oid', '$date', '$numberLong', '$numberDouble', '$binary', '$timestamp', '$code'),
        tie('value'),
      )
      .map(([wrapper, content]): Json => ({ [wrapper]: content })),
  ),
})).value

test('any text is a spec or a problem', () =>
  forAll(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
    expect(loadOrProblem(text)).toBeInstanceOf(Problem)
  }))

test('any JSON in any of its places is a spec or a problem', () => {
  const keys = 'name seed repeat target parameters profiles variants data phases thresholds report'.split(' ')
  forAll(fc.constantFrom(...keys), anyJson, anyJson, (key, value, document) => {
    const spec = {
      name: 'any',
      data: { collection: 'a', rows: 5, document: { _id: { '@row': {} }, value: document } },
      phases: [aPhase({ operations: [{ kind: 'find', filter: { a: document }, sort: value }] })],
      [key]: value,
    }
    expect(loadOrProblem(JSON.stringify(spec))).toBeDefined()
  })
})

test('any values of parameters and variants are a spec or a problem', () =>
  forAll(anyJson, anyJson, anyJson, (x, y, variants) => {
    const spec = {
      name: 'any',
      parameters: { x, y },
      variants,
      data: { collection: 'a', rows: { '@param': 'x' }, document: { _id: { '@row': {} }, y: { '@param': 'y.a' } } },
      phases: [{ name: 'p', stopAfter: { '@param': 'y' }, operations: [{ kind: 'find', limit: { '@param': 'x' } }] }],
    }
    expect(loadOrProblem(JSON.stringify(spec))).toBeDefined()
  }))

const rowsOf = (source: string) =>
  (loadOrProblem(source) as LoadedSpec).rows.map(({ label, parameters, spec }) => ({ label, parameters, spec }))

test.each(specs)('$name is read the same when it is printed and read again', ({ text }) => {
  const rows = rowsOf(text)
  expect(rows.length).toBeGreaterThan(0)
  expect(rowsOf(JSON.stringify(JSON.parse(text)))).toEqual(rows)
  expect(rowsOf(JSON.stringify(JSON.parse(text), null, '\t'))).toEqual(rows)
})

test('a shipped spec with any of its places removed, renamed or replaced is a spec or a problem', () => {
  const parsed = specs.map(({ text }) => JSON.parse(text) as Json)
  const change = fc.tuple(fc.nat(), fc.constantFrom('remove', 'rename', 'replace', 'wrap', 'list'), anyJson)
  fc.assert(
    fc.property(fc.constantFrom(...parsed), fc.array(change, { minLength: 1, maxLength: 2 }), (spec, changes) => {
      const all = places(spec)
      const mutated = changes.reduce<Json>(
        (node, [place, how, value]) => mutate(node, all[place % all.length] ?? [], how, value),
        spec,
      )
      expect(loadOrProblem(JSON.stringify(mutated))).toBeDefined()
    }),
    // Whole specs, which take long to read.
    { numRuns: propertyRuns / 4 },
  )
})

test('a misspelt document is a problem where calls draw parts of it too', () => {
  const operation = {
    kind: 'steps',
    let: { drawn: { '@document': { row: 0, project: { _id: 0 } } } },
    steps: [{ kind: 'insertOne', document: { '@var': 'drawn' } }],
  }
  const data = { collection: 'things', document: { '@fillers': { sizeKB: 1 } } }
  expect(problemsOf({ data, phases: [aPhase({ operations: [operation] })] })).toSay('spec-document-misspelt')
})

const best = { '@metric': { of: 'opsPerSecond', at: { a: { toString: [] } } } }

test.each<[string, object]>([
  [
    'a variable',
    { phases: [aPhase({ operations: [{ kind: 'findOne', filter: { _id: { '@var': { toString: null } } } }] })] },
  ],
  ['what a row must be', { variants: { a: [1, 2] }, report: { let: { best } } }],
])('an object that names methods is no text: %s', (_, parts) => {
  const phases = [aPhase({ operations: [{ kind: 'findOne' }] })]
  expect(problemsOf({ data: { collection: 'things' }, phases, ...parts })).not.toEqual([])
})

test.each(['@param', '@var', '@metric'])('%s of an object that names methods is a problem', (word) => {
  const spec = JSON.parse(specs.find(({ name }) => name.endsWith('hot-document.json'))?.text ?? '') as {
    report: object
  }
  const report = { ...spec.report, let: { best: { [word]: { toString: '', split: 1 } } } }
  expect(loadOrProblem(JSON.stringify({ ...spec, report }))).toBeInstanceOf(Problem)
})

function mutate(spec: Json, path: Path, how: string, value: Json): Json {
  const isThere = path.every((_, i) => has(spec, path.slice(0, i + 1)))
  if (!isThere || path.length === 0) return spec
  if (how === 'remove') return changed(spec, path, () => undefined)
  if (how === 'replace') return changed(spec, path, () => value)
  if (how === 'wrap') return changed(spec, path, (node) => ({ '@cond': [value, node, null] }))
  if (how === 'list') return changed(spec, path, (node) => [node, node])
  return changed(spec, path.slice(0, -1), (parent) =>
    isObject(parent)
      ? Object.fromEntries(Object.entries(parent).map(([key, item]) => [key === path.at(-1) ? `${key}s` : key, item]))
      : parent,
  )
}

function has(node: Json, path: Path): boolean {
  const [step, ...rest] = path
  if (step === undefined) return true
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return false
  return has((node as Record<string | number, Json>)[step] ?? null, rest)
}
