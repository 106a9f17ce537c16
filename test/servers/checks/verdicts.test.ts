import { Decimal128, Double } from 'bson'
import { describe, expect, test } from 'vitest'
import { judgeSurvival } from '../../../src/servers/checks/acknowledged-writes-survive.ts'
import { judgeCount } from '../../../src/servers/checks/count-matches.ts'
import { idBytes } from '../../../src/servers/checks/id-table.ts'
import { JournalBook } from '../../../src/servers/checks/journal-matches.ts'
import { type ClosedLedger, Ledger, LedgerRecord, type WriteOutcome } from '../../../src/servers/checks/ledger.ts'
import { isEqual, judgeAnswer } from '../../../src/servers/checks/query.ts'
import { areSame } from '../../../src/servers/checks/reads.ts'
import { TotalBook } from '../../../src/servers/checks/sum-unchanged.ts'
import { type Change, noChange, Tally, TallyRecord } from '../../../src/servers/checks/tally.ts'

const sent = (outcomes: Readonly<Record<string, WriteOutcome>>): ClosedLedger => {
  const record = new LedgerRecord()
  for (const [id, outcome] of Object.entries(outcomes)) record.note(id, outcome)
  const ledger = new Ledger()
  ledger.add(record.take())
  return ledger.close()
}

/** Of calls that have done the first and may have done the second besides. */
function tallied(...changes: readonly (readonly [done: Change, perhaps?: Change])[]): Tally {
  const record = new TallyRecord()
  for (const [done, perhaps] of changes) record.count(done, perhaps)
  const tally = new Tally()
  tally.add(record.take())
  return tally
}

describe('survival', () => {
  const doubtful = { c: 'unknown', d: 'unknown', e: 'failed', f: 'failed' } as const
  const everyOutcome = { a: 'acknowledged', b: 'acknowledged', ...doubtful } as const

  test('tells every outcome apart', () => {
    const { status, measures, evidence } = judgeSurvival(sent(everyOutcome), Uint8Array.of(1, 0, 1, 0, 1, 0), null)
    expect(status).toBe('violated')
    const [acknowledged, unknown, failed] = [2, 2, 2]
    const present = { unknownButPresent: 1, failedButPresent: 1 }
    expect(measures).toEqual({ acknowledged, lost: 1, unknown, failed, ...present, duplicated: 0 })
    expect(evidence).toEqual([expect.toSay('evidence-lost', { id: 'b' })])
  })

  test('is no matter of documents of unknown outcome', () => {
    const outcomes = sent({ a: 'unknown', b: 'failed' })
    for (const seen of [Uint8Array.of(0, 0), Uint8Array.of(1, 1)])
      expect(judgeSurvival(outcomes, seen, null).status).toBe('held')
  })

  test('is not expected where the write concern allows a loss', () => {
    const found = judgeSurvival(sent(everyOutcome), new Uint8Array(6), 'because')
    expect(found).toMatchObject({ status: 'allowed', reason: 'because', measures: { lost: 2 } })
    const held = judgeSurvival(sent({ a: 'acknowledged' }), Uint8Array.of(1), 'because')
    expect(held).toMatchObject({ status: 'held', reason: null })
  })

  test('once is enough', () => {
    const twice = judgeSurvival(sent({ a: 'acknowledged' }), Uint8Array.of(2), 'because')
    expect(twice).toMatchObject({ status: 'violated', measures: { duplicated: 1 } })
  })

  test('keeps the first ten examples', () => {
    const ids = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`id${i}`, 'acknowledged' as const]))
    expect(judgeSurvival(sent(ids), new Uint8Array(50), null)).toMatchObject({ measures: { lost: 50 } })
    expect(judgeSurvival(sent(ids), new Uint8Array(50), null).evidence).toHaveLength(10)
  })
})

const [alice, bob] = [idBytes('alice'), idBytes('bob')]

const journal = (
  entries: readonly string[],
  balances: readonly [number, number],
  outcomes: Readonly<Record<string, WriteOutcome>>,
  whyAllowed: string | null = null,
) => {
  const book = new JournalBook()
  for (const account of [alice, bob]) book.addBalanceAtStart(account, 100)
  for (const id of entries) book.addEntry({ id: idBytes(id), from: alice, to: bob, amount: 10 })
  for (const [i, account] of [alice, bob].entries()) book.addBalanceAtEnd(account, balances[i] ?? 0)
  return book.findings(sent(outcomes), whyAllowed)
}

describe('a journal', () => {
  test('matches where every balance is what it was with the entries applied', () =>
    expect(journal(['x', 'y'], [80, 120], { x: 'acknowledged', y: 'unknown', z: 'failed' })).toMatchObject({
      status: 'held',
      measures: { entries: 2, acknowledged: 1, unknown: 1, unknownButApplied: 1, failed: 1, failedButApplied: 0 },
    }))

  test('does not match where an entry is there that failed', () =>
    expect(journal(['x'], [90, 110], { x: 'failed' })).toMatchObject({
      status: 'violated',
      measures: { failedButApplied: 1, wrongBalances: 0 },
      evidence: [expect.toSay('evidence-failed-entry', { id: 'x' })],
    }))

  test('allows a missing entry where the write concern does, and nothing else', () => {
    const outcomes = { x: 'acknowledged' } as const
    expect(journal([], [100, 100], outcomes)).toMatchObject({ status: 'violated', measures: { missing: 1 } })
    expect(journal([], [100, 100], outcomes, 'because')).toMatchObject({ status: 'allowed', reason: 'because' })
    expect(journal([], [90, 110], outcomes, 'because')).toMatchObject({ status: 'violated', reason: null })
  })

  test('is not matched by a balance or an amount that is no number', () => {
    const book = new JournalBook()
    book.addBalanceAtStart(alice, 100)
    book.addBalanceAtEnd(alice, null)
    const evidence = [expect.toSay('evidence-no-number', { account: 'alice', balance: 100 })]
    expect(book.findings(sent({}), null)).toMatchObject({ status: 'violated', evidence })
  })
})

const wrongSum = (sum: number): unknown => expect.toSay('evidence-wrong-sum', { when: 'now', sum, start: 30 })

describe('a total', () => {
  const start = { documents: 3, numbers: 3, sum: 30, least: 5 }

  test('keeps the lowest and the highest, and the least value', () => {
    const book = new TotalBook(start, undefined)
    for (const sum of [30, 28, 33]) book.add({ ...start, sum, least: sum - 30 }, 'now')
    const reads = { reads: 3, failedReads: 1, wrongReads: 2 }
    expect(book.findings(1).measures).toMatchObject({ ...reads, lowest: 28, highest: 33, leastValue: -2 })
    expect(book.findings(0).evidence).toEqual([wrongSum(28), wrongSum(33)])
  })

  test('may have a minimum', () => {
    const book = new TotalBook(start, 5)
    book.add(start, 'first')
    expect(book.isRight).toBe(true)
    book.add({ ...start, least: 4 }, 'then')
    expect(book.isRight).toBe(false)
  })
})

test('sums of fractions may be rounded, whole numbers may not', () => {
  expect(areSame(0.1 + 0.2, 0.3)).toBe(true)
  expect(areSame(1e15, 1e15 + 1)).toBe(false)
  expect(areSame(1000.5, 1000.6)).toBe(false)
  expect(areSame(Number.NaN, Number.NaN)).toBe(false)
})

test('a count is right between what is known and what may be', () => {
  const [added, removed] = [(count: number) => ({ added: count, removed: 0 }), { added: 0, removed: 1 }]
  const tally = tallied([added(5)], [removed, added(2)], [noChange, removed])
  expect([tally.least, tally.most]).toEqual([3, 6])
  const statuses = [2, 3, 6, 7].map((counted) => judgeCount(counted, tally, null).status)
  expect(statuses).toEqual(['violated', 'held', 'held', 'violated'])
  const evidence = [expect.toSay('evidence-wrong-count', { counted: 2, least: 3, most: 6 })]
  expect(judgeCount(2, tally, 'because')).toMatchObject({ status: 'allowed', reason: 'because', evidence })
})

test('where a loss is allowed, no more may be gone than was added, and no more come back than was removed', () => {
  const tally = tallied([{ added: 4, removed: 2 }])
  const range = { least: tally.least + 10, most: tally.most + 10, acknowledged: tally.acknowledged }
  const statuses = [7, 8, 11, 12, 13, 14, 15].map((counted) => judgeCount(counted, range, 'because').status)
  expect(statuses).toEqual(['violated', 'allowed', 'allowed', 'held', 'allowed', 'allowed', 'violated'])
})

test('answers are compared by value, in their order', () => {
  expect(isEqual({ n: 5n, list: [1] }, { n: new Double(5), list: [1n] })).toBe(true)
  expect(isEqual(Decimal128.fromString('1.50'), 1.5)).toBe(true)
  expect(isEqual({ n: 5 }, { n: 5, m: null })).toBe(false)
  expect(judgeAnswer([{ a: 1 }, { a: 2 }], [{ a: 2 }, { a: 1 }]).measures.differences).toBe(2)
  expect(judgeAnswer([], []).status).toBe('held')
})
