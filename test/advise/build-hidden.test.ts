import { expect, test } from 'vitest'
import { describeLackOfRoom, requireHidden } from '../../src/advise/build-hidden.ts'

const megabyte = 1024 * 1024

test('an index that the disk has no room for is not built, and the reason has what to do', () => {
  expect(describeLackOfRoom(10 * megabyte, 10 * megabyte)).toBeUndefined()
  expect(describeLackOfRoom(300 * megabyte, 20 * megabyte)).toBe(
    'it may take 300 MB, and the disk of its server has 20 MB free: free some, point TMPDIR at a larger disk, or dump a part of the data',
  )
})

test.each(['4.0.28', '4.2.24', '3.6.0'])('MongoDB %s cannot hide indexes: the remedy is a copy', (version) => {
  expect(() => requireHidden(version)).toThrow(
    expect.objectContaining({
      code: 'refused',
      message: `MongoDB ${version} cannot hide indexes, so none is tried on it`,
      hint: expect.stringContaining('--data dump/'),
    }),
  )
})

test.each(['4.4.0', '5.0.31', '10.0.1', '8.1.0-rc2'])('MongoDB %s can hide them', (version) => {
  expect(() => requireHidden(version)).not.toThrow()
})
