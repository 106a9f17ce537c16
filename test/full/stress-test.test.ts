import { expect, test } from 'vitest'
import { type PhaseResult, type Result } from '../../src/results/schema.ts'
import { type Ended, workplace } from '../contract/support/program.ts'
import { fail } from '../fakes/fail.ts'

const longestMs = 600_000

/** The rows of a table of the report, as lists of cells. */
function rowsUnder(title: string, { stdout }: Ended): readonly (readonly string[])[] {
  const [, section = ''] = stdout.split(`### ${title}\n`)
  const lines = section.split('\n### ')[0]?.split('\n') ?? []
  const cells = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, -1))
  return cells.slice(2).map((row) => row.map((cell) => cell.trim()))
}

const phaseOf = ({ variants }: Result, row: number, name: string): PhaseResult =>
  variants.find((variant) => variant.row === row)?.phases.find((phase) => phase.name === name) ?? fail(`no ${name}`)

const lettersUpTo = (last: string): readonly string[] =>
  Array.from({ length: last.charCodeAt(0) - 64 }, (_, n) => String.fromCharCode(65 + n))

/** The letter of a row, without the mark of its trust. */
const letterOf = ([first = '']: readonly string[]): string => /^(?:\S )?(\w+)/.exec(first)?.[1] ?? ''

test(
  'the stress test of one server reads back what it wrote, and counts what it found',
  async () => {
    await using place = await workplace()
    const args = ['run', 'stress-test/single-in-memory', '--profile', 'smoke', '--reference', '--repeat', '2']
    const ended = await place.run(args)
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: ended.stderr })
    const results = rowsUnder('Test Results 1', ended)
    expect(results.map(letterOf)).toEqual(lettersUpTo('H'))
    expect(results.map((row) => row.slice(1, 5))).toEqual([
      ['NORMAL', 'No', 'No', 'w: 0'],
      ['SAFE', 'No', 'No', 'w: 1, j: false'],
      ['NORMAL', 'Yes', 'No', 'w: 0'],
      ['SAFE', 'Yes', 'No', 'w: 1, j: true'],
      ['NORMAL', 'No', 'Yes', 'w: 0'],
      ['SAFE', 'No', 'Yes', 'w: 1, j: false'],
      ['NORMAL', 'Yes', 'Yes', 'w: 0'],
      ['SAFE', 'Yes', 'Yes', 'w: 1, j: true'],
    ])
    expect(results.filter(([, concern]) => concern === 'SAFE').map((row) => row.at(-1))).toEqual([
      '100',
      '100',
      '100',
      '100',
    ])
    expect(rowsUnder('Test Settings', ended)).toContainEqual(['Total Test Size (B)', '8,388,608'])
    expect(rowsUnder('Test Machine', ended).map(([part]) => part)).toEqual(['OS', 'Motherboard', 'CPU', 'RAM', 'Disks'])
    expect(ended.stdout).toHaveLine('machine-shared')
    expect(ended.stdout).toContain('"MongoDB (the stress test MOST)" by Nathan Tippy, OCI, 2011-08')
    expect(ended.stdout).not.toMatch(/undefined|NaN|\{\{|not measured(?! \()/)

    const result = await place.result('single-in-memory')
    for (let row = 0; row < 8; row++) {
      const [read] = phaseOf(result, row, 'read').operations
      expect(Number(read?.found) + Number(read?.missing)).toBe(512)
    }
  },
  longestMs,
)

test(
  'the stress test of a replica set tells which member was read, in a compact result too',
  async () => {
    await using place = await workplace()
    const ended = await place.run(['run', 'stress-test/replica-set', '--profile', 'smoke', '--compact', '--reference'])
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: ended.stderr })
    const results = rowsUnder('Test Results 3', ended)
    expect(results.map(letterOf)).toEqual(lettersUpTo('P'))
    const waitsForAll = results.filter(([, concern]) => concern === 'REPLICA_SAFE (5)')
    expect(waitsForAll.map(letterOf)).toEqual(['D', 'H', 'L', 'P'])
    // Behind the found share of secondaries are the speed of the primary and both of the nearest members.
    expect(waitsForAll.map((row) => row.at(-4))).toEqual(['100', '100', '100', '100'])
    expect(waitsForAll.map((row) => row.at(-1))).toEqual(['100', '100', '100', '100'])

    const members = rowsUnder('Reads per Member', ended)
    expect(members.map(letterOf)).toEqual(['A', 'B', 'C', 'D'].flatMap((letter) => [1, 2, 3, 4, 5].map(() => letter)))
    expect(members.slice(0, 5).map((row) => row[2])).toEqual([0, 1, 2, 3, 4].map((n) => `member${n}`))
    // The first is asked to lead; where the five take ten seconds to meet, another one may stand by itself before.
    const roles = members.slice(0, 5).flatMap((row) => row[3] ?? [])
    expect(roles.toSorted()).toEqual(['primary', ...[1, 2, 3, 4].map(() => 'secondary')])
    const sumOf = (column: number, role: string): number =>
      members
        .filter((row) => letterOf(row) === 'D' && row[3] === role)
        .reduce((sum, row) => sum + Number(row[column]), 0)
    const [written, fromSecondaries, fromPrimary] = [4, 7, 10] as const
    expect([sumOf(written, 'primary'), sumOf(written, 'secondary')]).toEqual([256 / 32, 0])
    // Members that copy the oplog from each other read too, a few times in so short a window.
    expect(sumOf(fromSecondaries, 'secondary')).toBeGreaterThanOrEqual(256)
    expect(sumOf(fromSecondaries, 'primary')).toBeLessThan(128)
    expect(sumOf(fromPrimary, 'primary')).toBeGreaterThanOrEqual(256)
    expect(sumOf(fromPrimary, 'secondary')).toBeLessThan(128)

    const again = await place.run(['report', 'mongo-perf-results/replica-set/result.json', '--reference'])
    expect(again.code).toBe(0)
    expect(rowsUnder('Reads per Member', again)).toEqual(members)
    expect(ended.stdout).not.toMatch(/undefined|NaN|\{\{/)
  },
  longestMs,
)
