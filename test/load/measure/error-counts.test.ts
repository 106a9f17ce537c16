import { expect, test } from 'vitest'
import { ErrorRecord, listErrors, maxErrors, mergeErrors } from '../../../src/load/measure/error-counts.ts'
import { errorText } from '../../../src/results/error-text.ts'
import { failedOutcome } from '../../fakes/fake-calls.ts'

test.each([
  [{ code: '11000', name: 'DuplicateKey', message: 'the key is taken' }, 'DuplicateKey (11000): the key is taken'],
  [{ code: 'other', name: 'other', message: 'the rest' }, 'other: the rest'],
  [{ code: 'ENOENT', name: 'FileNotFound', message: 'FileNotFound: no f1' }, 'FileNotFound (ENOENT): no f1'],
])('an error is shown once, with its code: %j', (error, text) => expect(errorText(error)).toBe(text))

test('of more errors than we keep, seen by several records, the first are kept and the rest counted as other', () => {
  const [one, other] = [new ErrorRecord(), new ErrorRecord()]
  for (let code = 0; code < maxErrors * 2; code++) (code % 2 === 0 ? one : other).add(failedOutcome(`${code}`), code)
  for (let code = 0; code < 10; code++) one.add(failedOutcome('0'), 1000)
  const errors = listErrors(mergeErrors([one.take(), other.take()]))
  expect(errors).toHaveLength(maxErrors + 1)
  expect(errors.slice(0, 2)).toMatchObject([
    { code: 'other', count: maxErrors },
    { code: '0', count: 11 },
  ])
  expect(errors.map(({ code }) => code)).toContain(`${maxErrors - 1}`)
})
