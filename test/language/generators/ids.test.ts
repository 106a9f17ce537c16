import { type ObjectId, serialize, type UUID } from 'bson'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'

const uuids = () => compileJson({ '@uuid': {} }).first(200_000) as UUID[]

describe('@uuid', () => {
  test('has the version and variant bits of version 4', () => {
    for (const uuid of compileJson({ '@uuid': {} }).first(200) as UUID[]) {
      expect(uuid.toString()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(uuid.sub_type).toBe(4)
    }
  })

  test('is distinct over 200,000 rows', () =>
    expect(new Set(uuids().map((uuid) => Buffer.from(uuid.buffer).toString('latin1'))).size).toBe(200_000))

  test('is not overwritten when the next one is made', () => {
    const { draw } = compileJson({ '@uuid': {} })
    const first = draw(0) as UUID
    const before = first.toString()
    for (let n = 1; n < 1000; n++) draw(n)
    expect(first.toString()).toBe(before)
  })
})

describe('@objectId', () => {
  const { draw } = compileJson({ '@objectId': {} })
  const hex = (n: number): string => (draw(n) as ObjectId).toHexString()

  test('grows with the row, also past the end of its counter', () => {
    const rows = [0, 1, 2, 255, 256, 2 ** 24 - 1, 2 ** 24, 2 ** 24 + 1, 2 ** 32, 2 ** 40]
    const ids = rows.map(hex)
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(rows.length)
  })

  test('is distinct over rows', () =>
    expect(new Set(Array.from({ length: 50_000 }, (_, n) => hex(n))).size).toBe(50_000))

  test('is an ObjectId on the wire', () => expect(Buffer.from(serialize({ a: draw(0) })).at(4)).toBe(7))
})
