import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact, redactQuote, findSecrets } from '../../../../src/servers/targets/connection/redact.ts'

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
    const text = 'see mongodb://localhost:27017/?w=1 and mail@example.org'
    expect(redact(text)).toBe(text)
  })

  test('hides known values wherever they stand, as written and as meant', () => {
    const secrets = findSecrets('mongodb://ann:p%40ss%2Fword@h/')
    expect(redact('login failed for p@ss/word (p%40ss%2Fword)', secrets)).toBe('login failed for *** (***)')
  })

  test('a secret that is a part of another leaves no rest of it', () => {
    expect(redact('p@ss! p@ss', ['p@ss', 'p@ss!'])).toBe('*** ***')
    expect(redactQuote('abc abcdef', ['abc', 'abcdef'])).toBe('*** ***')
  })

  test.each(['hush!', 's3cret', 'correcthorsebatterystaple', 'p%40ss'])('hides %s also inside a word', (secret) =>
    expect(redact(`x${secret}y`, [secret])).toBe('x***y'),
  )

  test.each(['perf', 'orders', 'mongo', '2', 'shop1'])(
    'leaves words whole that the password %s stands in',
    (secret) => {
      const text = 'the user "perf" of mongo-perf lacks a role on mongoperf_shop_orders; shop1 has 2 orders'
      expect(redact(text, findSecrets(`mongodb://perf:${secret}@h/`))).toBe(text)
    },
  )

  test('hides a short password in its URI, whatever its value', () =>
    expect(redact('at mongodb://perf:perf@h/perf?proxyPassword=perf', ['perf'])).toBe(
      'at mongodb://***@h/perf?proxyPassword=***',
    ))

  test('redacting twice changes nothing more', () => {
    const words = ['mongodb://', 'a:', 'p@ss', 'ann', 'h', '?tlsCertificateKeyFilePassword=', '***']
    const part = fc.constantFrom(...words, ...'@/ &:",')
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        for (const change of [redact, redactQuote]) {
          const once = change(parts.join(''), ['p@ss', 'ann'])
          expect(change(once, ['p@ss', 'ann'])).toBe(once)
        }
      }),
      // The option hides a colon from the pattern of credentials until it is taken out.
      { examples: [[['mongodb://', '?tlsCertificateKeyFilePassword=', 'a:', '"', 'mongodb://', '@']]] },
    )
  })
})

describe('words of the driver and the server', () => {
  test('lose a short password where it is a word of its own, and no part of another', () => {
    const others = 'but not mongoperf_perf, mongo-perf or perform'
    const quote = `perf is wrong: "perf", :perf@ and %3Aperf%40, ${others}`
    expect(redactQuote(quote, ['perf'])).toBe(`*** is wrong: "***", :***@ and %3A***%40, ${others}`)
  })

  test('keep no password of one or two characters apart from its URI', () =>
    expect(redactQuote('a and mongodb://u:a@h/', ['a'])).toBe('a and mongodb://***@h/'))

  test('are quoted without the session of a command', () => {
    const denied = 'not authorized on mongoperf_shop_orders to execute command { insert: "docs", ordered: true'
    const signature = 'signature: { hash: BinData(0, 00), keyId: 7 }'
    const session = `lsid: { id: UUID("0b") }, $clusterTime: { clusterTime: Timestamp(1, 2), ${signature} }`
    const rest = '$db: "mongoperf_shop_orders" }'
    expect(redactQuote(`${denied}, ${session}, ${rest}`, ['perf'])).toBe(`${denied}, ${rest}`)
  })
})

test('secretsOf names all secrets of a URI and nothing for text that is not one', () => {
  expect(
    findSecrets('mongodb://u:pw@h/?tlsCertificateKeyFilePassword=kf&proxyHost=p&proxyUsername=pu&proxyPassword=pp'),
  ).toEqual(['pw', 'kf', 'pp', 'pu'])
  expect(findSecrets('not a uri')).toEqual([])
})
