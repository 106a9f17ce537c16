import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { repeatedText } from '../../../src/traffic/recording/varints.ts'

test('a text is that of its bytes, whatever was read before it', () => {
  const names = fc.constantFrom('find', 'shop', 'Ã©', 'é', 'admin')
  const bytes = fc.oneof(
    names.map((name) => Buffer.from(name)),
    names.map((name) => Buffer.from(name, 'latin1')),
    fc.uint8Array({ maxLength: 6 }).map((some) => Buffer.from(some)),
  )
  const property = fc.property(fc.array(bytes, { maxLength: 20 }), (texts) => {
    for (const text of texts) expect(repeatedText(text, 0, text.length)).toBe(text.toString())
  })
  fc.assert(property)
  expect.hasAssertions()
})
