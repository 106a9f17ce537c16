import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { type Json, type JsonObject } from '../../../src/core/json.ts'
import { compilePhase } from '../../../src/spec/plan/compile-phase.ts'
import { createDataSet } from '../../../src/spec/plan/data-set.ts'
import { aPhase, load, oneRow, problemsOf } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

const document = (value: Json): JsonObject => ({ _id: { '@row': {} }, value })
type Parts = { readonly [key: string]: unknown }
const dataOf = (value: Json): Parts => ({ data: { collection: 'things', rows: 10, document: document(value) } })
const find = (parts: object): Parts => ({ phases: [aPhase({ operations: [{ kind: 'findOne', ...parts }] })] })

/** So many steps, each of them twice the one before. */
const doublings = (count: number, first: Json, twice: (name: string) => Json): Record<string, Json> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${i}`, i === 0 ? first : twice(`v${i - 1}`)]))

const twoOf = (word: string) => (name: string) => [{ [word]: name }, { [word]: name }]
const arrays = (depth: number, of: Json): Json =>
  depth === 0 ? of : { '@array': { size: 1000, of: arrays(depth - 1, of) } }
const range = { '@range': [0, 100_000] }
const filler = { '@filler': { sizeKB: 16 * 1024 } }
const rows = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

describe('a short spec that stands for very much is refused while it is expanded, at its place', () => {
  test.each<[string, Parts, string]>([
    ['lists of lists of lists', dataOf(arrays(3, { '@int': {} })), 'too-large-list'],
    ['of what takes no bytes', dataOf(arrays(3, null)), 'too-large-list'],
    [
      'a drawn list for each element of one',
      dataOf({ '@map': { input: arrays(1, 1), as: 'x', in: arrays(2, 1) } }),
      'too-large-map',
    ],
    ['long texts', dataOf(rows(1000).map(() => ({ '@string': { length: 9_000_000 } }))), 'too-large-texts'],
    ['large documents in one', dataOf(rows(1000).map(() => filler)), 'too-large-documents'],
    [
      'doublings of what is known',
      find({ let: doublings(30, [1, 1], twoOf('@var')), filter: { a: { '@var': 'v29' } } }),
      'too-large-let',
    ],
    [
      'doublings of what is drawn',
      find({ let: doublings(30, [{ '@int': {} }], twoOf('@var')), filter: { a: { '@var': 'v29' } } }),
      'too-large-drawn-let',
    ],
    [
      'parameters that hold one another twice',
      { ...dataOf({ '@param': 'v59' }), parameters: doublings(60, [1, 1], twoOf('@param')) },
      'too-large-parameters',
    ],
    [
      'texts that do',
      {
        ...dataOf({ '@param': 'v59' }),
        parameters: doublings(60, 'x'.repeat(1000), (name) => ({ '@concat': twoOf('@param')(name) })),
      },
      'too-large-text-of-parameters',
    ],
    ['many ranges', dataOf(rows(1000).map(() => range)), 'too-large-ranges'],
    [
      'ranges of ranges',
      dataOf({ '@map': { input: range, as: 'x', in: { '@map': { input: range, as: 'y', in: 1 } } } }),
      'too-large-range-of-ranges',
    ],
    [
      'long bodies of many rows',
      {
        ...dataOf([{ '@param': 'row' }, ...rows(300).map(() => ({ '@int': {} }))]),
        variants: { row: rows(1000) },
      },
      'too-large-rows',
    ],
    [
      'parameters nested in one another',
      {
        ...dataOf({ '@param': 'v89' }),
        parameters: doublings(90, 1, (name) => rows(50).reduce<Json>((inner) => [inner], { '@param': name })),
      },
      'too-large-depth',
    ],
    [
      'names of a let',
      find({ let: Object.fromEntries(rows(1001).map((i) => [`v${i}`, i])) }),
      'too-large-number-of-names',
    ],
    ['a long key', dataOf({ ['k'.repeat(1001)]: 1 }), 'too-large-key'],
    [
      'a batch of large documents',
      {
        ...dataOf({ '@filler': { sizeKB: 1024 } }),
        phases: [aPhase({ operations: [{ kind: 'insertMany', documentsPerCall: 1000 }] })],
      },
      'too-large-batch',
    ],
  ])('%s', (_, parts, code) => expect(problemsOf(parts)).toSay(code))
})

describe('what is not too large', () => {
  test('is accepted: the largest document that the server takes', () =>
    expect(load({ ...find({ filter: {} }), data: { collection: 'things', rows: 1, document: filler } }).untried).toBe(
      0,
    ))

  test('is accepted in many rows, of which only some are tried', () => {
    const { rows: accepted, untried } = load({
      ...find({ filter: {} }),
      data: { collection: 'things', rows: 1, document: { '@filler': { sizeKB: { '@param': 'size' } } } },
      variants: { size: rows(40).map((i) => 16_000 - i) },
    })
    expect(accepted).toHaveLength(40)
    expect(untried).toBeGreaterThan(0)
  })
})

test('a value that grows too large while the spec runs ends it with a problem that names its place', () => {
  const { spec } = oneRow(find({ filter: { a: 1 } }))
  const context = { seed: 1, report: (_: unknown, reason: string) => fail(reason) }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  const phase = spec.phases[0] ?? fail('no phase')
  const operations = [{ ...phase.operations[0], filter: { a: arrays(3, 1) } }] as typeof phase.operations
  const calls = compilePhase({ ...phase, operations }, ['phases', 0], dataSets, context).calls('measured')
  expect(() => calls.next()).toThrow(Problem)
  expect(() => calls.next()).toSay('too-large-while-running')
})
