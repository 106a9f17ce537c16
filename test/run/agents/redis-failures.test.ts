import { expect, test } from 'vitest'
import { asQueueProblem, describeRedisFailure } from '../../../src/run/agents/redis-failures.ts'

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code })

test.each([
  ['queue-refuses-password', new Error('WRONGPASS invalid username-password pair or user is disabled.')],
  ['queue-wants-password', new Error('NOAUTH HELLO must be called with the client already authenticated')],
  ['queue-not-there', coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1')],
  ['queue-host-not-known', coded('ENOTFOUND', 'getaddrinfo ENOTFOUND queue')],
  ['queue-silent', coded('ETIMEDOUT', 'connect ETIMEDOUT')],
  ['queue-not-trusted', coded('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')],
  ['queue-without-tls', coded('ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version number')],
  ['queue-closes', coded('EPIPE', 'write EPIPE')],
  ['queue-closes', new Error('Connection is closed.')],
  ['queue-no-redis', new Error('Unknown RESP type 72 "H". Please report this.')],
  ['queue-without-database', new Error('ERR DB index is out of range')],
  ['queue-user-may-not', new Error("NOPERM this user has no permissions to run the 'eval' command")],
  ['queue-fails', new Error('OOM command not allowed')],
  ['queue-fails-with-text', 'a text'],
])('%s: a failure (%s) has its reason and a hint', (code, error) => {
  const { reason, hint } = describeRedisFailure(error)
  expect([reason, hint]).toSay(code)
})

test('what Redis refuses later is a problem too, and a bug stays one', () => {
  const refusal = new Error("NOPERM this user has no permissions to run the 'xadd' command")
  expect(asQueueProblem(Object.assign(refusal, { name: 'ReplyError' }))).toSay('queue-refuses-command')
  const bug = new TypeError('x is undefined')
  expect(asQueueProblem(bug)).toBe(bug)
})
