import { expect, test } from 'vitest'
import { parseAddress } from '../../../src/metrics/address.ts'
import { measuredCell, listRows } from '../../../src/metrics/rows/rows.ts'
import { findSibling } from '../../../src/metrics/rows/siblings.ts'
import { describeShape } from '../../../src/metrics/scope.ts'
import { thresholdVerdicts } from '../../../src/metrics/thresholds.ts'
import { judge } from '../../../src/metrics/trust/judge.ts'
import { collectTrustNotes } from '../../../src/metrics/trust/notes.ts'
import { mergedText } from '../../../src/report/prose/merged-message.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const around = (before: number, after = before): PhaseResult['machineSpeed'] => ({ before, after })

/** A run with one phase for each speed. */
const run = (row: number, round: number, ...speeds: readonly PhaseResult['machineSpeed'][]) =>
  fakeVariant({
    row,
    run: round,
    phases: speeds.map((machineSpeed, i) => fakePhase({ name: `phase ${i}`, machineSpeed })),
  })

const resultOf = (...variants: readonly ReturnType<typeof run>[]) => fakeResult({ variants: [...variants] })

const notesIn = (result: ReturnType<typeof resultOf>, phases: ReadonlySet<string> | null = null) =>
  listRows(result, 'variants').map((row) =>
    collectTrustNotes(row, phases).filter(({ kind }) => kind === 'slow-machine'),
  )

function cellsOf(result: ReturnType<typeof resultOf>, kind: Parameters<typeof listRows>[1] = 'runs') {
  const address = parseAddress('phase 0.machineSpeedPercent', describeShape(result))
  return listRows(result, kind).map((row) => measuredCell(row, address))
}

const slowAtTimes = resultOf(
  run(0, 1, around(80)),
  run(0, 2, around(90, 70)),
  run(0, 3, around(125)),
  run(1, 1, around(100)),
  run(1, 2, around(100)),
)

test('100 % is the median run of all rows, by the mean of before and after', () =>
  expect(cellsOf(slowAtTimes)).toEqual([80, 80, 125, 100, 100]))

test('a row shows the median of its runs', () => expect(cellsOf(slowAtTimes, 'variants')).toEqual([80, 100]))

test('other phases and start-up runs are among those whose median it is', () => {
  expect(cellsOf(resultOf(run(0, 1, around(50), around(100), around(100))))).toEqual([50])
  const startUp = { ...run(0, 1, around(100)), startUp: true }
  expect(cellsOf(resultOf(startUp, run(0, 2, around(60))), 'variants')).toEqual([75])
})

test('an older result has no speed, and no warning', () => {
  const older = resultOf(run(0, 1, null), run(0, 2, null))
  expect(cellsOf(older)).toEqual([null, null])
  expect(notesIn(older)).toEqual([[]])
})

test('runs more than 10 % below the median are warned about, each with how slow it was', () => {
  const [slow = [], other] = notesIn(
    resultOf(run(0, 1, around(80)), run(0, 2, around(70)), ...[1, 2, 3].map((round) => run(1, round, around(100)))),
  )
  expect(slow.map((note) => note.run)).toEqual(['0/1', '0/2'])
  expect(mergedText(slow)).toSay('note-slow-machine', { from: 20, to: 30 })
  expect(other).toEqual([])
})

test('it is a remark: what it does to a row shows in the interval over its runs', () =>
  expect(listRows(slowAtTimes, 'variants').map((row) => judge(row).trust.level)).toEqual(['comparable', 'comparable']))

test('only phases that the table shows are warned about', () => {
  const result = resultOf(run(0, 1, around(100), around(80)))
  expect(notesIn(result, new Set(['phase 0']))).toEqual([[]])
  expect(notesIn(result, new Set(['phase 1']))[0]).toHaveLength(1)
})

const inLayout = (layout: string, row: number) =>
  [1, 2, 3].map((round) => Object.assign(run(row, round, around(100)), { parameters: { layout: { value: layout } } }))

test('a ratio to another row compares runs of one round', () => {
  const rows = listRows(fakeResult({ variants: [...inLayout('one', 0), ...inLayout('other', 1)] }), 'runs')
  const siblings = rows.slice(0, 3).map((row) => findSibling(row, { layout: 'other' }, rows, ['layout'])?.variant.run)
  expect(siblings).toEqual([1, 2, 3])
})

test('a threshold may ask for it', () => {
  const verdicts = thresholdVerdicts(slowAtTimes, ['machineSpeedPercent >= 80', 'machineSpeedPercent >= 85'])
  expect(verdicts.map(({ verdict, measured }) => [verdict, measured])).toEqual([
    ['held', 80],
    ['missed', 80],
  ])
})
