import { Binary, Long, ObjectId } from 'bson'
import { describe, expect, test } from 'vitest'
import { idBytes, IdList, IdTable } from '../../../src/servers/checks/id-table.ts'
import { Ledger, LedgerRecord } from '../../../src/servers/checks/ledger.ts'
import { idText } from '../../../src/servers/checks/reads.ts'

const plain = [1, 'one', '', 1.5, true, null]
const ids = [...plain, Long.fromNumber(1), new ObjectId(), new Binary(Buffer.alloc(16), 4), { a: 1, b: [2] }]

test('ids of every type come back as they were', () => {
  const list = new IdList()
  for (const id of ids) list.push(idBytes(id))
  expect(list.size).toBe(ids.length)
  for (const [i, id] of ids.entries()) expect(Buffer.from(list.at(i))).toEqual(Buffer.from(idBytes(id)))
  expect(() => list.at(ids.length)).toThrow(RangeError)
})

test('an id is kept once, under its first number', () => {
  const table = new IdTable()
  const numbers = [...ids, ...ids].map((id) => table.add(idBytes(id)))
  expect(table.size).toBe(ids.length)
  expect(numbers).toEqual([...ids.keys(), ...ids.keys()])
  expect(table.find(idBytes('two'))).toBe(-1)
})

test('a table grows over the size of its chunks and blocks', () => {
  const table = new IdTable()
  const many = 100_000
  for (let i = 0; i < many; i++) table.add(idBytes(`id ${i}`))
  expect(table.size).toBe(many)
  for (const i of [0, 1, 1023, 1024, 65_535, 65_536, many - 1]) {
    expect(table.find(idBytes(`id ${i}`))).toBe(i)
    expect(idText(table.at(i))).toBe(`"id ${i}"`)
  }
  expect(table.find(idBytes(`id ${many}`))).toBe(-1)
})

test('an id that fits into no chunk is refused', () =>
  expect(() => new IdList().push(idBytes('x'.repeat(2 ** 20)))).toSay('id-too-long'))

describe('a ledger', () => {
  test('knows what became of every id', () => {
    const record = new LedgerRecord()
    record.note(1, 'acknowledged')
    record.note(2, 'unknown')
    record.note(3, 'failed')
    const ledger = new Ledger()
    ledger.add(record.take())
    const closed = ledger.close()
    const outcomes = [1, 2, 3].map((id) => closed.outcomeAt(closed.find(idBytes(id))))
    expect(outcomes).toEqual(['acknowledged', 'unknown', 'failed'])
    expect(closed.find(idBytes(4))).toBe(-1)
  })

  test('keeps the strongest outcome of an id that was sent several times', () => {
    const record = new LedgerRecord()
    for (const outcome of ['failed', 'acknowledged', 'unknown'] as const) record.note('a', outcome)
    for (const outcome of ['failed', 'unknown', 'failed'] as const) record.note('b', outcome)
    const part = record.take()
    const ledger = new Ledger()
    ledger.add(part)
    const closed = ledger.close()
    expect([part.outcomes.length, closed.size]).toEqual([6, 2])
    expect([closed.outcomeAt(0), closed.outcomeAt(1)]).toEqual(['acknowledged', 'unknown'])
  })
})
