import { MongoNetworkError } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/errors.ts'
import { isDriverError, messageWithoutSecrets } from '../../src/targets/driver-error.ts'
import { CommandError, ConnectionError } from '../../src/wire/wire-error.ts'

describe('what the driver or a connection reports', () => {
  test('is distinguished from problems of ours, from bugs, and from what is no error', () => {
    expect(isDriverError(new MongoNetworkError('closed'))).toBe(true)
    expect(isDriverError(new ConnectionError('closed'))).toBe(true)
    expect(isDriverError(new CommandError({ ok: 0, errmsg: 'not primary' }))).toBe(true)
    expect(isDriverError(new Problem('usage', 'Wrong', { hint: 'Do it right.' }))).toBe(false)
    expect(isDriverError(new TypeError('x is not a function'))).toBe(false)
    expect(isDriverError('MongoNetworkError')).toBe(false)
  })

  test('is passed on without the URI and without the password in it', () => {
    const uri = 'mongodb://me:hush%21@db.example.com/'
    expect(messageWithoutSecrets(new Error(`no answer from ${uri} for hush!`), uri)).toBe('no answer from *** for ***')
  })
})
