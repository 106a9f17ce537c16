import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { problemsOf } from '../../fakes/a-spec.ts'

/** Refused by name, never passed over. */
describe('words that are not known', () => {
  test.each(['@nonsense', '@transaction', '@check'])('%s', (word) =>
    expect(
      problemsOf({ data: { collection: 'things', rows: 1, document: { _id: 1, a: { [word]: {} } } } })[0],
    ).toContain(`data.document.a.${word}: unknown keyword "${word}"`),
  )

  test.each<[string, JsonObject]>([
    ['let', { let: {} }],
    ['faults', { faults: [] }],
  ])('%s in %j', (key, parts) => expect(problemsOf(parts).join()).toContain(`unknown key "${key}"`))

  test('a condition on what is no item of a list', () =>
    expect(problemsOf({ target: { kind: 'standalone', when: true } }).join()).toContain('unknown key "when"'))
})
