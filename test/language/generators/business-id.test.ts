import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'

const ids = (argument: Json, count: number): readonly string[] =>
  compileJson({ '@businessId': argument }).first(count) as string[]
const accountOf = (id: string): string => id.split('_')[0] ?? ''

test('is a prefix, an account of five digits, and nine hexadecimal digits', () => {
  for (const id of ids({}, 1000)) expect(id).toMatch(/^ACC[01]\d{4}_[\da-f]{9}$/)
  for (const id of ids({ prefix: 'KD-', accounts: 1_000_000 }, 100)) expect(id).toMatch(/^KD-\d{6}_[\da-f]{9}$/)
})

describe('over 100,000 rows', () => {
  const all = ids({}, 100_000)

  test('no two are the same', () => expect(new Set(all).size).toBe(100_000))

  test('not even without their accounts', () => expect(new Set(all.map((id) => id.split('_')[1])).size).toBe(100_000))

  test('ids of an account are neighbours, in the order of their rows', () => {
    const rowOf = new Map(all.map((id, row) => [id, row]))
    const sorted = all.toSorted()
    const rows = sorted.map((id) => rowOf.get(id) ?? 0)
    const changes = sorted.filter((id, i) => i > 0 && accountOf(id) !== accountOf(sorted[i - 1] ?? ''))
    expect(changes).toHaveLength(new Set(all.map(accountOf)).size - 1)
    const isBehind = sorted.map(
      (id, i) => i === 0 || accountOf(id) !== accountOf(sorted[i - 1] ?? '') || (rows[i] ?? 0) > (rows[i - 1] ?? 0),
    )
    expect(isBehind.every(Boolean)).toBe(true)
  })

  test('rows in turn go to different accounts, all over the index', () => {
    const repeats = all.filter((id, i) => i > 0 && accountOf(id) === accountOf(all[i - 1] ?? ''))
    // By chance one in 20,000 goes to the account of the row before: five of them, with a deviation of 2.2.
    expect(repeats.length).toBeLessThan(5 + 5 * 2.3)
    const accounts = all.map((id) => Number(accountOf(id).slice(3)))
    const tenths = Array.from(
      { length: 10 },
      (_, tenth) => accounts.filter((account) => Math.floor(account / 2000) === tenth).length,
    )
    // Five deviations of 100,000 draws of one in ten.
    for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(5 * Math.sqrt(9000))
  })
})

test('rows far apart differ by their number, whatever their account', () => {
  const { draw } = compileJson({ '@businessId': { accounts: 1 } })
  const rows = [0, 1, 2 ** 24 - 1, 2 ** 24, 2 ** 24 + 1, 2 ** 32, 2 ** 36 - 1]
  expect(new Set(rows.map((row) => draw(row))).size).toBe(rows.length)
})

test('two places give different ids to the same rows', () => {
  const [one = [], other = []] = ['here', 'there'].map((place) =>
    compileJson({ '@businessId': { accounts: 1 } }, { place }).first(1000),
  )
  expect(new Set([...one, ...other]).size).toBe(2000)
})

test('the elements of a list are different ids', () => {
  const list = compileJson({ '@array': { size: 1000, of: { '@businessId': {} } } }).draw(7) as string[]
  expect(new Set(list).size).toBe(1000)
})

test.each<[Json, string]>([
  [{ accounts: 0 }, 'business-id-no-account'],
  [{ accounts: 0.5 }, 'business-id-half-account'],
  [{ prefix: 5 }, 'business-id-prefix'],
  [{ account: 5 }, 'business-id-unknown-key'],
])('refuses %j', (argument, code) => expect(() => ids(argument, 1)).toSay(code))
