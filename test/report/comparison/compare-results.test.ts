import { describe, expect, test } from 'vitest'
import { unjudged } from '../../../src/load/run-load.ts'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { type ResultComparison } from '../../../src/report/comparison/comparison.ts'
import { type Result } from '../../../src/results/schema.ts'
import { around, exampleAfter, exampleBefore, latencyOf, phaseWith, resultWith } from '../../fakes/compared-results.ts'
import { fakeMember, fakeOpenLoop, fakeOperation, fakeVariant } from '../../fakes/fake-result.ts'

const kindsOf = ({ figures }: ResultComparison): readonly string[] =>
  figures.map(({ row, measure, verdict }) => `${row} ${measure}: ${verdict.kind}`.trim())

const measuresOf = ({ figures }: ResultComparison): readonly string[] => figures.map(({ measure }) => measure)

const slower = resultWith({ '': around(900) })
const base = resultWith({ '': around(1000) })

describe('of each row are compared', () => {
  test('throughput, p99 and CPU per operation, the worst first', () => {
    const kinds = kindsOf(compareResults(exampleBefore, exampleAfter))
    expect(kinds.slice(0, 3)).toEqual([
      'batch 10 p99Ms: higher',
      'batch 10 opsPerSecond: lower',
      'batch 1 p99Ms: cannot tell',
    ])
    expect(new Set(kinds.slice(3, 7))).toEqual(
      new Set([
        'batch 1 opsPerSecond: same',
        ...[1, 10, 100].map((batch) => `batch ${batch} serverCpuUsPerOperation: same`),
      ]),
    )
    expect(kinds.slice(7)).toEqual(['batch 100 opsPerSecond: higher', 'batch 100 p99Ms: lower'])
  })

  test('the p99 of each of several operations, and of all phases', () => {
    const operations = ['findOne', 'insertOne'].map((name) => fakeOperation({ ok: 4000, name }))
    const [first] = base.variants
    const two = {
      ...base,
      variants: [{ ...first, phases: [phaseWith(1000, { operations }), phaseWith(500, { name: 'write' })] }],
    }
    expect(measuresOf(compareResults(two as Result, two as Result)).toSorted()).toEqual([
      'read.findOne.p99Ms',
      'read.insertOne.p99Ms',
      'read.opsPerSecond',
      'read.serverCpuUsPerOperation',
      'write.opsPerSecond',
      'write.p99Ms',
      'write.serverCpuUsPerOperation',
    ])
  })

  test('only what was measured: no CPU where the server reports none', () => {
    const silent = withPhase(base, phaseWith(1000, { members: [fakeMember({ totals: {} })] }))
    const comparison = compareResults(base, silent)
    expect(measuresOf(comparison)).not.toContain('serverCpuUsPerOperation')
    const reason = expect.toSay('comparison-not-measured', { side: 'B' })
    const title = 'read: Server CPU (µs/op)'
    expect(comparison.leftOut).toEqual([{ spec: 'example', row: '', title, kind: 'measured on one side', reason }])
  })

  test('response times of an open loop, which contain the wait of an operation', () => {
    const openLoop = fakeOpenLoop({ response: latencyOf(3, 5000) })
    const open = withPhase(base, phaseWith(1000, { load: 'open', openLoop }))
    const { figures } = compareResults(open, open)
    expect(figures.find(({ title }) => title === 'read: Response p99 (ms)')).toMatchObject({ figureA: 9 })
  })

  test('what a search for the best number of workers found', () => {
    const found = latencyOf(2, 5000)
    const figures = { seconds: 5, ok: 5000, errors: 0, opsPerSecond: 1000, latency: found }
    const windows = [{ ...unjudged, ...figures, purpose: 'step' as const, at: 4 }]
    const outcome = { holds: [], found: 4, low: null, high: null, confirmed: false }
    const search = withPhase(base, phaseWith(1000, { load: 'findPeak', windows, outcome }))
    const measures = measuresOf(compareResults(search, search)).toSorted()
    expect(measures).toEqual(['@found.opsPerSecond', '@found.p99Ms', 'serverCpuUsPerOperation'])
  })

  test('not what one side lacks, which is reported', () => {
    const other = withPhase(base, phaseWith(1000, { operations: [fakeOperation({ ok: 4000, name: 'findMany' })] }))
    const { leftOut, limits } = compareResults(base, other)
    expect(leftOut.map(({ title, reason }) => `${title}: ${reason}`)).toSay('comparison-left-out')
    expect(limits).toHaveLine('comparison-limit-not-measured', { figure: 'read findOne: p99 (ms)', side: 'B' })
  })

  test('the named measures, in the direction that is theirs', () => {
    const { figures } = compareResults(base, slower, { measures: ['read.p50Ms', 'findOne.opsPerSecond'] })
    expect(figures.map(({ measure, verdict }) => [measure, verdict])).toMatchObject([
      ['read.p50Ms', { kind: 'higher', effect: 'worse' }],
      ['findOne.opsPerSecond', { kind: 'lower', effect: 'worse' }],
    ])
  })

  test.each([
    ['p99', 'comparison-metric-unknown'],
    ['raed.p99Ms', 'comparison-phase-unknown'],
  ])('%s not', (measure, code) =>
    expect(() => compareResults(base, slower, { measures: [measure] })).toSay(code, { metric: measure }),
  )

  test('a measure that is no better where it is higher or lower', () => {
    const metric = 'cpuPercent'
    expect(() => compareResults(base, slower, { measures: [metric] })).toSay('comparison-metric-neutral', { metric })
  })
})

/** Eight runs of so many operations each. */
const few = (perRun: number): Result => withPhase(base, phaseWith(perRun / 4))

describe('a percentile needs samples', () => {
  test('a thousand for p99', () => expect(measuresOf(compareResults(few(1000), few(1000)))).toContain('p99Ms'))

  test('else the median is compared', () => {
    const measures = measuresOf(compareResults(few(2000), few(999)))
    expect(measures).toContain('p50Ms')
    expect(measures).not.toContain('p99Ms')
  })

  test('and below twenty nothing, which is reported', () => {
    const { leftOut, limits } = compareResults(few(19), few(19))
    const reason = expect.toSay('comparison-of-few-samples', { samples: 19 })
    expect(leftOut).toMatchObject([{ title: 'read: p50 (ms)', reason }])
    expect(limits).toHaveLine('comparison-limit-few-samples', { figure: 'read: p50 (ms)', samples: 19 })
  })
})

const rowOf = (label: string, workers: number, speed: number, row: number) =>
  around(speed).map((one, run) =>
    fakeVariant({ row, run: run + 1, label, parameters: { workers: { value: workers } }, phases: [phaseWith(one)] }),
  )

describe('rows', () => {
  const spec = { varied: ['workers'] }
  const a = resultWith({}, { spec, variants: [...rowOf('few', 1, 100, 0), ...rowOf('many', 8, 500, 1)] })

  test('are matched by their labels and parameters, in any order', () => {
    const b = resultWith({}, { spec, variants: [...rowOf('many', 8, 500, 0), ...rowOf('few', 1, 100, 1)] })
    const { figures } = compareResults(a, b)
    expect(figures).toHaveLength(6)
    expect(new Set(figures.map(({ verdict }) => verdict.kind))).toEqual(new Set(['same']))
  })

  test('of one side are named', () => {
    const b = resultWith({}, { spec, variants: [...rowOf('few', 1, 100, 0), ...rowOf('all', 9, 500, 1)] })
    const { limits } = compareResults(a, b)
    expect(limits).toHaveLine('comparison-rows-of-one-side', { side: 'A', rows: '"many"' })
    expect(limits).toHaveLine('comparison-rows-of-one-side', { side: 'B', rows: '"all"' })
  })

  test('without a common one are a mistake', () =>
    expect(() => compareResults(base, resultWith({ other: around(1) }))).toSay('comparison-of-no-row'))

  test('take part with their finished runs only', () => {
    const runs = base.variants.map((variant, index) => ({
      ...variant,
      status: index > 5 ? ('aborted' as const) : ('done' as const),
      startUp: index === 0,
    }))
    const [figure] = compareResults({ ...base, variants: runs }, base).figures
    expect(figure).toMatchObject({ a: { length: 5 }, verdict: { kind: 'no verdict', moreRounds: 1 } })
  })
})

const named = (name: string): Result => resultWith({ '': around(100) }, { spec: { name } })
const noisy = (name: string, speed: number): Result => resultWith({ '': around(speed, 0.06) }, { spec: { name } })
const kindIn = ({ figures }: ResultComparison, name: string) => figures.find(({ spec }) => spec === name)?.verdict.kind

describe('specs', () => {
  test('are matched by their names', () => {
    const { figures, limits } = compareResults([named('one'), named('two')], [named('two'), named('three')])
    expect(new Set(figures.map(({ spec }) => spec))).toEqual(new Set(['two']))
    expect(limits).toHaveLine('comparison-specs-of-one-side', { side: 'A', specs: '"one"' })
    expect(limits).toHaveLine('comparison-specs-of-one-side', { side: 'B', specs: '"three"' })
  })

  test('are a mistake where none is on both sides, or one is there twice', () => {
    expect(() => compareResults([named('one'), named('two')], [named('three')])).toSay('comparison-of-no-spec')
    expect(() => compareResults([named('one'), named('one')], [named('one')])).toSay('comparison-of-a-spec-twice')
  })

  test('share the error rate: the more figures there are, the less is seen in each', () => {
    const others = Array.from({ length: 30 }, (_, index) => noisy(`other ${index}`, 1000))
    const [a, b] = [noisy('one', 1000), noisy('one', 1070)]
    const options = { measures: ['opsPerSecond'] }
    expect(kindIn(compareResults(a, b, options), 'one')).toBe('higher')
    expect(kindIn(compareResults([a, ...others], [b, ...others], options), 'one')).toBe('cannot tell')
  })
})

describe('a run with 0 has no ratio', () => {
  const failing = withPhase(base, phaseWith(0, { operations: [fakeOperation({ ok: 0, failed: 40 })] }))

  test('so it is not clear', () => {
    const [first, ...others] = base.variants
    const once = { ...base, variants: [{ ...first, phases: failing.variants[0]?.phases }, ...others] } as Result
    const figure = compareResults(base, once).figures.find(({ measure }) => measure === 'opsPerSecond')
    expect(figure).toMatchObject({
      ratio: null,
      verdict: { kind: 'no ratio', text: expect.toSay('comparison-without-ratio') },
    })
  })

  test('but a side that has nothing else is worse, or the other is', () => {
    const text = expect.toSay('comparison-of-zeros', { side: 'B' })
    expect(verdictOf(base, failing)).toEqual({ kind: 'only zeros', effect: 'worse', text })
    expect(verdictOf(failing, base)).toMatchObject({ kind: 'only zeros', effect: 'better' })
    const { limits } = compareResults(base, failing)
    expect(limits).toHaveLine('comparison-limit-failed', { ofA: 0, ofB: 320 })
  })

  test('except where both sides have nothing but 0', () => {
    const [figure] = compareResults(base, base, { measures: ['errors'] }).figures
    expect(figure).toMatchObject({ figureA: 0, ratio: null, verdict: { kind: 'both 0' } })
  })
})

test('fewer than six runs have a ratio of medians, and no interval and no verdict', () => {
  const [a, b] = [resultWith({ '': [100, 110, 120] }), resultWith({ '': [50, 55, 60] })]
  const { answer, figures } = compareResults(a, b, { measures: ['opsPerSecond'] })
  expect(figures).toMatchObject([{ ratio: 0.5, interval: null, verdict: { kind: 'no verdict', moreRounds: 3 } }])
  expect(answer).toSay('comparison-answer-few-runs')
})

test('the smallest effect decides what is the same', () => {
  const { figures } = compareResults(base, slower, { measures: ['opsPerSecond'], smallestEffect: 0.2 })
  expect(figures).toMatchObject([{ verdict: { kind: 'same', text: expect.toSay('verdict-same', { effect: '20 %' }) } }])
})

test('measuring apart is the first thing that limits trust', () =>
  expect(compareResults(base, slower).limits[0]).toSay('comparison-limit-apart'))

test('a client that was the bottleneck limits it too', () => {
  const warnings = [{ code: 'client-limited' as const, message: 'The client was the bottleneck.', advice: '' }]
  const limited = withPhase(base, phaseWith(1000, { warnings }))
  expect(compareResults(base, limited).limits).toHaveLine('comparison-limit-client')
})

const verdictOf = (a: Result, b: Result) =>
  compareResults(a, b).figures.find(({ measure }) => measure === 'opsPerSecond')?.verdict

function withPhase(result: Result, phase: Result['variants'][number]['phases'][number]): Result {
  return { ...result, variants: result.variants.map((variant) => Object.assign({}, variant, { phases: [phase] })) }
}
