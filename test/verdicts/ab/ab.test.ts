import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeDump } from '../../../bench/dumps.ts'
import { Problem } from '../../../src/core/errors.ts'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { readResult } from '../../../src/results/files/results-file.ts'
import { type Result } from '../../../src/results/schema.ts'
import { chooseSideOrder } from '../../../src/verdicts/ab/alternate.ts'
import { type SideRun } from '../../../src/verdicts/ab/run-side.ts'
import { fakeVariant } from '../../fakes/fake-result.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'
import { compareSides, isB, runAt, sidesAt, spec } from './fake-sides.ts'

describe('a fixed number of rounds', () => {
  test('runs both sides in each, in the order of the seed', async () => {
    await using done = await compareSides(sidesAt({ a: 1000, b: 900 }))
    const orders = Array.from({ length: 10 }, (_, index) => chooseSideOrder(7, index + 1))
    expect(done.ran).toEqual(orders.flat())
    expect(done.outcome).toMatchObject({
      ended: 'rounds',
      comparison: { rounds: ['paired'], figures: [{ verdict: { kind: 'lower', effect: 'worse' } }] },
    })
  })

  test('is stored so that its comparison can be made again', async () => {
    await using done = await compareSides(sidesAt({ a: 1000, b: 900 }), { rounds: 6, seed: 1 })
    const [a, b] = [await done.stored('a'), await done.stored('b')]
    expect(a).toMatchObject({ status: 'done', spec: { repeat: { times: 6, startUpRuns: 0 } } })
    expect(a.variants.map(({ run }) => run)).toEqual([1, 2, 3, 4, 5, 6])
    expect(a.pairing).toEqual({
      id: b.pairing?.id,
      side: 'a',
      settings: [],
      first: [1, 2, 3, 4, 5, 6].map((round) => chooseSideOrder(1, round)[0]),
      rounds: 'fixed',
    })
    expect(b.pairing).toMatchObject({ side: 'b', settings: ['workers=8'] })
    expect(compareResults(a, b, { measures: ['opsPerSecond'] }).figures).toEqual(done.outcome?.comparison?.figures)
  })

  test('reports each round, and how long the others take', async () => {
    await using done = await compareSides(sidesAt({ a: 1000, b: 900 }), { rounds: 3 })
    expect(done.events).toEqual(
      [40, 20, 0].map((secondsLeft, index) => ({
        kind: 'round',
        round: index + 1,
        of: 3,
        secondsLeft,
        order: chooseSideOrder(7, index + 1),
      })),
    )
  })

  test('leaves out start-up runs, which each process makes anew', async () => {
    await using done = await compareSides(
      async (run) => {
        expect(run.repeat).toBe(2)
        const result = runAt(1000)
        const startUp = { ...result.variants[0], run: 1, startUp: true }
        return { ...result, variants: [fakeVariant(startUp), fakeVariant({ ...startUp, run: 2, startUp: false })] }
      },
      {
        rounds: 2,
        a: { spec: { ...spec, repeat: { times: 3, startUpRuns: 1 } } },
        b: { spec: { ...spec, repeat: { times: 2, startUpRuns: 1 } } },
      },
    )
    expect((await done.stored('a')).variants.map(({ run, startUp }) => [run, startUp])).toEqual([
      [1, false],
      [2, false],
    ])
  })
})

test('a comparison says once that indexes of a dump expire nothing', async () => {
  const folder = outFolder('dump')
  const metadata = { options: {}, indexes: [{ key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 }] }
  await writeDump(folder, [{ db: 'shop', collection: 'docs', documents: [{ _id: 1 }], metadata }])
  const ofDump = { ...spec, data: { collection: 'docs', file: folder } }
  const remarks: string[] = []
  await using done = await compareSides(sidesAt({ a: 1000, b: 900 }), {
    rounds: 1,
    a: { spec: ofDump },
    b: { spec: ofDump, set: { workers: 8 } },
    onRemark: (remark) => remarks.push(remark),
  })
  expect(done.ran).toHaveLength(2)
  expect(remarks).toEqual([expect.stringContaining('"at_1" of docs expires nothing here')])
})

describe('until it is clear', () => {
  const untilClear = { budgetSeconds: 600 }

  test('large effects take few rounds, by a test that holds at all looks', async () => {
    await using done = await compareSides(sidesAt({ a: 1000, b: 500 }), { untilClear })
    expect(done.outcome).toMatchObject({ ended: 'clear', comparison: { rounds: ['sequential'] } })
    const rounds = done.outcome?.a?.variants.length ?? 0
    expect(rounds).toBeGreaterThanOrEqual(6)
    expect(rounds).toBeLessThan(12)
    expect(done.outcome?.a?.pairing?.rounds).toBe('until clear')
  })

  test('no round is begun that the budget does not hold', async () => {
    await using done = await compareSides(sidesAt({ a: 1000, b: 1030 }, 0.2), { untilClear: { budgetSeconds: 230 } })
    const comparison = { figures: [{ verdict: { kind: 'cannot tell' } }] }
    expect(done.outcome).toMatchObject({ ended: 'budget', comparison })
    expect(done.ran).toHaveLength(22)
    expect(done.events.map(({ secondsLeft }) => secondsLeft).slice(0, 2)).toEqual([210, 190])
  })

  test('a budget for fewer than six rounds gives no verdict', async () => {
    await using done = await compareSides(sidesAt({ a: 1000, b: 500 }), { untilClear: { budgetSeconds: 70 } })
    const comparison = { figures: [{ verdict: { kind: 'no verdict', moreRounds: 3 } }] }
    expect(done.outcome).toMatchObject({ ended: 'budget', comparison })
  })

  test('is not a fixed number too', async () => {
    await using done = await compareSides(sidesAt({ a: 1, b: 1 }), { untilClear, rounds: 6 })
    expect(done.error).toMatchObject({ code: 'usage' })
    expect(done.ran).toEqual([])
  })
})

describe('an abort', () => {
  test('keeps the rounds that are done, and what the running side has', async () => {
    const stop = new AbortController()
    let calls = 0
    await using done = await compareSides(
      async () => {
        calls += 1
        if (calls === 5) stop.abort()
        return runAt(1000 + calls)
      },
      { signal: stop.signal },
    )
    const comparison = { figures: [{ verdict: { kind: 'no verdict', moreRounds: 4 } }] }
    expect(done.outcome).toMatchObject({ ended: 'aborted', comparison })
    expect(await done.stored('a')).toMatchObject({ status: 'aborted' })
  })

  test('in the first round leaves nothing to compare', async () => {
    const stop = new AbortController()
    await using done = await compareSides(
      async () => {
        stop.abort()
        return runAt(1000)
      },
      { signal: stop.signal },
    )
    expect(done.ran).toHaveLength(1)
    expect(done.outcome).toMatchObject({ ended: 'aborted', comparison: null })
  })
})

/** Ends in this round, on the side that runs second. */
const failing = (round: number) => {
  let calls = 0
  return async () => {
    calls += 1
    if (calls === 2 * round) throw new Problem('no-server', 'there is no mongod', { hint: 'Install one.' })
    return runAt(1000)
  }
}

const lastIn = (round: number): string => chooseSideOrder(7, round)[1].toUpperCase()

describe('a side that cannot run', () => {
  test('ends it with its reason and its place', async () => {
    await using done = await compareSides(failing(1))
    expect(done.error).toSay('ab-side-failed-first', { side: lastIn(1), round: 1 })
  })

  test.each([
    ['Find out what ended it. --resume keeps the finished rows.', 'ab-side-failed-hint-cut'],
    ['Finished rows are in the result; --resume runs the others.', 'ab-side-failed-hint-replaced'],
  ])('is explained without an option that only `run` has: %s', async (hint, code) => {
    await using done = await compareSides(async () => {
      throw new Problem('no-server', 'the server ended', { hint })
    })
    expect(done.error).toSay(code)
  })

  test('leaves the rounds before it', async () => {
    await using done = await compareSides(failing(3))
    expect(done.error).toSay('ab-side-failed-later', { side: lastIn(3), round: 3 })
    const [a, b] = [await done.stored('a'), await done.stored('b')]
    expect([a.status, b.status]).toEqual(['failed', 'failed'])
    expect(compareResults(a, b, { measures: ['opsPerSecond'] }).figures[0]?.a).toHaveLength(2)
  })
})

const outFolder = useFreshFolder()

test('an earlier comparison stays until both sides have measured, and is kept then', async () => {
  const out = outFolder()
  const kept: string[] = []
  const onPrevious = (place: string): number => kept.push(place)
  const store = (side: string): Promise<Result> => readResult(path.join(out, side, 'result.json'))
  await using first = await compareSides(sidesAt({ a: 1000, b: 900 }), { out, rounds: 6 })
  const earlier = [await store('a'), await store('b')]
  await using second = await compareSides(failing(1), { out, rounds: 6, onPrevious })
  expect([second.error, kept]).toEqual([expect.any(Problem), []])
  expect([await store('a'), await store('b')]).toEqual(earlier)
  await using third = await compareSides(failing(2), { out, rounds: 6, onPrevious })
  expect(third.error).toBeInstanceOf(Problem)
  expect(await Promise.all(kept.map(readResult))).toEqual(earlier)
  const [a, b] = [await store('a'), await store('b')]
  expect([a.pairing?.id, a.status, b.status]).toEqual([b.pairing?.id, 'failed', 'failed'])
  expect(a.pairing?.id).not.toBe(first.outcome?.a?.pairing?.id)
})

/** Sides whose drivers differ. */
const withDrivers = async (run: SideRun): Promise<Result> => {
  const result = runAt(1000)
  const { environment } = result
  const driver = { ...environment.driver, version: isB(run) ? '7.4.0' : '7.8.0' }
  return { ...result, environment: { ...environment, driver } }
}
const versions = { ofA: '7.8.0', ofB: '7.4.0' }

describe('differences', () => {
  test('that no setting explains are refused after the first round', async () => {
    await using done = await compareSides(withDrivers)
    expect(done.error).toSay('ab-other-driver', versions)
    expect(done.ran).toHaveLength(2)
  })

  test('that are named are allowed', async () => {
    await using done = await compareSides(withDrivers, { rounds: 1, differences: ['driver'] })
    expect(done.outcome?.comparison?.limits).toHaveLine('ab-driver-differs', versions)
  })

  test('of parameters are those of the spec', async () => {
    await using done = await compareSides(
      async (run) => {
        const result = runAt(1000)
        return isB(run) ? { ...result, spec: { ...result.spec, hash: 'b'.repeat(64) } } : result
      },
      { rounds: 1 },
    )
    expect(done.outcome?.comparison).toMatchObject({
      differences: [{ name: 'spec' }],
      settings: { a: [], b: ['workers=8'] },
    })
  })
})

test.each([
  ['that nothing differs', { b: {} }, 'ab-nothing-differs'],
  ['an unknown parameter', { b: { set: { wrokers: 8 } } }, 'ab-unknown-parameter'],
  ['a driver that is not there', { b: { driver: '/nowhere/mongodb' } }, 'ab-driver-not-there'],
  ['a variable that is not set', { b: { uriFrom: 'MONGO_PERF_URI_NEW' } }, 'ab-variable-not-set'],
  ['a side whose URI is none', { b: { uri: 'mongodb:/s3cret' } }, 'ab-uri-none'],
  ['a side whose password is not encoded', { b: { uri: 'mongodb://a:s3cret@x@host/' } }, 'ab-uri-not-encoded'],
  ['a URI that no one reads', { uris: { MONGO_PERF_URI_OLD: 'mongodb://localhost' } }, 'ab-uri-not-read'],
])('refused before anything runs is %s', async (_, options, code) => {
  await using done = await compareSides(sidesAt({ a: 1, b: 1 }), options)
  expect(done.error).toBeInstanceOf(Problem)
  expect(done.error).toSay(code)
  expect(done.ran).toEqual([])
})

const uri = 'mongodb://root:s3cret@localhost:27099/'

test.each([
  ['its variable', { b: { uriFrom: 'MONGO_PERF_URI_NEW' }, env: { MONGO_PERF_URI_NEW: uri } }, 'MONGO_PERF_URI_NEW'],
  ['the host and port that were typed', { b: { uri } }, 'localhost:27099'],
])('results name the server of one side by %s, and have no password', async (_, given, name) => {
  await using done = await compareSides(
    async (run) => {
      expect(run.uri).toBe(run.overrides.existing === true ? uri : undefined)
      expect(run.givenAs).toEqual(run.uri === undefined ? {} : { MONGO_PERF_URI: name })
      return runAt(1000)
    },
    { rounds: 1, ...given },
  )
  expect(JSON.stringify(done.outcome)).not.toContain('s3cret')
  expect(done.outcome?.b?.pairing?.settings).toEqual([`uri:${name}`])
})

test('two specs are two sides, each by its name', async () => {
  await using done = await compareSides(sidesAt({ a: 1000, b: 1000 }), {
    rounds: 1,
    a: { spec },
    b: { spec: { ...spec, name: 'others' } },
  })
  expect(done.outcome?.comparison?.settings).toEqual({ a: ['spec:reads'], b: ['spec:others'] })
})
