import { expect, test } from 'vitest'
import { aSpec } from '../../fakes/a-spec.ts'
import { storedResult } from '../../fakes/stored-results.ts'
import { validate } from './editor-validator.ts'

test.each(['write-concern-modes', 'write-concern-latency', 'update-api'])(
  'editors take the report of %s as it is written',
  (name) => {
    const { report, thresholds } = storedResult(name).spec
    validate(aSpec({ report, thresholds }))
    expect(validate.errors).toBeNull()
  },
)

test('editors take thresholds of both forms', () => {
  expect(
    validate(aSpec({ thresholds: ['errors == 0', { holds: 'errors == 0', abort: true }, { '@param': 'x' }] })),
  ).toBe(true)
})

const column = (value: unknown) => ({ report: { tables: [{ title: 't', columns: [{ value, title: 'v' }] }] } })

test.each([
  ['a word of the report in a document', { data: { collection: 'a', document: { a: { '@metric': 'p99Ms' } } } }],
  ['a generator in the report', column({ '@add': [{ '@int': {} }, 1] })],
  ['a misspelt word of the report', column({ '@metrik': 'p99Ms' })],
  ['a metric without an address', column({ '@metric': { at: { batch: 1 } } })],
  ['groups without names', column({ '@cluster': { of: { '@metric': 'p99Ms' } } })],
  ['a misspelt key of a threshold', { thresholds: [{ hold: 'errors == 0' }] }],
])('editors flag %s', (_, parts) => {
  expect(validate(aSpec(parts))).toBe(false)
})
