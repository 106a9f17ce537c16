import { describe, expect, test } from 'vitest'
import { type Json } from '../../src/core/json.ts'
import { evaluateResult, toCell } from '../../src/metrics/evaluate.ts'
import { type TableRows } from '../../src/metrics/report-schema.ts'
import { listRows } from '../../src/metrics/rows/rows.ts'
import { type Result } from '../../src/results/schema.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'

const run = (
  row: number,
  round: number,
  wallSeconds: number,
  parameters: Record<string, { value: Json; label?: string }>,
) =>
  fakeVariant({
    row,
    run: round,
    label: `row ${row}`,
    parameters: parameters as never,
    phases: [
      fakePhase({ wallSeconds, operations: [fakeOperation({ ok: 100 }), fakeOperation({ name: 'find', ok: 300 })] }),
    ],
  })

const small = { size: { value: 1, label: 'SMALL' }, safe: { value: false }, disk: { value: { iops: 3000 } } }
const large = { size: { value: 10, label: 'LARGE' }, safe: { value: false }, disk: { value: { iops: 3000 } } }
const result = fakeResult({
  spec: { varied: ['size', 'safe'] },
  variants: [
    run(0, 1, 2, small),
    run(0, 2, 4, small),
    run(1, 1, 20, large),
    run(2, 1, 8, { ...small, safe: { value: true } }),
    run(3, 1, 80, { ...large, safe: { value: true } }),
  ],
})

/** What an expression gives in every row. */
function values(
  expression: Json,
  { kind = 'variants', given = {} }: { kind?: TableRows; given?: Readonly<Record<string, Json>> } = {},
  of: Result = result,
) {
  const evaluator = evaluateResult(of, { let: given, tables: [], charts: [] })
  return listRows(of, kind).map((row) => toCell(evaluator.value(expression, row)))
}

test.each<[Json, readonly unknown[]]>([
  [{ '@param': 'size' }, [1, 10, 1, 10]],
  [{ '@param': 'disk.iops' }, [3000, 3000, 3000, 3000]],
  [{ '@param': 'label' }, ['row 0', 'row 1', 'row 2', 'row 3']],
  [{ '@metric': 'wallSeconds' }, [3, 20, 8, 80]],
  [{ '@metric': 'find.operations' }, [300, 300, 300, 300]],
  [{ '@multiply': [{ '@metric': 'wallSeconds' }, { '@param': 'size' }] }, [3, 200, 8, 800]],
  [{ '@cond': [{ '@gt': [{ '@metric': 'wallSeconds' }, 10] }, 'slow', null] }, [null, 'slow', null, 'slow']],
  [
    { '@max': { '@map': { input: [1, 2], as: 'n', in: { '@multiply': [{ '@var': 'n' }, { '@param': 'size' }] } } } },
    [2, 20, 2, 20],
  ],
  [{ '@max': { '@metric': { of: 'wallSeconds', where: true } } }, [80, 80, 80, 80]],
  [
    { '@min': { '@metric': { of: 'wallSeconds', where: { '@eq': [{ '@param': 'size' }, 'LARGE'] } } } },
    [20, 20, 20, 20],
  ],
  [{ '@max': { '@metric': { of: 'wallSeconds', where: false } } }, [null, null, null, null]],
  [{ '@divide': [1, { '@metric': 'foundPercent' }] }, [null, null, null, null]],
  [{ '@divide': [1, 0] }, [null, null, null, null]],
  [{ '@literal': { '@param': 'x' } }, Array.from({ length: 4 }, () => '{"@param":"x"}')],
  [{ a: { '@param': 'safe' } }, ['{"a":false}', '{"a":false}', '{"a":true}', '{"a":true}']],
  [{ '@add': [5_000_000_000, 1] }, Array.from({ length: 4 }, () => 5_000_000_001)],
])('an expression gives for each row %j', (expression, expected) => expect(values(expression)).toEqual(expected))

test.each<[Json, readonly boolean[]]>([
  [{ '@eq': [{ '@param': 'size' }, 'SMALL'] }, [true, false, true, false]],
  [{ '@eq': [1, { '@param': 'size' }] }, [true, false, true, false]],
  [{ '@ne': [{ '@param': 'size' }, 'SMALL'] }, [false, true, false, true]],
  [{ '@ne': [{ '@param': 'size' }, 1] }, [false, true, false, true]],
  [{ '@in': [{ '@param': 'size' }, ['LARGE', 7]] }, [false, true, false, true]],
  [{ '@lt': [{ '@param': 'size' }, 5] }, [true, false, true, false]],
])('a labelled parameter is equal to its label and to its value: %j', (expression, expected) =>
  expect(values(expression)).toEqual(expected.map(String)),
)

describe('another row', () => {
  test('is the one that differs in the parameters of "at" alone', () => {
    expect(values({ '@metric': { of: 'wallSeconds', at: { size: 'LARGE' } } })).toEqual([20, 20, 80, 80])
    expect(values({ '@metric': { of: 'wallSeconds', at: { size: 1, safe: true } } })).toEqual([8, 8, 8, 8])
  })
  test('may be named by its label', () =>
    expect(values({ '@metric': { of: 'wallSeconds', at: { label: 'row 3' } } })).toEqual([80, 80, 80, 80]))
  test('that is not there has no value', () =>
    expect(values({ '@metric': { of: 'wallSeconds', at: { size: 7 } } })).toEqual([null, null, null, null]))
  test('of a single run is that of the same round', () => {
    const unsafe = { '@metric': { of: 'wallSeconds', at: { safe: false } } }
    expect(values(unsafe, { kind: 'runs' })).toEqual([2, 4, 20, 2, 20])
  })
  test('of one operation is the same operation', () => {
    const bare = { '@metric': { of: 'operations', at: { size: 'LARGE' } } }
    expect(values(bare, { kind: 'operations' })).toEqual([100, 300, 100, 300, 100, 300, 100, 300])
  })
  test('with the same values and another label is another row', () => {
    const twins = fakeResult({
      spec: { varied: ['mode', 'id'] },
      variants: ['SAFE', 'ACKNOWLEDGED'].flatMap((label, index) =>
        ['client', 'server'].map((id, side) =>
          run(index * 2 + side, 1, index * 10 + side, { mode: { value: 1, label }, id: { value: id } }),
        ),
      ),
    })
    expect(values({ '@metric': { of: 'wallSeconds', at: { id: 'server' } } }, {}, twins)).toEqual([1, 1, 11, 11])
  })
})

describe('a value of let', () => {
  const given = {
    time: { '@metric': 'wallSeconds' },
    twice: { '@multiply': [2, { '@var': 'time' }] },
    group: { '@cluster': { of: { '@var': 'twice' }, names: ['fast', 'slow'] } },
    fixed: { '@metric': { of: 'wallSeconds', at: { size: 10, safe: true } } },
    pair: { a: [1, { '@var': 'time' }] },
  }

  test('may use those before it', () => expect(values({ '@var': 'twice' }, { given })).toEqual([6, 40, 16, 160]))
  test('is read by a path', () => expect(values({ '@var': 'pair.a.1' }, { given })).toEqual([3, 20, 8, 80]))
  test('names the group of the row', () =>
    expect(values({ '@var': 'group' }, { given })).toEqual(['fast', 'fast', 'fast', 'slow']))
  test('is that of the whole row where a table shows single runs', () =>
    expect(values({ '@var': 'time' }, { given, kind: 'runs' })).toEqual([3, 3, 20, 8, 80]))
  test('that is one for all rows is shared, and any other is not', () => {
    const evaluator = evaluateResult(result, { let: given, tables: [], charts: [] })
    expect(['fixed', 'time', 'unknown'].map((name) => evaluator.shared(name))).toEqual([80, null, null])
  })
  test('does not see those after it, whatever a result contains', () => {
    const circle = { a: { '@var': 'b' }, b: { '@var': 'a' } }
    expect(values({ '@var': 'a' }, { given: circle })).toEqual([null, null, null, null])
  })
})

test('a condition that is not there holds for every row', () => {
  const { holds } = evaluateResult(result, { tables: [], charts: [] })
  const rows = listRows(result, 'variants')
  expect(rows.map((row) => holds(undefined, row))).toEqual([true, true, true, true])
  expect(rows.map((row) => holds({ '@param': 'safe' }, row))).toEqual([false, false, true, true])
})
