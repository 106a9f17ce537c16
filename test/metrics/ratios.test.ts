import { describe, expect, test } from 'vitest'
import { type Json } from '../../src/core/json.ts'
import { unjudged } from '../../src/load/run-load.ts'
import { evaluateResult } from '../../src/metrics/evaluate.ts'
import { judgedRatios } from '../../src/metrics/ratios.ts'
import { type ReportSpec } from '../../src/metrics/report-schema.ts'
import { evaluateReport } from '../../src/report/definition/report-spec.ts'
import { computeFinding, filledText } from '../../src/report/prose/finding.ts'
import { renderReport } from '../../src/report/report.ts'
import { type Result } from '../../src/results/schema.ts'
import { fail } from '../fakes/fail.ts'
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
  [around(3.4, 1.05), 'ratio-factor', { ratio: '3.4', low: '3.2', high: '3.6' }],
  [around(0.82, 1.02), 'ratio-factor', { ratio: '0.82', low: '0.80', high: '0.84' }],
  [around(0.016, 1.02), 'ratio-fraction', { ratio: '1/62', low: '1/64', high: '1/61' }],
  [around(0.0019, 1.05), 'ratio-fraction', { ratio: '1/526', low: '1/557', high: '1/498' }],
  [around(40, 1.1), 'ratio-factor', { ratio: 40, low: 36, high: 45 }],
  [around(1, 1.001), 'ratio-same', {}],
  [around(1, 1.1), 'ratio-open', { visible: '16 %' }],
  [around(1, 1.05), 'ratio-not-measurable', { visible: '7.9 %' }],
  [around(1, 3), 'ratio-open', { visible: 'a factor of 5.6' }],
  [around(3.4, 1.05, 3), 'ratio-of-few-rounds', { ratio: '3.5', more: 3 }],
])('the ratio of case %#', (rounds, code, data) => expect(textsOf({ rounds, noun: 'throughput' })).toSay(code, data))

test.each([
  [around(3.4, 1.05), 'both rows', 'ratio-limited-by-client'],
  [around(3.4, 1.05), 'one row', 'ratio-limited-on-one-side'],
  [around(1, 1.001), 'both rows', 'ratio-same-limited-by-client'],
  [around(1, 1.1), 'both rows', 'ratio-open-limited-by-client'],
] as const)('a ratio says where the client was the bottleneck, case %#', (rounds, clientLimited, code) =>
  expect(textsOf({ rounds, noun: 'throughput', clientLimited })).toSay(code),
)

test('without a noun it is a bare factor', () => {
  const all = [around(3.4, 1.05), around(1, 1.001), around(1, 1.1), around(2, 1, 1)].map((rounds) => ({ rounds }))
  expect(textsOf(...all)).toSay('ratios-without-noun')
})

const judgedWith = (ofCells: number, rounds: Named['rounds']) => judgedRatios([{ rounds, ofCells }])[0]

test('is that of the cells where rounds are too few, and names its mean where the cells show another', () => {
  const [few, many] = [around(21, 1.05, 3), around(21, 1.05)]

  expect(judgedWith(31, few)).toMatchObject({
    ratio: 31,
    text: expect.toSay('ratio-bare-of-few-rounds', { ratio: 31 }),
  })
  expect(judgedWith(31, many)?.text).toSay('ratio-of-mean', { rounds: 6 })
  expect(judgedWith(21.1, many)?.text).toBe('21 times (20 to 22)')
  expect(judgedWith(1.1, around(1, 1.001))?.text).toSay('ratio-same-of-mean', { rounds: 6 })
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
  test('is paired by the number of the run', () =>
    expect(sharedIn(resultOf(drifting, doubled))).toMatchObject({
      verdict: 'higher',
      text: expect.toSay('ratio-of-operations'),
    }))

  test('leaves out rounds that only one of them has', () =>
    expect(sharedIn(resultOf(drifting, doubled.slice(0, 4)))).toMatchObject({ verdict: 'no verdict', low: null }))

  test.each([
    ['a row is missing', resultOf(drifting, [])],
    ['a value is 0', resultOf(drifting, [0, 1, 2, 3, 4, 5])],
    ['the other value is 0', resultOf([0, 1, 2, 3, 4, 5], drifting)],
  ])('is not measured where %s', (_, result) => {
    expect(sharedIn(result)).toBeNull()
    expect(filledText('It is {{speed}}.', evaluatorOf(result))).toSay('text-of-no-value')
  })

  test('is read by expressions, member by member', () => {
    const given = { speed, isHigher: { '@eq': [{ '@var': 'speed.verdict' }, 'higher'] } }
    expect(evaluatorOf(resultOf(drifting, doubled), given).shared('isHigher')).toBe(true)
  })

  test('of throughput says in how many rows the client was the bottleneck', () => {
    const both = resultLimitedIn(() => true)
    const one = resultLimitedIn((row) => row === 1)
    expect(ratioIn(both)).toMatchObject({ text: expect.toSay('ratio-of-operations-limited') })
    expect(ratioIn(one)).toMatchObject({ text: expect.toSay('ratio-of-operations-limited-on-one-side') })
    expect(ratioIn(resultLimitedIn(() => false))).toMatchObject({ text: expect.toSay('ratio-of-operations') })
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

test.each([0, 1])('a row that does not compare takes part in no ratio, finding or title (row %i)', (row) => {
  const result = withErrorsIn(row, resultOf(drifting, doubled))
  const text = expect.toSay('ratio-not-compared', { row: `batch ${row}` })
  expect(sharedIn(result)).toEqual({ ratio: null, low: null, high: null, verdict: 'no verdict', text })
  expect(findingIn(result)?.ratio).toEqual(text)
  for (const { title } of renderReport(withFinding(result)).charts) expect(title).not.toMatch(/\d times/)
})

describe('a line with a ratio', () => {
  const line = { text: '- Batches', ratio: 'speed', higher: 'Use them ({{speed}}).', lower: 'Avoid them.' }
  const textOf = (result: Result, lines: ReportSpec['analysis'] = [line]) => filledText(lines, evaluatorOf(result))

  test('states it, and goes on by its verdict', () => {
    expect(textOf(resultOf(drifting, doubled))).toSay('ratio-line-higher')
    expect(textOf(resultOf(doubled, drifting))).toSay('ratio-line-lower')
  })

  test('says no more than the figures where nothing is said about a verdict', () => {
    expect(textOf(resultOf(drifting, drifting))).toSay('ratio-line-same')
    expect(textOf(resultOf(drifting.slice(3), doubled.slice(3)))).toSay('ratio-line-of-few-rounds')
    expect(textOf(resultOf(drifting, []))).toBe('- Batches: not measured.')
  })

  test('stands among other lines', () =>
    expect(textOf(resultOf(drifting, []), ['First.', '', line])).toBe('First.\n\n- Batches: not measured.'))
})

const withFinding = (result: Result): Result => ({
  ...result,
  spec: { ...result.spec, report: { let: { speed }, finding: { text: 'Batches', ratio: 'speed' } } as never },
})

const findingIn = (result: Result) => computeFinding(evaluateReport(withFinding(result)))

describe('the finding of a result', () => {
  test('is what is compared and its ratio', () => {
    expect(findingIn(resultOf(drifting, doubled))).toEqual({
      text: 'Batches',
      measure: 'opsPerSecond',
      ratio: expect.toSay('ratio-of-operations'),
      limitedBy: 'server CPU (180 % of 2 cores)',
    })
    const none = { text: 'Batches', measure: 'opsPerSecond', ratio: 'not measured', limitedBy: '' }
    expect(findingIn(resultOf(drifting, []))).toEqual(none)
  })

  test('of the answers of searches has their ratio and the limits of their phases, and names no measure of all windows', () => {
    const searched = resultOf(drifting, doubled)
    for (const { phases } of searched.variants)
      for (const phase of phases) {
        const { ok } = phase.operations[0] ?? fail('no operation')
        const confirmed = {
          ...unjudged,
          purpose: 'confirm',
          at: 2,
          seconds: 1,
          ok,
          errors: 0,
          opsPerSecond: ok,
          latency: null,
        } as const
        const outcome = { holds: [], found: 2, low: 1, high: 4, confirmed: true }
        const tried = { ...confirmed, purpose: 'step', at: 1, opsPerSecond: 1 } as const
        Object.assign(phase, { load: 'findPeak', windows: [tried, confirmed], outcome })
      }
    const [of] = searched.variants[0]?.phases.map(({ name }) => `${name}@found.opsPerSecond`) ?? []
    const report = {
      let: { speed: { '@ratio': { ...speed['@ratio'], of } } },
      finding: { text: 'Batches', ratio: 'speed' },
    }
    expect(
      computeFinding(evaluateReport({ ...searched, spec: { ...searched.spec, report: report as never } })),
    ).toEqual({
      text: 'Batches',
      measure: '',
      ratio: expect.toSay('ratio-of-operations'),
      limitedBy: 'server CPU (180 % of 2 cores)',
    })
  })

  test('is missing where the spec names none, and where nothing was measured', () => {
    expect(computeFinding(evaluateReport(resultOf(drifting, doubled)))).toBeNull()
    expect(findingIn(fakeResult({ variants: [] }))).toBeNull()
  })
})
