import { describe, expect, test } from 'vitest'
import { type Json } from '../../src/core/json.ts'
import { evaluateResult } from '../../src/metrics/evaluate.ts'
import { judgedRatios } from '../../src/metrics/ratios.ts'
import { type ReportSpec } from '../../src/metrics/report-schema.ts'
import { evaluateReport } from '../../src/report/definition/report-spec.ts'
import { computeFinding, filledText } from '../../src/report/prose/finding.ts'
import { renderReport } from '../../src/report/report.ts'
import { type Result } from '../../src/results/schema.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'

/** Rounds whose ratios go up and down around a factor. */
const around = (factor: number, noise: number, rounds = 6) =>
  Array.from({ length: rounds }, (_, index) => ({
    a: 100 + index,
    b: (100 + index) * factor * noise ** (index % 2 === 0 ? 1 : -1),
  }))

type Named = Omit<Parameters<typeof judgedRatios>[0][number], 'ofCells'>

/** Judges rounds whose cells have the ratio of the means. */
const judge = (...all: readonly Named[]) =>
  judgedRatios(all.map((named) => Object.assign(named, { ofCells: meanRatio(named.rounds) })))
const meanRatio = (rounds: Named['rounds']) =>
  Math.exp(rounds.reduce((sum, { a, b }) => sum + Math.log(b / a), 0) / rounds.length)
const textsOf = (...all: readonly Named[]) => judge(...all).map(({ text }) => text)

test.each([
  [around(3.4, 1.05), '3.4 times the speed (3.2 to 3.6)'],
  [around(0.82, 1.02), '0.82 times the speed (0.80 to 0.84)'],
  [around(0.016, 1.02), '1/62 of the speed (1/64 to 1/61)'],
  [around(0.0019, 1.05), '1/526 of the speed (1/557 to 1/498)'],
  [around(40, 1.1), '40 times the speed (36 to 45)'],
  [around(1, 1.001), 'the same speed within 2 %'],
  [around(1, 1.1), 'cannot tell: only a difference in speed above 16 % would have shown'],
  [around(1, 1.05), 'no measurable difference in speed (one above 7.9 % would have shown)'],
  [around(1, 3), 'cannot tell: only a difference in speed above a factor of 5.6 would have shown'],
  [around(3.4, 1.05, 3), 'about 3.5 times the speed (too few rounds for a verdict: 3 more)'],
])('the ratio of case %#', (rounds, text) => {
  expect(textsOf({ rounds, noun: 'speed' })).toEqual([text])
})

test.each([
  [around(3.4, 1.05), 'both rows', '3.4 times the speed (3.2 to 3.6; limited by the client)'],
  [around(3.4, 1.05), 'one row', '3.4 times the speed (3.2 to 3.6; one side limited by the client)'],
  [around(1, 1.001), 'both rows', 'the same speed within 2 % (limited by the client)'],
  [
    around(1, 1.1),
    'both rows',
    'cannot tell: only a difference in speed above 16 % would have shown (limited by the client)',
  ],
] as const)('a ratio says where the client was the bottleneck, case %#', (rounds, clientLimited, text) => {
  expect(textsOf({ rounds, noun: 'speed', clientLimited })).toEqual([text])
})

test('without a noun it is a bare factor', () => {
  const all = [around(3.4, 1.05), around(1, 1.001), around(1, 1.1), around(2, 1, 1)].map((rounds) => ({ rounds }))
  expect(textsOf(...all)).toEqual([
    '3.4 times (3.2 to 3.6)',
    'the same within 2 %',
    'cannot tell: only a difference above 21 % would have shown',
    'about 2.0 times (too few rounds for a verdict: 5 more)',
  ])
})

test('is that of the cells where rounds are too few, and names its mean where the cells show another', () => {
  const [few, many] = [around(21, 1.05, 3), around(21, 1.05)]
  expect(judgedRatios([{ rounds: few, ofCells: 31 }])).toMatchObject([
    { ratio: 31, text: 'about 31 times (too few rounds for a verdict: 3 more)' },
  ])
  expect(judgedRatios([{ rounds: many, ofCells: 31 }])[0]?.text).toBe('21 times (20 to 22; mean of 6 rounds)')
  expect(judgedRatios([{ rounds: many, ofCells: 21.1 }])[0]?.text).toBe('21 times (20 to 22)')
  expect(judgedRatios([{ rounds: around(1, 1.001), ofCells: 1.1 }])[0]?.text).toBe(
    'the same within 2 % (mean of 6 rounds)',
  )
})

test('many ratios together claim less than one alone', () => {
  const doubtful = { rounds: around(1.1, 1.085) }
  expect(judge(doubtful)[0]?.verdict).toBe('higher')
  const others = Array.from({ length: 9 }, () => ({ rounds: around(1, 1.2) }))
  expect(judge(doubtful, ...others)[0]).toMatchObject({ verdict: 'cannot tell' })
})

/** Two rows with a run of one second for each speed; the rounds of the second row ran in the reverse order. */
const resultOf = (first: readonly number[], second: readonly number[]): Result =>
  fakeResult({
    spec: { varied: ['batch'] },
    variants: [first, second].flatMap((speeds, row) =>
      speeds
        .map((ok, index) =>
          fakeVariant({
            row,
            run: index + 1,
            label: `batch ${row}`,
            parameters: { batch: { value: row } },
            phases: [fakePhase({ wallSeconds: 1, operations: [fakeOperation({ ok, found: ok, missing: 1 })] })],
          }),
        )
        .toSorted((a, b) => (row === 0 ? a.run - b.run : b.run - a.run)),
    ),
  })

const speed = { '@ratio': { of: 'opsPerSecond', at: { batch: 1 }, to: { batch: 0 }, noun: 'operations per second' } }
const drifting = [100, 120, 140, 160, 180, 200]
const doubled = drifting.map((value, index) => value * (index % 2 === 0 ? 2 : 2.02))

const evaluatorOf = (result: Result, given: Readonly<Record<string, Json>> = { speed }) =>
  evaluateResult(result, { let: given, tables: [], charts: [] })
const sharedIn = (result: Result, given?: Readonly<Record<string, Json>>) => evaluatorOf(result, given).shared('speed')

/** A result whose client was the bottleneck in some rows. */
function resultLimitedIn(isLimited: (row: number) => boolean): Result {
  const result = resultOf(drifting, doubled)
  for (const { row, phases } of result.variants) for (const { client } of phases) client.saturated = isLimited(row)
  return result
}

const ratioIn = (result: Result, of = 'opsPerSecond') =>
  sharedIn(result, { speed: { '@ratio': { ...speed['@ratio'], of } } })

describe('the ratio of two rows', () => {
  test('is paired by the number of the run', () => {
    expect(sharedIn(resultOf(drifting, doubled))).toMatchObject({
      verdict: 'higher',
      text: '2.0 times the operations per second (2.0 to 2.0)',
    })
  })

  test('leaves out rounds that only one of them has', () => {
    expect(sharedIn(resultOf(drifting, doubled.slice(0, 4)))).toMatchObject({ verdict: 'no verdict', low: null })
  })

  test.each([
    ['a row is missing', resultOf(drifting, [])],
    ['a value is 0', resultOf(drifting, [0, 1, 2, 3, 4, 5])],
    ['the other value is 0', resultOf([0, 1, 2, 3, 4, 5], drifting)],
  ])('is not measured where %s', (_, result) => {
    expect(sharedIn(result)).toBeNull()
    expect(filledText('It is {{speed}}.', evaluatorOf(result))).toBe('It is not measured.')
  })

  test('is read by expressions, member by member', () => {
    const given = { speed, isHigher: { '@eq': [{ '@var': 'speed.verdict' }, 'higher'] } }
    expect(evaluatorOf(resultOf(drifting, doubled), given).shared('isHigher')).toBe(true)
  })

  test('of throughput says in how many rows the client was the bottleneck', () => {
    const [both, one, none] = [
      resultLimitedIn(() => true),
      resultLimitedIn((row) => row === 1),
      resultLimitedIn(() => false),
    ]
    expect(ratioIn(both)).toMatchObject({ text: expect.stringContaining('(2.0 to 2.0; limited by the client)') })
    expect(ratioIn(one)).toMatchObject({ text: expect.stringContaining('; one side limited by the client)') })
    expect(ratioIn(none)).toMatchObject({ text: expect.stringMatching(/\(2\.0 to 2\.0\)$/) })
    for (const other of ['serverCpuUsPerOperation', 'foundPercent'])
      expect(ratioIn(both, other)).toMatchObject({ text: expect.not.stringContaining('the client') })
  })

  test('may differ from row to row, and then is no value for a text', () => {
    const toFirst = { '@ratio': { of: 'opsPerSecond', at: {}, to: { batch: 0 } } }
    expect(sharedIn(resultOf(drifting, doubled), { speed: toFirst })).toBeNull()
  })
})

/** Operations of a row that failed in most of its runs. */
function withErrorsIn(row: number, result: Result): Result {
  for (const variant of result.variants.filter((one) => one.row === row))
    for (const { operations } of variant.phases)
      for (const operation of operations)
        Object.assign(operation, {
          failed: operation.ok,
          errors: [{ name: 'HostUnreachable', code: 'HostUnreachable', count: operation.ok, outcome: 'failed' }],
        })
  return result
}

describe('a row that does not compare', () => {
  test.each([0, 1])('takes part in no ratio, finding or title (row %i)', (row) => {
    const result = withErrorsIn(row, resultOf(drifting, doubled))
    expect(sharedIn(result)).toEqual({
      ratio: null,
      low: null,
      high: null,
      verdict: 'no verdict',
      text: `not compared (batch ${row}: errors 50 %)`,
    })
    expect(computeFinding(evaluateReport(withFinding(result)))?.ratio).toBe(`not compared (batch ${row}: errors 50 %)`)
    for (const { title } of renderReport(withFinding(result)).charts) expect(title).not.toMatch(/\d times/)
  })
})

describe('a line with a ratio', () => {
  const line = { text: '- Batches', ratio: 'speed', higher: 'Use them ({{speed}}).', lower: 'Avoid them.' }
  const textOf = (result: Result, lines: ReportSpec['analysis'] = [line]) => filledText(lines, evaluatorOf(result))

  test('states it, and goes on by its verdict', () => {
    expect(textOf(resultOf(drifting, doubled))).toBe(
      '- Batches: 2.0 times the operations per second (2.0 to 2.0). Use them (2.0 times the operations per second (2.0 to 2.0)).',
    )
    expect(textOf(resultOf(doubled, drifting))).toBe(
      '- Batches: 0.50 times the operations per second (0.49 to 0.50). Avoid them.',
    )
  })

  test('says no more than the figures where nothing is said about a verdict', () => {
    expect(textOf(resultOf(drifting, drifting))).toBe('- Batches: the same operations per second within 2 %.')
    expect(textOf(resultOf(drifting.slice(3), doubled.slice(3)))).toBe(
      '- Batches: about 2.0 times the operations per second (too few rounds for a verdict: 3 more).',
    )
    expect(textOf(resultOf(drifting, []))).toBe('- Batches: not measured.')
  })

  test('stands among other lines', () => {
    expect(textOf(resultOf(drifting, []), ['First.', '', line])).toBe('First.\n\n- Batches: not measured.')
  })
})

const withFinding = (result: Result): Result => ({
  ...result,
  spec: { ...result.spec, report: { let: { speed }, finding: { text: 'Batches', ratio: 'speed' } } as never },
})

describe('the finding of a result', () => {
  test('is what is compared and its ratio', () => {
    expect(computeFinding(evaluateReport(withFinding(resultOf(drifting, doubled))))).toEqual({
      text: 'Batches',
      measure: 'opsPerSecond',
      ratio: '2.0 times the operations per second (2.0 to 2.0)',
      limitedBy: 'server CPU (180 % of 2 cores)',
    })
    expect(computeFinding(evaluateReport(withFinding(resultOf(drifting, []))))).toEqual({
      text: 'Batches',
      measure: 'opsPerSecond',
      ratio: 'not measured',
      limitedBy: '',
    })
  })

  test('is missing where the spec names none, and where nothing was measured', () => {
    expect(computeFinding(evaluateReport(resultOf(drifting, doubled)))).toBeNull()
    expect(computeFinding(evaluateReport(withFinding(fakeResult({ variants: [] }))))).toBeNull()
  })
})
