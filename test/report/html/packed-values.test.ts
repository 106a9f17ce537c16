import { jsonValue } from 'fast-check'
import { expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { packValues, unpackValues } from '../../../src/report/html/packed-values.ts'
import { forAll } from '../../fakes/for-all.ts'

test('what is packed and unpacked is the same', () =>
  forAll(jsonValue(), (value) => {
    // JSON has no -0.
    const json = JSON.parse(JSON.stringify(value)) as Json
    expect(unpackValues(packValues(json))).toEqual(json)
  }))

test('alike objects name their fields once', () =>
  expect(packValues([{ a: 1 }, { a: 2 }])).toEqual({ names: [['a']], value: [-1, [0, 1], [0, 2]] }))
