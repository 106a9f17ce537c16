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

const tooManyBytes = 'makes more than 16777216 bytes of BSON'
const tooManyValues = 'expands to more than 1000000 values over all rows'

describe('a short spec that stands for very much is refused while it is expanded, at its place', () => {
  test.each<[string, Parts, string]>([
    ['lists of lists of lists', dataOf(arrays(3, { '@int': {} })), `data.document.value.@array: ${tooManyBytes}`],
    ['of what takes no bytes', dataOf(arrays(3, null)), `data.document.value.@array: ${tooManyBytes}`],
    [
      'a drawn list for each element of one',
      dataOf({ '@map': { input: arrays(1, 1), as: 'x', in: arrays(2, 1) } }),
      `data.document.value.@map: ${tooManyBytes}`,
    ],
    ['long texts', dataOf(rows(1000).map(() => ({ '@string': { length: 9_000_000 } }))), tooManyBytes],
    ['large documents in one', dataOf(rows(1000).map(() => filler)), `data.document.value: ${tooManyBytes}`],
    [
      'doublings of what is known',
      find({ let: doublings(30, [1, 1], twoOf('@var')), filter: { a: { '@var': 'v29' } } }),
      `phases[0].operations[0].let.v20: ${tooManyBytes}`,
    ],
    [
      'doublings of what is drawn',
      find({ let: doublings(30, [{ '@int': {} }], twoOf('@var')), filter: { a: { '@var': 'v29' } } }),
      tooManyBytes,
    ],
    [
      'parameters that hold one another twice',
      { ...dataOf({ '@param': 'v59' }), parameters: doublings(60, [1, 1], twoOf('@param')) },
      `parameters.v16: ${tooManyValues}`,
    ],
    [
      'texts that do',
      {
        ...dataOf({ '@param': 'v59' }),
        parameters: doublings(60, 'x'.repeat(1000), (name) => ({ '@concat': twoOf('@param')(name) })),
      },
      tooManyValues,
    ],
    ['many ranges', dataOf(rows(1000).map(() => range)), tooManyValues],
    [
      'ranges of ranges',
      dataOf({ '@map': { input: range, as: 'x', in: { '@map': { input: range, as: 'y', in: 1 } } } }),
      tooManyValues,
    ],
    [
      'long bodies of many rows',
      {
        ...dataOf([{ '@param': 'row' }, ...rows(300).map(() => ({ '@int': {} }))]),
        variants: { row: rows(1000) },
      },
      tooManyValues,
    ],
    [
      'parameters nested in one another',
      {
        ...dataOf({ '@param': 'v89' }),
        parameters: doublings(90, 1, (name) => rows(50).reduce<Json>((inner) => [inner], { '@param': name })),
      },
      'expands to more than 400 levels',
    ],
    [
      'names of a let',
      find({ let: Object.fromEntries(rows(1001).map((i) => [`v${i}`, i])) }),
      'names at most 1000 values',
    ],
    ['a long key', dataOf({ ['k'.repeat(1001)]: 1 }), 'a key is longer than 1000 characters'],
    [
      'a batch of large documents',
      {
        ...dataOf({ '@filler': { sizeKB: 1024 } }),
        phases: [aPhase({ operations: [{ kind: 'insertMany', documentsPerCall: 1000 }] })],
      },
      'one call carries about',
    ],
  ])('%s', { timeout: 60_000 }, (_, parts, reason) => {
    expect(problemsOf(parts).join('\n')).toContain(reason)
  })
})

describe('what is not too large', () => {
  test('is accepted: the largest document that the server takes', { timeout: 60_000 }, () => {
    expect(load({ ...find({ filter: {} }), data: { collection: 'things', rows: 1, document: filler } }).untried).toBe(0)
  })

  test('is accepted in many rows, of which only some are tried', { timeout: 60_000 }, () => {
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
  const phase = spec.phases[0] ?? fail('There is no phase')
  const operations = [{ ...phase.operations[0], filter: { a: arrays(3, 1) } }] as typeof phase.operations
  const calls = compilePhase({ ...phase, operations }, ['phases', 0], dataSets, context).calls('measured')
  expect(() => calls.next()).toThrow(Problem)
  expect(() => calls.next()).toThrow('phases[0].operations[0].filter.a.@array: makes more than 16777216 bytes')
})
