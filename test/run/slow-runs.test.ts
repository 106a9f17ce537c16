import { describe, expect, test } from 'vitest'
import { type PhaseResult, type VariantResult } from '../../src/results/schema.ts'
import { slowRunsOf, withRun } from '../../src/run/slow-runs.ts'
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

const slowIn = (runs: readonly VariantResult[], fastest = 100): readonly string[] =>
  slowRunsOf(runs, fastest).map(({ variant, because }) => `${variant.run}: ${because}`)

describe('a run is slow', () => {
  test('where the kernel ran more than 10 % slower than in the fastest run of the result', () => {
    expect(slowIn(rowOf({ kernel: 91 }, { kernel: 88 }))).toEqual([
      '2: 12 % slower than the fastest run of the result, by a fixed kernel',
    ])
    expect(slowIn(rowOf({ kernel: 100 }, { kernel: 100 }), 125)).toHaveLength(2)
  })

  test('where one of its phases was', () => {
    const twoPhases = fakeVariant({ run: 2, phases: [phase({}), phase({ kernel: 80 }, { name: 'other' })] })
    expect(slowIn([...rowOf({}), twoPhases])).toEqual([expect.stringMatching(/^2: 20 % slower/)])
  })

  test('where client and server both needed more than 10 % more CPU time than in the run that needed least', () => {
    expect(slowIn(rowOf({ client: 75, server: 102 }, {}, { client: 65, server: 98 }))).toEqual([
      '1: 25 % more CPU time of the client and 13 % of the server for each operation than in the fastest run of the row',
    ])
  })

  test('over all phases, each with its share of the operations', () => {
    const runs = [60, 300].map((client, i) => {
      const rare = phase({ client, server: 200, operations: 1000 }, { name: 'rare' })
      return fakeVariant({ run: i + 1, phases: [phase({ operations: 100_000 }), rare] })
    })
    expect(slowIn(runs)).toEqual([])
  })

  test('slowest first, whichever sign shows it', () => {
    const runs = rowOf({ client: 72, server: 108 }, {}, { kernel: 70 }, { kernel: 85, client: 90, server: 135 })
    expect(slowIn(runs).map((text) => text.slice(0, 1))).toEqual(['4', '3', '1'])
    expect(slowIn(runs)[0]).toMatch(/^4: 15 % slower .*; 50 % more CPU time/)
  })
})

describe('no run is slow', () => {
  test('where the server alone needed more, as with a checkpoint, or the client alone', () => {
    expect(slowIn(rowOf({ server: 300 }, {}, { client: 300 }))).toEqual([])
  })

  test('where there is only one, and nothing to compare it with', () => {
    expect(slowIn(rowOf({ kernel: 50 }))).toEqual([])
  })

  test('in a row with errors, faults, unfinished or short runs', () => {
    const others: readonly Partial<VariantResult>[] = [
      { phases: [phase({}, { operations: [fakeOperation({ failed: 1 })] })] },
      { phases: [phase({}, { operations: [fakeOperation({ unknown: 1 })] })] },
      { phases: [phase({ seconds: 4.9 })] },
      { status: 'aborted', phases: [phase({})] },
    ]
    for (const other of others) expect(slowIn([...rowOf({ kernel: 50 }, {}), fakeVariant(other)])).toEqual([])
  })

  test('by CPU time where nothing is known of it', () => {
    expect(slowIn(rowOf({ operations: 0 }, { operations: 0 }))).toEqual([])
  })
})

test('without the CPU time of the server, as of a cluster or after a restart, that of the client decides', () => {
  const slow = ['2: 25 % more CPU time of the client for each operation than in the fastest run of the row']
  expect(slowIn(rowOf({ server: null }, { client: 75, server: null }))).toEqual(slow)
  expect(slowIn(rowOf({ server: null }, { client: 75, server: 10 }))).toEqual(slow)
})

describe('a run that is made again', () => {
  const because = '12 % slower'
  const withAgain = (figures: PhaseFigures, given: Partial<VariantResult> = {}) => {
    const again = fakeVariant({ run: 2, attempt: 2, phases: [phase(figures)], ...given })
    const variants = withRun(rowOf({}, { kernel: 80, client: 70, server: 100 }), again, because)
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
    expect(withAgain({ kernel: 85 })[1]).toEqual([2, 1, because])
  })

  test('does not count where the machine is as slow as before', () => {
    expect(withAgain({ kernel: 75, client: 70, server: 100 })).toEqual([
      [1, 1, null],
      [2, 1, null],
      [
        2,
        2,
        'no faster than the run before it: 25 % slower than the fastest run of the result, by a fixed kernel; 17 % more CPU time of the client and 11 % of the server for each operation than in the fastest run of the row',
      ],
    ])
  })

  test('does not count where it was interrupted, or had errors', () => {
    expect(withAgain({}, { status: 'aborted' })[2]).toEqual([2, 2, 'it did not finish'])
    const failed = { phases: [phase({}, { operations: [fakeOperation({ failed: 1 })] })] }
    expect(withAgain({}, failed)[2]).toEqual([2, 2, 'it had errors or faults, or was too short'])
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
  const [slow] = rowOf({ kernel: 10 })
  expect(slow && withRun(rowOf({}), slow, null)).toEqual([...rowOf({}), slow])
})
