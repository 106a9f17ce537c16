import { expect, test } from 'vitest'
import { asQueueProblem, describeRedisFailure } from '../../../src/run/agents/redis-failures.ts'

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code })

test.each([
  [new Error('WRONGPASS invalid username-password pair or user is disabled.'), 'refuses the user name or the password'],
  [new Error('NOAUTH HELLO must be called with the client already authenticated'), 'wants a password'],
  [coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'), 'no server listens there'],
  [coded('ENOTFOUND', 'getaddrinfo ENOTFOUND queue'), 'the name of its host is not known'],
  [coded('ETIMEDOUT', 'connect ETIMEDOUT'), 'does not answer'],
  [coded('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'), 'its certificate is not trusted'],
  [coded('ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version number'), 'no TLS connection could be made'],
  [coded('EPIPE', 'write EPIPE'), 'closes the connection'],
  [new Error('Connection is closed.'), 'closes the connection'],
  [new Error('Unknown RESP type 72 "H". Please report this.'), 'neither Redis nor Valkey'],
  [new Error('ERR DB index is out of range'), 'no database of the number'],
  [new Error("NOPERM this user has no permissions to run the 'eval' command"), 'may not do what agents and runs do'],
  [new Error('OOM command not allowed'), 'OOM command not allowed'],
  ['a text', 'a text'],
])('%s has its reason and a hint', (error, reason) => {
  expect(describeRedisFailure(error)).toMatchObject({
    reason: expect.stringContaining(reason),
    hint: expect.stringMatching(/\.$/),
  })
})

test('what Redis refuses later is a problem too, and a bug stays one', () => {
  const refusal = Object.assign(new Error("NOPERM this user has no permissions to run the 'xadd' command"), {
    name: 'ReplyError',
  })
  expect(asQueueProblem(refusal)).toMatchObject({
    code: 'agents-unavailable',
    message: 'The queue cannot be used: its user may not do what agents and runs do',
    hint: expect.stringContaining('docs/many-machines.md'),
  })
  const bug = new TypeError('x is undefined')
  expect(asQueueProblem(bug)).toBe(bug)
})
