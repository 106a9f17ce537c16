import { describe, expect, test } from 'vitest'
import { type PhaseResult, type VariantResult } from '../../src/results/schema.ts'
import { findSlowRuns, withRun } from '../../src/run/turns/slow-runs.ts'
import { fakeMember, fakeOperation, fakePhase, fakeVariant } from '../fakes/fake-result.ts'

type PhaseFigures = {
  /** In µs per operation. */
  readonly client?: number
  readonly server?: number | null
  readonly kernel?: number
  readonly seconds?: number
  readonly operations?: number
}

/** A phase in which client and server needed so much CPU time for each operation. */
function phase(
  { client = 60, server = 90, kernel = 100, seconds = 10, operations = 10_000 }: PhaseFigures,
  given: Partial<PhaseResult> = {},
): PhaseResult {
  const totals: Record<string, number> = server === null ? {} : { processCpuUs: server * operations }
  const { client: health } = fakePhase()
  return fakePhase({
    wallSeconds: seconds,
    operations: [fakeOperation({ ok: operations })],
    client: { ...health, cpuPercent: (client * operations) / (seconds * 10_000) },
    members: [fakeMember({ totals })],
    machineSpeed: { before: kernel, after: kernel },
    ...given,
  })
}

const rowOf = (...runs: readonly PhaseFigures[]): readonly VariantResult[] =>
  runs.map((figures, i) => fakeVariant({ run: i + 1, phases: [phase(figures)] }))

const slowIn = (runs: readonly VariantResult[]): readonly (readonly [run: number, because: string])[] =>
  findSlowRuns(runs).map(({ variant, because }) => [variant.run, because])

describe('a run is slow', () => {
  test('where client and server both needed more than 10 % more CPU time than in the median run', () => {
    const because = expect.toSay('slow-run', { client: 25, server: 13 })
    expect(slowIn(rowOf({ client: 75, server: 102 }, {}, { client: 65, server: 98 }, {}, {}))).toEqual([[1, because]])
  })

  test('over all phases, each with its share of the operations', () => {
    const runs = [60, 300].map((client, i) => {
      const rare = phase({ client, server: 200, operations: 1000 }, { name: 'rare' })
      return fakeVariant({ run: i + 1, phases: [phase({ operations: 100_000 }), rare] })
    })
    expect(slowIn(runs)).toEqual([])
  })

  test('slowest first', () => {
    const runs = rowOf({ client: 72, server: 108 }, {}, { client: 90, server: 135 }, {}, {})
    expect(slowIn(runs).map(([run]) => run)).toEqual([3, 1])
  })
})

describe('no run is slow', () => {
  test('where the server alone needed more, as with a checkpoint, or the client alone', () => {
    expect(slowIn(rowOf({ server: 300 }, {}, { client: 300 }))).toEqual([])
  })

  test('where the kernel alone was slow', () => {
    expect(slowIn(rowOf({ kernel: 50 }, {}, {}))).toEqual([])
  })

  test('where there is only one, and nothing to compare it with', () => {
    expect(slowIn(rowOf({ client: 300, server: 300 }))).toEqual([])
  })

  test('in a row with errors, faults, unfinished or short runs', () => {
    const others: readonly Partial<VariantResult>[] = [
      { phases: [phase({}, { operations: [fakeOperation({ failed: 1 })] })] },
      { phases: [phase({}, { operations: [fakeOperation({ unknown: 1 })] })] },
      { phases: [phase({ seconds: 4.9 })] },
      { status: 'aborted', phases: [phase({})] },
    ]
    for (const other of others)
      expect(slowIn([...rowOf({ client: 300, server: 300 }, {}, {}), fakeVariant(other)])).toEqual([])
  })

  test('by CPU time where nothing is known of it', () => {
    expect(slowIn(rowOf({ operations: 0 }, { operations: 0 }))).toEqual([])
  })
})

test('without the CPU time of the server, as of a cluster or after a restart, that of the client decides', () => {
  const slow = [[2, expect.toSay('slow-run-by-client', { client: 25 })]]
  expect(slowIn(rowOf({ server: null }, { client: 75, server: null }, {}))).toEqual(slow)
  expect(slowIn(rowOf({ server: null }, { client: 75, server: 10 }, {}))).toEqual(slow)
})

describe('a run that is made again', () => {
  const because = '12 % slower'
  const withAgain = (figures: PhaseFigures, given: Partial<VariantResult> = {}) => {
    const again = fakeVariant({ run: 2, attempt: 2, phases: [phase(figures)], ...given })
    const variants = withRun(rowOf({}, { client: 80, server: 120 }, {}, {}), again, because).filter(
      ({ run }) => run < 3,
    )
    return variants.map(({ run, attempt, excludedBecause }) => [run, attempt, excludedBecause])
  }

  test('takes the place of the slow one, which stays with its reason', () => {
    expect(withAgain({})).toEqual([
      [1, 1, null],
      [2, 1, because],
      [2, 2, null],
    ])
  })

  test('counts also where the machine is still slow, but less so', () => {
    expect(withAgain({ client: 75, server: 110 })[1]).toEqual([2, 1, because])
  })

  test('does not count where the machine is as slow as before', () => {
    const noFaster = expect.toSay('slow-run-no-faster', { percent: 33 })
    expect(withAgain({ client: 80, server: 120 })).toEqual([
      [1, 1, null],
      [2, 1, null],
      [2, 2, noFaster],
    ])
  })

  test('does not count where it was interrupted, or had errors', () => {
    expect(withAgain({}, { status: 'aborted' })[2]).toEqual([2, 2, expect.toSay('slow-run-unfinished')])
    const failed = { phases: [phase({}, { operations: [fakeOperation({ failed: 1 })] })] }
    expect(withAgain({}, failed)[2]).toEqual([2, 2, expect.toSay('slow-run-not-comparable')])
  })

  test('takes the place of the one that counts, and of no other row', () => {
    const other = fakeVariant({ row: 1, run: 2 })
    const twice = [...rowOf({}), fakeVariant({ run: 2, excludedBecause: 'slow' }), fakeVariant({ run: 2, attempt: 2 })]
    const third = fakeVariant({ run: 2, attempt: 3, phases: [phase({})] })
    const reasons = withRun([other, ...twice], third, because).map(({ excludedBecause }) => excludedBecause)
    expect(reasons).toEqual([null, null, 'slow', because, null])
  })
})

test('the first run of a round is added as it is, however slow it is', () => {
  const [slow] = rowOf({ client: 300, server: 300 })
  expect(slow && withRun(rowOf({}), slow, null)).toEqual([...rowOf({}), slow])
})
