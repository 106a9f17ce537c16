import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact, secretsOf } from '../../src/targets/redact.ts'

describe('redact', () => {
  test.each([
    ['a plain URI', 'mongodb://ann:hunter2@db.example:27017/x', 'hunter2'],
    ['a password with an "@" that nobody encoded', 'mongodb://ann:p@ss@db.example/', 'p@ss'],
    ['a password with a slash that nobody encoded', 'mongodb://ann:pa/ss@db.example/', 'pa/ss'],
    ['a percent-encoded password', 'mongodb+srv://ann:p%40ss@db.example/', 'p%40ss'],
    ['an AWS session token', 'mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN:t0ken,X:1', 't0ken'],
    ['an encoded AWS session token', 'mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN%3At0ken', 't0ken'],
    ['the password of a key file', 'mongodb://h/?tls=true&tlsCertificateKeyFilePassword=k3y&w=1', 'k3y'],
    ['the password of a proxy', 'mongodb://h/?proxyHost=p&proxyPassword=pr0xy', 'pr0xy'],
    ['a URI of another kind', 'cannot reach https://ann:hunter2@proxy.example', 'hunter2'],
  ])('hides %s', (_what, text, secret) => {
    expect(redact(`before ${text} after`)).not.toContain(secret)
    expect(redact(`before ${text} after`)).toMatch(/^before .* after$/)
  })

  test('hides both of two URIs and keeps what stands between them', () => {
    const text = redact('from mongodb://a:one1@h1/ to mongodb://b:two2@h2/, then stop')
    expect(text).toBe('from mongodb://***@h1/ to mongodb://***@h2/, then stop')
  })

  test('leaves a URI without secrets as it is', () => {
    expect(redact('see mongodb://localhost:27017/?w=1 and mail@example.org')).toBe(
      'see mongodb://localhost:27017/?w=1 and mail@example.org',
    )
  })

  test('hides known values wherever they stand, as written and as meant', () => {
    const secrets = secretsOf('mongodb://ann:p%40ss%2Fword@h/')
    expect(redact('login failed for p@ss/word (p%40ss%2Fword)', secrets)).toBe('login failed for *** (***)')
  })

  test('a secret that is a part of another leaves no rest of it', () => {
    expect(redact('abc abcdef', ['abc', 'abcdef'])).toBe('*** ***')
  })

  test('redacting twice changes nothing more', () => {
    const part = fc.constantFrom(
      'mongodb://',
      'a:',
      'p@ss',
      '@',
      'h',
      '/',
      '?tlsCertificateKeyFilePassword=',
      ' ',
      '&',
      '***',
      ':',
      '"',
      ',',
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const once = redact(parts.join(''), ['p@ss'])
        expect(redact(once, ['p@ss'])).toBe(once)
      }),
      // The option hides a colon from the pattern of credentials until it is taken out.
      { examples: [[['mongodb://', '?tlsCertificateKeyFilePassword=', 'a:', '"', 'mongodb://', '@']]] },
    )
  })
})

test('secretsOf names all secrets of a URI and nothing for text that is not one', () => {
  expect(
    secretsOf('mongodb://u:pw@h/?tlsCertificateKeyFilePassword=kf&proxyHost=p&proxyUsername=pu&proxyPassword=pp'),
  ).toEqual(['pw', 'kf', 'pp', 'pu'])
  expect(secretsOf('not a uri')).toEqual([])
})
