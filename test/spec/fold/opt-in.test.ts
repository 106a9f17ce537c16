import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { type GuardedKey, guardedKeys } from '../../../src/language/values/keys.ts'
import { type Overrides } from '../../../src/spec/parse/overrides.ts'
import { aPhase, load, problemsOf } from '../../fakes/a-spec.ts'

/** A use of each guarded word, where the server takes it. */
const uses: Readonly<Record<GuardedKey, object>> = {
  $where: { kind: 'find', filter: { $where: 'this.n > 1' } },
  $function: {
    kind: 'find',
    filter: { $expr: { $function: { body: 'function (n) { return n > 1 }', args: ['$n'], lang: 'js' } } },
  },
  $accumulator: { kind: 'aggregate', pipeline: [{ $group: { _id: null, all: { $accumulator: { lang: 'js' } } } }] },
  $out: { kind: 'aggregate', pipeline: [{ $out: 'made' }] },
  $merge: { kind: 'aggregate', pipeline: [{ $merge: { into: 'made' } }] },
}

const specUsing = (word: GuardedKey, parts: object = {}) => ({
  phases: [aPhase({ operations: [uses[word]] })],
  ...parts,
})

function codeOf(parts: object, overrides: Overrides = {}): string {
  try {
    load({ ...parts }, overrides)
    return 'right'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

const findForEach = (made: (word: GuardedKey) => readonly string[]) => guardedKeys.flatMap(made)
const othersThan = (word: GuardedKey) => guardedKeys.filter((other) => other !== word)

describe.each([...guardedKeys])('%s', (word) => {
  test('is right where the spec and the command line allow it', () =>
    expect(problemsOf(specUsing(word, { allow: [word] }), { allow: [word] })).toEqual([]))

  test('is refused where only one of them does, or neither', () => {
    expect(codeOf(specUsing(word))).toBe('refused')
    expect(codeOf(specUsing(word), { allow: guardedKeys })).toBe('refused')
    expect(codeOf(specUsing(word, { allow: [word] }), { allow: othersThan(word) })).toBe('refused')
  })
})

test('a guarded word is refused with what is needed to allow it', () => {
  expect(findForEach((word) => problemsOf(specUsing(word)))).toSay('spec-guarded-words-refused')
  expect(findForEach((word) => problemsOf(specUsing(word), { allow: guardedKeys }))).toSay(
    'spec-guarded-words-not-in-spec',
  )
  expect(findForEach((word) => problemsOf(specUsing(word, { allow: [word] }), { allow: othersThan(word) }))).toSay(
    'spec-guarded-words-not-on-command-line',
  )
})

test('what the command line allows changes nothing for a spec that does not ask for it', () => {
  expect(problemsOf({}, { allow: guardedKeys })).toEqual([])
  expect(load({}, { allow: guardedKeys }).hash).toBe(load().hash)
})

test('a word that the spec allows and never uses is reported, like an unused parameter is', () => {
  const parts = specUsing('$where', { allow: ['$where', '$out'] })
  expect(problemsOf(parts, { allow: guardedKeys })).toSay('spec-guarded-word-unused')
  expect(codeOf(parts, { allow: guardedKeys })).toBe('spec-invalid')
})

test('every use is reported, in parameters, profiles and untouched values too', () => {
  const parts = {
    parameters: { filter: { $where: '1' } },
    profiles: { other: { filter: { a: [{ $where: '2' }] } } },
    phases: [
      aPhase({
        operations: [
          { kind: 'find', filter: { '@param': 'filter' } },
          { kind: 'find', name: 'untouched', filter: { '@literal': { $where: '3' } } },
        ],
      }),
    ],
  }
  const places = problemsOf(parts).map((line) => line.split(': ')[0])
  expect(places.toSorted()).toEqual([
    'parameters.filter.$where',
    'phases[0].operations[1].filter.@literal.$where',
    'profiles.other.filter.a[0].$where',
  ])
  expect(problemsOf({ ...parts, allow: ['$where'] }, { allow: ['$where'] })).toEqual([])
})

test('a key that is made is never a guarded word, whatever is allowed', () => {
  const filter = {
    '@arrayToObject': [
      ['$where', 'true'],
      ['a', 1],
    ],
  }
  const parts = { allow: ['$where'], phases: [aPhase({ operations: [uses.$where, { kind: 'findOne', filter }] })] }
  const { rows } = load(parts, { allow: ['$where'] })
  expect(rows[0]?.spec.phases[0]?.operations[1]).toMatchObject({ filter: { a: 1 } })
})

test.each([
  ['allow', 'allow', '$where'],
  ['an unknown word', 'allow[0]', ['$were']],
  ['a word twice', 'allow', ['$where', '$where']],
  ['an expression', 'allow', { '@param': 'words' }],
])('%s that is wrong is reported', (_what, place, allow) => {
  const parameters = place === 'allow' && typeof allow === 'object' && '@param' in allow ? { words: ['$where'] } : {}
  const found = problemsOf(specUsing('$where', { allow, parameters }), { allow: guardedKeys })
  expect(found.some((line) => line.startsWith(`${place}: `))).toBe(true)
})

test('what servers send to each other is refused, whatever is allowed', () => {
  const filter = { $expr: { $_internalJsEmit: { eval: 'function () {}', this: '$$ROOT' } } }
  for (const parts of [{ filter }, { filter: { '@literal': filter } }]) {
    const spec = { phases: [aPhase({ operations: [{ kind: 'find', ...parts }] })] }
    expect(codeOf(spec, { allow: guardedKeys })).toBe('refused')
    expect(problemsOf(spec)[0]?.split(': ').slice(1).join(': ')).toSay('spec-internal-word-refused')
  }
})
