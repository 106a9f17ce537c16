import { ObjectId } from 'bson'
import { expect, test } from 'vitest'
import { loadSpec } from '../../src/entries/index.ts'

const withField = (value: unknown) => {
  const document = JSON.parse('{}') as { at?: never }
  Reflect.set(document, 'at', value)
  return loadSpec({
    name: 'a',
    data: { collection: 'docs', rows: 1, document },
    phases: [{ name: 'read', stopAfter: { operations: 1 }, operations: [{ kind: 'findOne', filter: {} }] }],
  })
}

test.each([
  ['Date', new Date(0)],
  ['RegExp', /a/],
  ['ObjectId', new ObjectId()],
  ['bigint', 5n],
  ['function', () => 1],
  ['number NaN', Number.NaN],
])(
  'a %s in a spec that a program has made is refused, not made something else',
  async (kind, value) => await expect(withField(value)).rejects.toSay('spec-value-not-json', { kind }),
)

test.each([[{ $date: '2026-01-01T00:00:00Z' }], [[1, 'a', null, { b: 1.5 }]], [undefined]])(
  '%j is taken as it is written',
  async (value) => {
    const { rows } = await withField(value)
    expect(rows[0]?.spec.data[0]?.document).toEqual(value === undefined ? {} : { at: value })
  },
)
