import { expect, test } from 'vitest'
import { formatWays } from '../../bench/ab/duet.ts'
import { type Planted } from '../../bench/ab/planted-case.ts'
import { computeRates } from '../../bench/ab/rates.ts'
import { type JudgedCase, type VerdictName } from '../../bench/ab/verdicts.ts'

const judged = (planted: Planted, throughput: VerdictName, p99: VerdictName): JudgedCase => ({
  name: 'invented',
  planted,
  seconds: 1,
  figures: [
    { title: 'read: Throughput (ops/s)', verdict: throughput, ratio: 1, interval: null },
    { title: 'read: p99 (ms)', verdict: p99, ratio: 1, interval: null },
  ],
})

test('without a planted difference, one in any figure is false', () => {
  const cases = [judged(0, 'cannot tell', 'the same'), judged(0, 'the same', 'better'), judged(0, 'worse', 'worse')]
  expect(computeRates(cases)).toMatchObject([{ planted: 0, comparisons: 3, falseVerdicts: 2, found: 0 }])
})

test('a planted difference is found where throughput is worse, and missed, but not falsely, where it is not clear', () => {
  const cases = [
    judged(0.1, 'worse', 'cannot tell'),
    judged(0.1, 'cannot tell', 'worse'),
    judged(0.1, 'the same', 'worse'),
  ]
  expect(computeRates(cases)).toMatchObject([{ planted: 0.1, comparisons: 3, falseVerdicts: 1, found: 1 }])
})

test('verdicts are counted for each size and figure, the smallest size first', () => {
  const [none, large] = computeRates([judged(0.5, 'worse', 'worse'), judged(0, 'the same', 'cannot tell')])
  expect([none?.planted, large?.planted]).toEqual([0, 0.5])
  expect(large?.figures.map(({ title, verdicts }) => [title, verdicts.worse])).toEqual([
    ['read: Throughput (ops/s)', 1],
    ['read: p99 (ms)', 1],
  ])
})

const casesOf = (seconds: number): readonly JudgedCase[] => [
  { ...judged(0.1, 'worse', 'worse'), seconds },
  { ...judged(0, 'better', 'cannot tell'), seconds: seconds + 1 },
  { ...judged(0, 'the same', 'cannot tell'), seconds: seconds + 3 },
]

test('both ways are shown side by side, by server and size, with their times', () => {
  const text = formatWays([
    { on: 'stub', way: 'turns', cases: casesOf(20) },
    { on: 'stub', way: 'whole runs', cases: casesOf(200) },
  ])
  const rows = text
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
  expect(rows.map((cells) => cells.slice(1, -1))).toEqual([
    ['stub', '0 %', 'turns', '2', '1', '', '23.0', '23.0'],
    ['stub', '0 %', 'whole runs', '2', '1', '', '203.0', '203.0'],
    ['stub', '10 %', 'turns', '1', '0', '1', '20.0', '20.0'],
    ['stub', '10 %', 'whole runs', '1', '0', '1', '200.0', '200.0'],
  ])
})
