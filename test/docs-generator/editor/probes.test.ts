import { describe, expect, test } from 'vitest'
import { operationKinds } from '../../../src/spec/operations/index.ts'
import { openSpec } from './json-editor.ts'
import { probes } from './probes.ts'

describe('VS Code shows, where a spec is half written,', () => {
  test.each(probes)('$title', async ({ text, offers, offersAlso = [], lacks = [], hover = '', problems }) => {
    const shown = await openSpec(text)
    const missing = [...(offers ?? []), ...offersAlso].filter((offer) => !shown.offers.includes(offer))
    const tooMany = shown.offers.filter((offer) => lacks.includes(offer) || offers?.includes(offer) === false)
    expect({ missing, tooMany }).toEqual({ missing: [], tooMany: [] })
    expect(shown.hover).toContain(hover)
    expect(shown.problems).toEqual(problems ?? shown.problems)
  })
})

test('words of the language come below the keys that an object has', async () => {
  const { offers } = await openSpec('{ "phases": [{|}] }')
  expect(
    offers.slice(
      0,
      offers.findIndex((offer) => offer.startsWith('@')),
    ).length,
  ).toBeGreaterThan(15)
  expect(
    offers.slice(offers.findIndex((offer) => offer.startsWith('@'))).filter((offer) => !offer.startsWith('@')),
  ).toEqual([])
  expect((await openSpec('{ "phases": [{ "load": {|} }] }')).offers[0]).toBe('kind')
})

test('each kind is described in the list', async () => {
  const { described } = await openSpec('{ "phases": [{ "operations": [{ "kind": "|" }] }] }')
  expect(operationKinds.filter(({ kind }) => (described.get(kind) ?? '').length < 10)).toEqual([])
})

test('a snippet writes an operation with its fields, in which a "$" is escaped', async () => {
  const { writes } = await openSpec('{ "phases": [{ "operations": [|] }] }')
  expect(writes.get('findOne')).toBe('{ "kind": "findOne", "filter": { "_id": { "@key": {} } } }')
  expect(writes.get('updateOne')).toContain(String.raw`"\$inc"`)
})
