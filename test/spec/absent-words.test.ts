import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../src/json.ts'
import { aPhase, problemsOf } from '../fakes/a-spec.ts'

/** Words of the language that are not there yet: refused by name, never passed over. */
describe('words that are not known', () => {
  test.each(['@nonsense', '@transaction', '@check'])('%s', (word) => {
    expect(
      problemsOf({ data: { collection: 'things', rows: 1, document: { _id: 1, a: { [word]: {} } } } })[0],
    ).toContain(`data.document.a.${word}: unknown word "${word}"`)
  })

  test.each<[string, JsonObject]>([
    ['let', { let: {} }],
    ['faults', { phases: [aPhase({ faults: [] })] }],
    ['checks', { checks: [] }],
    ['faults', { faults: [] }],
  ])('%s in %j', (key, parts) => {
    expect(problemsOf(parts).join()).toContain(`unknown key "${key}"`)
  })

  test.each<[string, JsonObject]>([['open', { phases: [aPhase({ load: { kind: 'open', ratePerSecond: 1 } })] }]])(
    'kind %s',
    (kind, parts) => {
      expect(problemsOf(parts).join()).toContain(`unknown kind "${kind}"`)
    },
  )

  test('a condition on what is no item of a list', () => {
    expect(problemsOf({ target: { kind: 'standalone', when: true } }).join()).toContain('unknown key "when"')
  })
})
