import { MongoClient } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { type ConnectionSettings, plainSettings, settingsOfClient } from '../../../src/protocol/wire/settings.ts'
import { fail } from '../../fakes/fail.ts'

function settingsOf(uri: string): Promise<ConnectionSettings> {
  const { options } = new MongoClient(uri)
  return settingsOfClient(options, options.hosts[0] ?? fail('no host'))
}

test.each([
  ['127.0.0.1:27018', { host: '127.0.0.1', port: 27018 }],
  ['[::1]:27018', { host: '::1', port: 27018 }],
  ['/tmp/mongodb-27017.sock', { path: '/tmp/mongodb-27017.sock' }],
])('a server that mongo-perf started is reached plainly: %s', (text, address) => {
  const settings = plainSettings(text)
  expect([settings.address, settings.tls, settings.login]).toEqual([address, undefined, undefined])
})

describe('the URI of a client names', () => {
  test.each([
    ['host', { host: 'host', port: 27017 }],
    ['[::1]:27018', { host: '::1', port: 27018 }],
    [encodeURIComponent('/tmp/mongodb-27017.sock'), { path: '/tmp/mongodb-27017.sock' }],
  ])('the address %s', async (host, address) =>
    expect(await settingsOf(`mongodb://${host}/`)).toMatchObject({ address }),
  )

  const ann = { username: 'ann', password: 'p@ss' }

  test.each([
    ['?appName=x', { mechanism: 'negotiated', ...ann, source: 'admin' }],
    ['shop', { mechanism: 'negotiated', ...ann, source: 'shop' }],
    ['shop?authSource=users&authMechanism=SCRAM-SHA-1', { mechanism: 'SCRAM-SHA-1', ...ann, source: 'users' }],
    ['?authMechanism=SCRAM-SHA-256', { mechanism: 'SCRAM-SHA-256', ...ann, source: 'admin' }],
  ])('the login by %s', async (rest, login) =>
    expect((await settingsOf(`mongodb://ann:p%40ss@host/${rest}`)).login).toEqual(login),
  )

  test('a login by certificate', async () => {
    const { login } = await settingsOf('mongodb://host/?tls=true&authMechanism=MONGODB-X509')
    expect(login).toEqual({ mechanism: 'MONGODB-X509', username: '', source: '$external' })
  })

  test('no login without a user', async () => expect((await settingsOf('mongodb://host/')).login).toBeUndefined())

  test('a time for connecting, and a name', async () =>
    expect(await settingsOf('mongodb://host/?connectTimeoutMS=1500&appName=shop')).toMatchObject({
      openTimeoutMs: 1500,
      appName: 'shop',
    }))
})

describe('TLS', () => {
  test('is off unless the URI asks for it', async () => {
    expect((await settingsOf('mongodb://host/')).tls).toBeUndefined()
    expect((await settingsOf('mongodb://host/?tls=true')).tls).toEqual({ servername: 'host' })
  })

  test('names no server where its address is a number', async () =>
    expect((await settingsOf('mongodb://127.0.0.1/?tls=true')).tls).toEqual({}))

  test('checks as little as the URI asks for', async () => {
    const loose = await settingsOf('mongodb://127.0.0.1/?tls=true&tlsInsecure=true')
    expect(loose.tls).toEqual({ rejectUnauthorized: false, checkServerIdentity: expect.any(Function) })
    const anyName = await settingsOf('mongodb://127.0.0.1/?tls=true&tlsAllowInvalidHostnames=true')
    expect(anyName.tls).toEqual({ checkServerIdentity: expect.any(Function) })
  })

  test('names a file that is not there', async () => {
    const settings = settingsOf('mongodb://host/?tls=true&tlsCAFile=/nowhere/ca.pem')
    await expect(settings).rejects.toThrow("'/nowhere/ca.pem'")
  })
})

test.each([
  ['loadBalanced=true', 'mongodb://host/?loadBalanced=true'],
  ['proxyHost', 'mongodb://host/?proxyHost=proxy'],
  ['authMechanism=PLAIN', 'mongodb://ann:hunter2@host/?authMechanism=PLAIN'],
  ['authMechanism=GSSAPI', 'mongodb://ann%40REALM@host/?authMechanism=GSSAPI'],
])('what only the driver supports is refused by name %s', async (option, uri) => {
  const refusal = settingsOf(uri)
  await expect(refusal).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(`"${option}"`) })
  await expect(refusal).rejects.not.toMatchObject({ message: expect.stringContaining('hunter2') })
})

test('a member is reached with the options of its set', async () => {
  const { options } = new MongoClient('mongodb://ann:hunter2@a,b/?tls=true')
  const { address, tls, login } = await settingsOfClient(options, { host: 'c', port: 1, socketPath: undefined })
  expect([address, tls]).toEqual([{ host: 'c', port: 1 }, { servername: 'c' }])
  expect(login).toMatchObject({ username: 'ann' })
})
