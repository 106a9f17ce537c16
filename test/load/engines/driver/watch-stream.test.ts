import { Timestamp } from 'mongodb'
import { expect, test } from 'vitest'
import { hasPassed } from '../../../../src/load/engines/driver/watch-stream.ts'

/** As servers from 4.2 to 8 write them: type byte, seconds, ordinal, and more. */
const token = { _data: '826B0055AE000000022B0229296E04' }
const time = (i: number): Timestamp => new Timestamp({ t: 0x6b0055ae, i })

test.each([
  [1, true, true],
  [2, true, false],
  [3, false, false],
])('a token of ordinal 2 has passed ordinal %i: %s without an event, %s with one', (ordinal, without, withOne) =>
  expect([hasPassed(token, time(ordinal), false), hasPassed(token, time(ordinal), true)]).toEqual([without, withOne]),
)

test.each([[undefined], [null], [{}], [{ _data: 'zz' }], [{ _data: { binary: true } }]])(
  'a token that tells no time has passed none: %j',
  (unknown) => expect(hasPassed(unknown, time(0), false)).toBe(false),
)
