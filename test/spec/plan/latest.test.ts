import { describe, expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { type CallSource, type PlannedCall } from '../../../src/load/plan/plan.ts'
import { type Share, createShares, wholePhase } from '../../../src/load/plan/share.ts'
import { plansOf } from '../../fakes/a-plan.ts'
import { aPhase, oneRow } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

const rows = 10

/** A data set, and the calls of phases that have begun before any of these calls is made. */
function begin<const Names extends string>(operations: Readonly<Record<Names, Json>>, share: Share = wholePhase) {
  const names = Object.keys(operations) as Names[]
  const row = oneRow({
    seed: 7,
    data: { collection: 'things', rows, document: { _id: { '@row': {} } } },
    phases: names.map((name) => aPhase({ name, operations: [operations[name]] })),
  })
  const { plans, dataSets } = plansOf(row)
  const [dataSet = fail('no data set')] = dataSets
  const calls = Object.fromEntries(names.map((name, i) => [name, plans[i]?.calls('measured', {}, share)]))
  return { dataSet, ...(calls as Record<Names, CallSource>) }
}

const finding = (draw: Json): Json => ({ kind: 'findOne', filter: { n: draw } })
const latest = finding({ '@pickRow': { distribution: 'latest' } })

const drawn = (call: PlannedCall): number => (call.args.filter as { n: number }).n

/** The greatest of many draws: the newest row is the most frequent one. */
const newestOf = (source: CallSource): number => Math.max(...Array.from({ length: 100 }, () => drawn(source.next())))

const insertRow = { kind: 'insertOne' }

describe('latest', () => {
  test.each<[Json, number]>([
    [insertRow, 1],
    [{ kind: 'insertMany', documentsPerCall: 3 }, 3],
    [{ kind: 'insertOne', document: { _id: { '@nextRow': {} } } }, 1],
    [{ kind: 'bulkWrite', operations: [{ insertOne: {} }, { insertOne: {} }] }, 2],
    [{ kind: 'updateOne', filter: { _id: { '@nextRow': {} } }, update: { $set: { n: 1 } }, upsert: true }, 1],
    [{ kind: 'steps', steps: [{ kind: 'findOne', filter: {} }, insertRow] }, 1],
  ])('follows the newest row up to which all calls of %j have ended', (insert, each) => {
    const { find, write } = begin({ find: latest, write: insert })
    expect(newestOf(find)).toBe(rows - 1)
    const [first, second, third] = [write.next(), write.next(), write.next()]
    write.answered?.(second, 1)
    expect(newestOf(find)).toBe(rows - 1)
    write.answered?.(first, 1)
    expect(newestOf(find)).toBe(rows - 1 + 2 * each)
    write.answered?.(third, 1)
    expect(newestOf(find)).toBe(rows - 1 + 3 * each)
  })

  test('of the rows that steps take when replies are there follows them too', () => {
    const { find, write } = begin({
      find: latest,
      write: {
        kind: 'steps',
        steps: [
          { kind: 'findOne', filter: {} },
          { kind: 'insertOne', name: 'add', document: { _id: { '@nextRow': {} }, n: { '@var': 'findOne.documents' } } },
        ],
      },
    })
    const call = write.next()
    const reply = { documents: 1, bytes: 0, matched: 0, modified: 0, upserted: 0, inserted: 0, deleted: 0 }
    call.steps?.[1]?.([{ ...reply, document: null }])
    expect(newestOf(find)).toBe(rows - 1)
    write.answered?.(call, 1)
    expect(newestOf(find)).toBe(rows)
  })

  test('counts back over the range as it is by then, as in YCSB', () => {
    const { find, write } = begin({ find: latest, write: insertRow })
    for (let i = 0; i < 500; i++) write.answered?.(write.next(), 1)
    const inPhase = Array.from({ length: 300 }, () => drawn(find.next()))
    const { find: later } = begin({
      find: finding({ '@pickRow': { distribution: 'latest', count: rows + 500 } }),
    })
    expect(inPhase).toEqual(Array.from({ length: 300 }, () => drawn(later.next())))
  })

  test.each(['exponential', { kind: 'scrambledZipfian', newRows: 20 }])('%j follows inserts too', (distribution) => {
    const { find, write } = begin({ find: finding({ '@pickRow': { distribution } }), write: insertRow })
    const seen = (): ReadonlySet<number> => new Set(Array.from({ length: 2000 }, () => drawn(find.next())))
    expect(Math.max(...seen())).toBe(rows - 1)
    for (let i = 0; i < 20; i++) write.answered?.(write.next(), 1)
    expect(Math.max(...seen())).toBe(rows + 19)
  })

  test('"scrambledZipfian" keeps to its range where no new rows are expected', () => {
    const { find, write } = begin({
      find: finding({ '@pickRow': { distribution: 'scrambledZipfian' } }),
      write: insertRow,
    })
    for (let i = 0; i < 20; i++) write.answered?.(write.next(), 1)
    expect(newestOf(find)).toBe(rows - 1)
  })

  test('of a given count of rows stays within it', () => {
    const draw = { '@pickRow': { distribution: 'latest', first: 2, count: 5 } }
    const { find, write } = begin({ find: finding(draw), write: insertRow })
    for (let i = 0; i < 50; i++) write.answered?.(write.next(), 1)
    expect(newestOf(find)).toBe(6)
  })

  test.each<[string, Json]>([
    ['a number', { '@pickRow': { distribution: 'latest' } }],
    ['a key', { '@key': { distribution: 'latest' } }],
    ['a document', { '@document': { distribution: 'latest' } }],
    ['what is computed of it', { '@add': [{ '@pickRow': { distribution: 'latest' } }, 1] }],
  ])('%s has the same digest whichever inserts have ended', (_, draw) => {
    const digestAfter = (inserts: number): string => {
      const { find, write } = begin({ find: finding(draw), write: insertRow })
      for (let i = 0; i < inserts; i++) write.answered?.(write.next(), 1)
      for (let i = 0; i < 20; i++) find.next()
      return find.digest()
    }
    expect(digestAfter(100)).toBe(digestAfter(0))
  })
})

describe('of several units', () => {
  test('each sees its own rows once all of its calls before them have ended', () => {
    const [first, second] = createShares(2)
    const one = begin({ find: latest, write: insertRow }, first)
    const other = begin({ find: latest, write: insertRow }, second)
    const calls = [one, other, one, other].map(({ write }) => write.next())
    expect(calls.map(({ args }) => (args.document as Record<'_id', number>)['_id'])).toEqual([10, 11, 12, 13])
    one.write.answered?.(calls[2] ?? fail('no call'), 1)
    expect(newestOf(one.find)).toBe(9)
    one.write.answered?.(calls[0] ?? fail('no call'), 1)
    expect(newestOf(one.find)).toBe(12)
    expect(newestOf(other.find)).toBe(9)
    other.write.answered?.(calls[1] ?? fail('no call'), 1)
    expect(newestOf(other.find)).toBe(11)
  })

  test('none ever picks a row that only another one takes', () => {
    const [, second] = createShares(3)
    const { find, write } = begin({ find: latest, write: insertRow }, second)
    const own = Array.from({ length: 50 }, () => {
      const call = write.next()
      write.answered?.(call, 1)
      return (call.args.document as Record<'_id', number>)['_id']
    })
    const picked = Array.from({ length: 500 }, () => drawn(find.next()))
    expect(picked.filter((row) => row >= rows && !own.includes(row))).toEqual([])
    expect(Math.max(...picked)).toBe(own.at(-1))
  })
})

test('one slow insert holds the newest row back until it has ended, and then all of the others count', () => {
  const { dataSet } = begin({ find: latest })
  dataSet.numbers.take(0)
  for (let call = 1; call < 10_000; call++) {
    dataSet.numbers.take(call)
    dataSet.numbers.ended(call)
  }
  expect(dataSet.numbers.answered()).toBe(10)
  dataSet.numbers.ended(0)
  expect(dataSet.numbers.answered()).toBe(10_010)
})
