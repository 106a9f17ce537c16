import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { type Json, type JsonObject } from '../../../src/core/json.ts'
import { type Overrides } from '../../../src/spec/load-spec.ts'
import { aPhase, load, problemsOf } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

/** A spec that uses the parameters of these names, and the values that each row gives them. */
function spec(names: readonly string[], parts: JsonObject): JsonObject {
  const used = Object.fromEntries(names.map((name) => [name, { '@param': name }]))
  return { ...parts, phases: [aPhase({ operations: [{ kind: 'find', filter: used }] })] }
}

function valuesOf(names: readonly string[], parts: JsonObject, overrides: Overrides = {}): readonly unknown[] {
  const { rows } = load(spec(names, parts), overrides)
  return rows.map((row) => (row.spec.phases[0]?.operations[0] as { filter: unknown } | undefined)?.filter)
}

const labelsOf = (names: readonly string[], parts: JsonObject, overrides: Overrides = {}): readonly string[] =>
  load(spec(names, parts), overrides).rows.map(({ label }) => label)

const usage = (names: readonly string[], parts: JsonObject, overrides: Overrides): Problem => {
  try {
    load(spec(names, parts), overrides)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  return fail('nothing was refused')
}

test('without variants there is one row without a label', () => expect(labelsOf([], {})).toEqual(['']))

describe('an object of lists', () => {
  test('is the cross product, the first key slowest', () =>
    expect(valuesOf(['a', 'b'], { variants: { a: [1, 2], b: ['x', 'y'] } })).toEqual([
      { a: 1, b: 'x' },
      { a: 1, b: 'y' },
      { a: 2, b: 'x' },
      { a: 2, b: 'y' },
    ]))

  test('names its rows by names and values, or by labels', () => {
    const variants = {
      a: [
        { label: 'NORMAL', value: 0 },
        { label: '', value: 1 },
      ],
      b: [true],
    }
    expect(labelsOf(['a', 'b'], { variants })).toEqual(['a NORMAL, b true', 'a , b true'])
    expect(valuesOf(['a', 'b'], { variants })).toEqual([
      { a: 0, b: true },
      { a: 1, b: true },
    ])
  })

  test('may get its lists, or itself, from parameters', () => {
    const parameters = { few: [1, 2], all: { a: { '@param': 'few' }, b: { '@range': [5, 7] } } }
    expect(valuesOf(['a', 'b'], { parameters, variants: { '@param': 'all' } })).toHaveLength(4)
    expect(labelsOf(['a'], { parameters: { few: [1, 2] }, variants: { a: { '@param': 'few' } } })).toEqual([
      'a 1',
      'a 2',
    ])
  })

  test('may compute its values, also from one another', () => {
    const variants = { a: [1, 2], b: [{ '@add': [{ '@param': 'a' }, 10] }] }
    expect(valuesOf(['a', 'b'], { variants })).toEqual([
      { a: 1, b: 11 },
      { a: 2, b: 12 },
    ])
    expect(labelsOf(['a', 'b'], { variants })).toEqual(['a 1, b 11', 'a 2, b 12'])
  })

  test.each<[Json, string]>([
    [5, 'spec-variants-number'],
    [[], 'spec-variants-without-row'],
    [[5], 'spec-variants-row-number'],
    [[{ label: 5, a: 1 }], 'spec-variants-label-number'],
  ])('%j is refused', (variants, code) => expect(problemsOf(spec([], { variants }))).toHaveLine(code))
})

describe('a list of objects', () => {
  test('is its rows in written order, named by their labels', () => {
    const variants = [{ label: 'slow', a: 1 }, { label: { '@concat': ['a is ', { '@param': 'a' }] }, a: 2 }, { a: 3 }]
    expect(labelsOf(['a'], { variants })).toEqual(['slow', 'a is 2', 'a 3'])
    expect(valuesOf(['a'], { variants })).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }])
  })

  test('may get its rows from parameters', () => {
    const parameters = { fast: { label: 'fast', a: 1 } }
    expect(labelsOf(['a'], { parameters, variants: [{ '@param': 'fast' }, { label: 'slow', a: 2 }] })).toEqual([
      'fast',
      'slow',
    ])
  })

  test('uses the parameters for values that a row does not have', () =>
    expect(valuesOf(['a'], { parameters: { a: 0 }, variants: [{ a: 1 }, { label: 'default' }] })).toEqual([
      { a: 1 },
      { a: 0 },
    ]))
})

test('a list has at most 1000 rows', () => {
  const rows = Array.from({ length: 1001 }, (_, a) => ({ a }))
  expect(problemsOf(spec(['a'], { variants: rows }))[0]).toSay('spec-variants-too-many')
})

test('variants that go round in a circle are refused', () => {
  const parameters = { a: { '@param': 'b' }, b: { '@param': 'a' } }
  expect(problemsOf(spec([], { parameters, variants: { '@param': 'a' } }))).toSay('spec-variants-in-cycle')
})

describe('a parameter', () => {
  test('that nothing uses is refused, where it is written', () => {
    expect(problemsOf(spec([], { parameters: { a: 1 }, variants: { b: [1] } }))).toSay('spec-parameters-unused')
    expect(problemsOf(spec([], { variants: [{ b: 1 }] }))).toSay('spec-parameter-of-row-unused')
  })

  test('is used by a part that is not there in any row, for the text decides', () => {
    const when = { '@eq': [1, 2] }
    const operation = { kind: 'find', name: 'gone', when, filter: { '@param': 'a' } }
    const phases = [aPhase({ operations: [{ kind: 'find' }, operation] })]
    expect(problemsOf({ parameters: { a: 1 }, phases })).toEqual([])
    expect(problemsOf({ phases })).toSay('spec-parameter-of-nothing')
  })

  test('is used by a column that shows it, or a part of it', () => {
    const report = { tables: [{ title: 't', columns: [{ parameter: 'disk.type' }, { parameter: 'label' }] }] }
    expect(problemsOf({ parameters: { disk: { type: 'x' } }, report })).toEqual([])
  })

  test('that is missing is named with the nearest, wherever it is used', () => {
    expect(problemsOf({ ...spec(['bathc'], { variants: { batch: [1] } }) })).toSay('spec-parameter-misspelt')
    expect(problemsOf({ variants: { a: [{ '@param': 'x' }] }, ...spec(['a'], {}) })).toSay(
      'spec-parameter-unknown-in-variants',
    )
  })

  test('is not called "label" without being one', () =>
    expect(problemsOf(spec(['label', 'a'], { variants: [{ label: 'x', a: 1 }] }))).toSay('spec-parameter-called-label'))
})

describe('profiles', () => {
  const parts = {
    parameters: { a: 1, b: { '@add': [{ '@param': 'a' }, 1] } },
    profiles: { smoke: { a: 10 }, other: { b: 0 } },
  }

  test('override parameters by name', () => {
    expect(valuesOf(['a', 'b'], parts)).toEqual([{ a: 1, b: 2 }])
    expect(valuesOf(['a', 'b'], parts, { profile: 'smoke' })).toEqual([{ a: 10, b: 11 }])
    expect(valuesOf(['a', 'b'], parts, { profile: 'other' })).toEqual([{ a: 1, b: 0 }])
  })

  test.each(['smok', 'constructor'])('that are not there are refused: %s', (profile) =>
    expect(usage(['a', 'b'], parts, { profile })).toSay(
      profile === 'smok' ? 'spec-profile-misspelt' : 'spec-profile-unknown',
    ),
  )
})

test.each<[Json, string]>([
  [{ parameters: [1] }, 'parameters'],
  [{ profiles: 'smoke' }, 'profiles'],
  [{ profiles: { smoke: 5 } }, 'profiles.smoke'],
])('parts of another shape are refused: %j', (parts, place) =>
  expect(problemsOf(spec([], parts as JsonObject))).toSay('spec-parameters-no-object', { place: `${place}:` }),
)

describe('--set', () => {
  const parts = { parameters: { a: 1, b: { '@param': 'a' } }, profiles: { smoke: { a: 10 } } }

  test('comes after the profile, and may hold any JSON', () => {
    expect(valuesOf(['a', 'b'], parts, { profile: 'smoke', set: { a: 'text' } })).toEqual([{ a: 'text', b: 'text' }])
    expect(valuesOf(['a', 'b'], parts, { set: { b: { '@add': [{ '@param': 'a' }, 1] } } })).toEqual([{ a: 1, b: 2 }])
  })

  test('is part of the effective spec', () =>
    expect(load(spec(['a', 'b'], parts), { profile: 'smoke', set: { b: 5 } }).effective).toMatchObject({
      parameters: { a: 10, b: 5 },
    }))

  test('is refused for what varies, with the other way', () =>
    expect(usage(['a'], { variants: { a: [1, 2] } }, { set: { a: 1 } })).toSay('spec-set-of-variant'))

  test('is refused for what is not there', () =>
    expect(usage(['a', 'b'], parts, { set: { c: 1 } })).toSay('spec-set-unknown'))

  test('is checked as the file is', () => {
    expect(problemsOf(spec(['a', 'b'], parts), { set: { a: { '@itn': {} } } })).toSay('spec-set-keyword')
    expect(problemsOf(spec(['a', 'b'], parts), { set: { a: [{ $where: 'x' }] } })).toSay('spec-set-guarded-word')
    expect(problemsOf(spec(['a', 'b'], parts), { set: { a: { '@param': 'x' } } })).toSay('spec-set-to-unknown')
  })
})

describe('--only', () => {
  const variants = { a: [{ label: 'none', value: 0 }, 1, 'two'], b: [true, { iops: 5 }] }
  const only = (...wanted: readonly string[]) => labelsOf(['a', 'b'], { variants }, { only: wanted })

  test.each<[readonly string[], readonly string[]]>([
    [['a=1'], ['a 1, b true', 'a 1, b {"iops":5}']],
    [['a=none', 'b=true'], ['a none, b true']],
    [['a=0', 'b=true'], ['a none, b true']],
    [['a=two', 'b={"iops":5}'], ['a two, b {"iops":5}']],
    [['a=two', 'b=true'], ['a two, b true']],
    [['a 1, b true'], ['a 1, b true']],
    [['label=a 1, b true'], ['a 1, b true']],
    [
      [],
      [
        'a none, b true',
        'a none, b {"iops":5}',
        'a 1, b true',
        'a 1, b {"iops":5}',
        'a two, b true',
        'a two, b {"iops":5}',
      ],
    ],
  ])('%j chooses %j', (wanted, labels) => expect(only(...wanted)).toEqual(labels))

  test('keeps the number of each row', () =>
    expect(load(spec(['a', 'b'], { variants }), { only: ['a=1'] }).rows.map(({ index }) => index)).toEqual([2, 3]))

  test('compares with computed values', () => {
    const computed = {
      parameters: { n: 4 },
      variants: { a: [{ '@param': 'n' }, { '@multiply': [{ '@param': 'n' }, 2] }] },
    }
    expect(labelsOf(['a'], computed, { only: ['a=8'] })).toEqual(['a 8'])
  })

  test.each(['a=3', 'c=1', 'nothing', '=', 'constructor=1'])(
    'that leaves no row is refused with the rows there are: %s',
    (wanted) => expect(usage(['a', 'b'], { variants }, { only: [wanted] })).toSay('spec-only-without-row', { wanted }),
  )
})

test('--only has nothing to choose from where nothing varies', () =>
  expect(usage(['a'], {}, { only: ['a=1'] })).toSay('spec-only-without-variants'))

test('what a row was made with is known: values, labels, which of the list it was, and its own label', () => {
  const [first] = load(
    spec(['a', 'b'], {
      parameters: { b: { '@add': [{ '@param': 'a' }, 1] } },
      variants: { a: [{ label: 'one', value: 1 }] },
    }),
  ).rows
  expect(Object.fromEntries(first?.parameters ?? [])).toEqual({
    a: { value: 1, label: 'one', choice: 0 },
    b: { value: 2 },
    label: { value: 'a one' },
  })
  expect(first?.varied).toEqual(['a'])
})
