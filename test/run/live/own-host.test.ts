import { expect, test } from 'vitest'
import { isOwnHost } from '../../../src/run/live/listen.ts'

test.each(['127.0.0.1', 'localhost'])('%s is its own host, with its own port alone', (name) => {
  expect([`${name}:9464`, `${name}:80`, name].map((given) => isOwnHost(given, 9464))).toEqual([true, false, false])
})

test.each(['127.0.0.1', 'localhost'])('a browser leaves port 80 out: %s is enough there', (name) => {
  const own = [`${name}:80`, name, `${name}:`, `${name}:9464`].map((given) => isOwnHost(given, 80))
  expect(own).toEqual([true, true, false, false])
})

test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example:80', '', undefined])(
  'the name of another site is not: %j',
  (given) => {
    expect(isOwnHost(given, 80)).toBe(false)
  },
)
