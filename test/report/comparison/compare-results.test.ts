import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { type ResultComparison } from '../../../src/report/comparison/comparison.ts'
import { type Result } from '../../../src/results/schema.ts'
import { around, exampleAfter, exampleBefore, latencyOf, phaseWith, resultWith } from '../../fakes/compared-results.ts'
import { fakeOpenLoop } from '../../fakes/fake-phase-result.ts'
import { fakeMember, fakeOperation, fakeVariant } from '../../fakes/fake-result.ts'

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
    expect(comparison.leftOut).toEqual([
      {
        spec: 'example',
        row: '',
        title: 'read: Server CPU (µs/op)',
        kind: 'measured on one side',
        reason: 'not measured in B',
      },
    ])
  })

  test('response times of an open loop, which contain the wait of an operation', () => {
    const openLoop = fakeOpenLoop({ response: latencyOf(3, 5000) })
    const open = withPhase(base, phaseWith(1000, { load: 'open', openLoop }))
    const { figures } = compareResults(open, open)
    expect(figures.find(({ title }) => title === 'read: Response p99 (ms)')).toMatchObject({ figureA: 9 })
  })

  test('what a search for the best number of workers found', () => {
    const found = latencyOf(2, 5000)
    const step = { workers: 4, seconds: 5, ok: 5000, errors: 0, opsPerSecond: 1000, latency: found }
    const peak = { steps: [step], workers: 4, opsPerSecond: 1000 }
    const search = withPhase(base, phaseWith(1000, { load: 'findPeak', peak }))
    expect(measuresOf(compareResults(search, search)).toSorted()).toEqual([
      'peakOpsPerSecond',
      'peakP99Ms',
      'serverCpuUsPerOperation',
    ])
  })

  test('not what one side lacks, which is reported', () => {
    const other = withPhase(base, phaseWith(1000, { operations: [fakeOperation({ ok: 4000, name: 'findMany' })] }))
    const { leftOut, limits } = compareResults(base, other)
    expect(leftOut.map(({ title, reason }) => `${title}: ${reason}`)).toEqual([
      'read findOne: p99 (ms): not measured in B',
      'read findMany: p99 (ms): not measured in A',
    ])
    expect(limits).toContain('Not compared: read findOne: p99 (ms): not measured in B.')
  })

  test('the named measures, in the direction that is theirs', () => {
    const { figures } = compareResults(base, slower, { measures: ['read.p50Ms', 'findOne.opsPerSecond'] })
    expect(figures.map(({ measure, verdict }) => [measure, verdict])).toMatchObject([
      ['read.p50Ms', { kind: 'higher', effect: 'worse' }],
      ['findOne.opsPerSecond', { kind: 'lower', effect: 'worse' }],
    ])
  })

  test.each([
    ['p99', 'there is no metric "p99"', 'p99Ms'],
    ['raed.p99Ms', 'no measured phase or operation is called "raed"', 'read.p99Ms'],
    ['cpuPercent', 'neither higher nor lower values of "cpuPercent" are better', 'opsPerSecond'],
  ])('%s not', (measure, reason, hint) => {
    expect(problemOf(() => compareResults(base, slower, { measures: [measure] }))).toMatchObject({
      code: 'usage',
      message: expect.stringContaining(reason),
      hint: expect.stringContaining(hint),
    })
  })
})

/** Eight runs of so many operations each. */
const few = (perRun: number): Result => withPhase(base, phaseWith(perRun / 4))

describe('a percentile needs samples', () => {
  test('a thousand for p99', () => {
    expect(measuresOf(compareResults(few(1000), few(1000)))).toContain('p99Ms')
  })

  test('else the median is compared', () => {
    const measures = measuresOf(compareResults(few(2000), few(999)))
    expect(measures).toContain('p50Ms')
    expect(measures).not.toContain('p99Ms')
  })

  test('and below twenty nothing, which is reported', () => {
    const { leftOut, limits } = compareResults(few(19), few(19))
    expect(leftOut).toMatchObject([
      { title: 'read: p50 (ms)', reason: '20 samples a run are needed, and a run has 19' },
    ])
    expect(limits).toContain('Not compared: read: p50 (ms): 20 samples a run are needed, and a run has 19.')
  })
})

const rowOf = (label: string, workers: number, speed: number, row: number) =>
  around(speed).map((one, run) =>
    fakeVariant({ row, run: run + 1, label, parameters: { workers: { value: workers } }, phases: [phaseWith(one)] }),
  )

describe('rows', () => {
  const spec = { varied: ['workers'] }

  test('are matched by their labels and parameters, in any order', () => {
    const a = resultWith({}, { spec, variants: [...rowOf('few', 1, 100, 0), ...rowOf('many', 8, 500, 1)] })
    const b = resultWith({}, { spec, variants: [...rowOf('many', 8, 500, 0), ...rowOf('few', 1, 100, 1)] })
    expect(compareResults(a, b).figures.map(({ verdict }) => verdict.kind)).toEqual(
      Array.from({ length: 6 }, () => 'same'),
    )
  })

  test('of one side are named', () => {
    const a = resultWith({}, { spec, variants: [...rowOf('few', 1, 100, 0), ...rowOf('many', 8, 500, 1)] })
    const b = resultWith({}, { spec, variants: [...rowOf('few', 1, 100, 0), ...rowOf('all', 9, 500, 1)] })
    const { limits } = compareResults(a, b)
    expect(limits).toEqual(expect.arrayContaining(['Only A has the rows "many".', 'Only B has the rows "all".']))
  })

  test('without a common one are a mistake', () => {
    expect(problemOf(() => compareResults(base, resultWith({ other: around(1) }))).message).toBe(
      'There is nothing to compare',
    )
  })

  test('take part with their finished runs only', () => {
    const runs = base.variants.map((variant, index) => ({
      ...variant,
      status: index > 5 ? ('aborted' as const) : ('done' as const),
      startUp: index === 0,
    }))
    const [figure] = compareResults({ ...base, variants: runs }, base).figures
    expect([figure?.a.length, figure?.verdict]).toEqual([
      5,
      expect.objectContaining({ kind: 'no verdict', moreRounds: 1 }),
    ])
  })
})

const named = (name: string): Result => resultWith({ '': around(100) }, { spec: { name } })
const noisy = (name: string, speed: number): Result => resultWith({ '': around(speed, 0.06) }, { spec: { name } })
const kindIn = ({ figures }: ResultComparison, name: string) => figures.find(({ spec }) => spec === name)?.verdict.kind

describe('specs', () => {
  test('are matched by their names', () => {
    const { figures, limits } = compareResults([named('one'), named('two')], [named('two'), named('three')])
    expect(new Set(figures.map(({ spec }) => spec))).toEqual(new Set(['two']))
    expect(limits).toEqual(expect.arrayContaining(['Only A has the specs "one".', 'Only B has the specs "three".']))
  })

  test('are a mistake where none is on both sides, or one is there twice', () => {
    expect(problemOf(() => compareResults([named('one'), named('two')], [named('three')]))).toMatchObject({
      message: 'A and B have no result of the same spec',
      hint: 'A has "one", "two"; B has "three".',
    })
    expect(problemOf(() => compareResults([named('one'), named('one')], [named('one')])).message).toBe(
      'A has two results of the spec "one"',
    )
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
      verdict: { kind: 'no ratio', text: 'no verdict: there is no ratio to 0' },
    })
  })

  test('but a side that has nothing else is worse, or the other is', () => {
    const text = '0 in all runs of B alone, which is worse'
    expect(verdictOf(base, failing)).toEqual({ kind: 'only zeros', effect: 'worse', text })
    expect(verdictOf(failing, base)).toMatchObject({ kind: 'only zeros', effect: 'better' })
    const { limits } = compareResults(base, failing)
    expect(limits).toContain('Operations failed: 0 in A, 320 in B. They count neither as throughput nor in latencies.')
  })

  test('except where both sides have nothing but 0', () => {
    const [figure] = compareResults(base, base, { measures: ['errors'] }).figures
    expect(figure).toMatchObject({ figureA: 0, ratio: null, verdict: { kind: 'both 0' } })
  })
})

test('fewer than six runs have a ratio of medians, and no interval and no verdict', () => {
  const [a, b] = [resultWith({ '': [100, 110, 120] }), resultWith({ '': [50, 55, 60] })]
  const { figures, limits } = compareResults(a, b, { measures: ['opsPerSecond'] })
  expect(figures).toMatchObject([{ ratio: 0.5, interval: null, verdict: { kind: 'no verdict', moreRounds: 3 } }])
  expect(limits).toContain(
    '1 of 1 figures have no verdict: it takes 6 runs of a row on each side (--repeat 6), so at least 3 more of some.',
  )
})

test('the smallest effect decides what is the same', () => {
  const { figures } = compareResults(base, slower, { measures: ['opsPerSecond'], smallestEffect: 0.2 })
  expect(figures).toMatchObject([{ verdict: { kind: 'same', text: 'the same within 20 %' } }])
})

test('measuring apart is the first thing that limits trust', () => {
  expect(compareResults(base, slower).limits[0]).toMatch(
    /^A was measured at 2026-11-20 10:00 UTC and B at .* the time of day may explain a difference\./,
  )
})

test('a client that was the bottleneck limits it too', () => {
  const warnings = [{ code: 'client-limited' as const, message: 'The client was the bottleneck.', advice: '' }]
  const limited = withPhase(base, phaseWith(1000, { warnings }))
  expect(compareResults(base, limited).limits).toContainEqual(
    expect.stringMatching(/^The client was the bottleneck in 8 of 16 /),
  )
})

const verdictOf = (a: Result, b: Result) =>
  compareResults(a, b).figures.find(({ measure }) => measure === 'opsPerSecond')?.verdict

function withPhase(result: Result, phase: Result['variants'][number]['phases'][number]): Result {
  return { ...result, variants: result.variants.map((variant) => Object.assign({}, variant, { phases: [phase] })) }
}

function problemOf(act: () => unknown): Problem {
  try {
    act()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('There was no problem')
}
