import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { type InvalidSpec } from '../../src/spec/invalid-spec.ts'
import { loadSpecFile, loadSpecText, type Overrides } from '../../src/spec/load-spec.ts'
import { aPhase, aSpec, load } from '../fakes/a-spec.ts'
import { fail } from '../fakes/fail.ts'

function told(text: string, overrides: Overrides = {}): Problem {
  try {
    loadSpecText(text, 'spec.json', overrides)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  return fail('no problem')
}

describe('a spec that is right', () => {
  test('is read with its defaults', () => {
    expect(load()).toMatchObject({
      file: 'spec.json',
      name: 'small',
      title: 'small',
      description: '',
      seed: 42,
      repeat: { times: 1, startUpRuns: 0 },
    })
    expect(load().rows[0]?.spec.target).toMatchObject({ kind: 'standalone' })
  })

  test('may have a description of several lines', () =>
    expect(load({ description: ['one', 'two'] }).description).toBe('one\ntwo'))

  test('is read from a file', async () =>
    expect((await loadSpecFile('fixtures/specs/quickstart.json', { profile: 'smoke' })).name).toBe('quickstart'))

  test('is reported with what was set, without the profiles', () => {
    const parts = {
      parameters: { n: 1 },
      profiles: { smoke: { n: 2 } },
      seed: 7,
      phases: [aPhase({ stopAfter: { operations: { '@param': 'n' } } })],
    }
    const { effective } = load(parts, { profile: 'smoke' })
    expect(effective).toEqual({ ...aSpec(parts), profiles: undefined, parameters: { n: 2 } })
    expect(load().effective).toEqual(aSpec())
  })

  test('runs on an existing server if told so, with the facts it gives', () => {
    const target = { kind: 'replicaSet', members: 3, facts: { disk: 'fast' } }
    expect(load({ target }, { existing: true }).rows[0]?.spec.target).toEqual({
      kind: 'existing',
      uriFrom: 'MONGO_PERF_URI',
      facts: { disk: 'fast' },
    })
  })
})

const named = (name: string) => ({ kind: 'existing', uriFrom: `MONGO_PERF_URI_${name}` })
const standalone = (more: object = {}) => ({ kind: 'standalone', ...more })
const targets = (list: readonly object[]) => ({ target: { '@param': 'server' }, variants: { server: list } })
const onOne = (list: readonly object[]): Problem => told(JSON.stringify(aSpec(targets(list))), { existing: true })

/** Rows of one existing server, with a cache and a number of operations each. */
const rowsOnOne = (list: readonly { readonly cache: number; readonly n: number }[]) =>
  load(
    {
      target: standalone({ server: { cacheGB: { '@param': 'cache' } } }),
      variants: list,
      phases: [aPhase({ stopAfter: { operations: { '@param': 'n' } } })],
    },
    { existing: true },
  ).rows

describe('one server in the place of several', () => {
  test('is refused for named targets, with the options that give each its own', () =>
    expect(onOne([named('SMALL'), named('LARGE')])).toSay('spec-target-one-for-named'))

  test('is refused where rows state different facts, or differ in nothing but their servers', () => {
    expect(onOne([{ facts: { disk: 'a' } }, { facts: { disk: 'b' } }].map(standalone)).code).toBe('usage')
    expect(onOne([standalone(), standalone({ server: { cacheGB: 1 } })])).toSay('spec-target-one-for-unnamed')
    expect(onOne([standalone(), { kind: 'replicaSet' }]).code).toBe('usage')
  })

  test('is right for one row of them, for equal targets, and where the work differs too', () => {
    const labelled = ['SMALL', 'LARGE'].map((label) => ({ label, value: named(label) }))
    expect(load(targets(labelled), { existing: true, only: ['server=SMALL'] }).rows).toHaveLength(1)
    const twice = { cache: 1, n: 1 }
    expect(rowsOnOne([twice, twice])).toHaveLength(2)
    expect(rowsOnOne([twice, { cache: 2, n: 2 }])).toHaveLength(2)
  })
})

describe('the hash', () => {
  const { hash } = load()

  test.each<[string, object]>([
    ['title', { title: 'x' }],
    ['description', { description: 'x' }],
    ['report', { report: { tables: [{ title: 't', columns: ['p99Ms'] }] } }],
    ['thresholds', { thresholds: ['p99Ms < 5'] }],
    ['repeats', { repeat: { times: 3 } }],
  ])('stays when the %s changes', (_, parts) => expect(load({ ...parts }).hash).toBe(hash))

  test.each<[string, object]>([
    ['seed', { seed: 43 }],
    ['data', { data: { collection: 'things', rows: 11, document: { _id: { '@row': {} } } } }],
    ['phases', { phases: [aPhase({ settle: true })] }],
    ['target', { target: { kind: 'replicaSet' } }],
    ['engine', { engine: 'wire' }],
  ])('changes with the %s', (_, parts) => expect(load({ ...parts }).hash).not.toBe(hash))

  test('is of what is done, however it is written', () => {
    const written = load({
      parameters: { ten: { '@multiply': [2, 5] } },
      phases: [aPhase({ stopAfter: { operations: { '@param': 'ten' } } })],
    })
    expect(written.hash).toBe(hash)
  })
})

describe('a problem is told where it was written', () => {
  const text = `{
  "name": "places",
  "parameters": {
    "load": { "kind": "closed", "workers": 4 },
    "phase": { "settle": true }
  },
  "profiles": {
    "smoke": { "load": { "kind": "closed", "workers": 0 } }
  },
  "variants": [
    { "label": "a", "stop": { "operations": 1 } },
    { "label": "b", "stop": { "operation": 1 } }
  ],
  "data": [
    { "when": false, "collection": "gone" },
    { "collection": "here", "rows": 1, "document": { "_id": 1, "list": [1, { "@int": { "min": 2, "max": { "@param": "phase.most" } } }] } }
  ],
  "phases": [
    null,
    {
      "name": "p",
      "load": { "@param": "load" },
      "stopAfter": { "@param": "stop" },
      "operations": [{ "kind": "find" }]
    }
  ]
}`

  test('also when it came through a variant, at the key', () => expect(told(text)).toSay('spec-place-in-variant'))

  test('also when it came through a profile', () =>
    expect(told(text, { profile: 'smoke', only: ['a'] })).toSay('spec-place-in-profile'))

  test('also when it came through a setting, at the parameter', () => {
    const set = { load: { kind: 'closed', workers: 0 } }
    expect(told(text, { set, only: ['a'] })).toSay('spec-place-in-parameter')
  })

  test('also when items in front of it are not there', () => {
    const most = text.replace('{ "@param": "phase.most" }', '1')
    const unused = most.replace(/,\n {4}"phase": .*\n/, '\n')
    expect(told(unused, { only: ['a'] })).toSay('spec-place-in-list')
  })
})

test.each([
  ['fixtures/nothing.json', 'spec-file-missing'],
  ['fixtures', 'spec-file-folder'],
])(
  'what cannot be read %s is told without a stack',
  async (file, code) => await expect(loadSpecFile(file)).rejects.toSay(code),
)

test('problems are of their kind: of the spec, or of the command line', () => {
  expect(told('{').code).toBe('spec-invalid')
  expect(told(JSON.stringify(aSpec({ titel: 1 }))).code).toBe('spec-invalid')
  expect(told(JSON.stringify(aSpec()), { profile: 'none' }).code).toBe('usage')
  expect(told(JSON.stringify(aSpec()), { only: ['none'] }).code).toBe('usage')
})

test('each issue has the code of the step or rule that found it, its path and its position', async () => {
  const error = await loadSpecFile('fixtures/invalid-specs/problems-of-all-stages.json').catch(
    (thrown: unknown) => thrown,
  )
  const { issues } = error as InvalidSpec
  expect(issues.map(({ code, line, path }) => `${line} ${code} ${path.join('.')}`)).toSay('spec-issues-with-places')
})
