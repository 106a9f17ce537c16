import { expect, test } from 'vitest'
import { plainText, sameText } from '../../../src/spec/published/match.ts'

test.each([
  ['Disk  IOPS', 'Disk IOPS'],
  ['100 documents,1 term, cached', '100 documents, 1 term, cached'],
  ['10 documents, 1 term,   not cached,, indexed.', '10 documents, 1 term, not cached, indexed.'],
])('%j is read as %j', (published, plain) => expect(plainText(published)).toBe(plain))

test('other texts differ', () => expect(sameText('1 document, cached', '1 document, not cached')).toBe(false))
