import { deserialize } from 'bson'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../../../bench/start/mongod.ts'
import { type Connection, openConnection } from '../../../../src/protocol/wire/connection.ts'
import { encodeMessage } from '../../../../src/protocol/wire/frame.ts'
import { createLastingConnection } from '../../../../src/protocol/wire/run-command.ts'
import { settingsOfClient } from '../../../../src/protocol/wire/settings.ts'
import { CommandError, ConnectionError } from '../../../../src/protocol/wire/wire-error.ts'
import { fail } from '../../../fakes/fail.ts'
import { type Certificates, clientSubject, hasOpenssl, makeCertificates } from '../../support/certificates.ts'
import { ownServer } from '../../support/own-server.ts'
import { sharedServer } from '../../support/shared-servers.ts'

const settingsOf = (uri: string) => {
  const { options } = new MongoClient(uri)
  return settingsOfClient(options, options.hosts[0] ?? fail('no host'))
}

const connectTo = async (uri: string): Promise<Connection> => await openConnection(await settingsOf(uri))

const hostOf = ({ uri }: { readonly uri: string }): string => new URL(uri).host

/** Who a connection is, as its server sees it. */
async function userOf(uri: string): Promise<unknown> {
  using connection = await connectTo(uri)
  const { authInfo } = await connection.command({ connectionStatus: 1 })
  return authInfo.authenticatedUsers
}

describe('without a login', () => {
  const server = sharedServer()

  test('a server executes commands of any database', async () => {
    using connection = await connectTo(server.uri)
    expect(await connection.command({ insert: 'things', documents: [{ _id: 1 }], $db: 'wire' })).toMatchObject({ n: 1 })
    const { cursor } = await connection.command({ find: 'things', $db: 'wire' })
    expect(cursor.firstBatch).toEqual([{ _id: 1 }])
  })

  test('a command that is refused carries code and reason, and leaves the connection as it was', async () => {
    using connection = await connectTo(server.uri)
    const refusal = await connection.command({ noSuchCommand: 1 }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(CommandError)
    expect(refusal).toMatchObject({ code: 59, message: expect.stringContaining('no such command') })
    expect(await connection.command({ ping: 1 })).toMatchObject({ ok: 1 })
  })

  test('the server knows its client by name', async () => {
    using connection = await connectTo(`${server.uri}&appName=wire-test`)
    const { inprog } = await connection.command({ currentOp: 1, $all: true, appName: 'wire-test' })
    expect(inprog[0].clientMetadata).toMatchObject({
      application: { name: 'wire-test' },
      driver: { name: 'mongo-perf' },
    })
  })

  test('a reply of megabytes is what the driver reads', async () => {
    const large = server.client.db('wire').collection<{ _id: number; text: string }>('large')
    await large.insertMany(Array.from({ length: 300 }, (_, i) => ({ _id: i, text: `${i}`.repeat(10_000) })))
    using connection = await connectTo(server.uri)
    for (let limit = 1; limit <= 300; limit += 23) {
      const { cursor } = await connection.command({ find: 'large', batchSize: limit, sort: { _id: 1 }, $db: 'wire' })
      expect(cursor.firstBatch).toEqual(await large.find().sort({ _id: 1 }).limit(limit).toArray())
    }
  })

  test('one message is sent again and again, with its key written in place', async () => {
    await server.client
      .db('wire')
      .collection<{ _id: number }>('keys')
      .insertMany(Array.from({ length: 100 }, (_, i) => ({ _id: i })))
    using connection = await connectTo(server.uri)
    const find = { find: 'keys', filter: { _id: 0x11223344 }, limit: 1, $db: 'wire' }
    const message = encodeMessage(find, 0)
    const keyAt = message.indexOf(Buffer.from([0x44, 0x33, 0x22, 0x11]))
    const found: number[] = []
    await new Promise<void>((resolve, reject) => {
      const next = (): void => {
        message.writeInt32LE(found.length, 4)
        message.writeInt32LE(found.length, keyAt)
        connection.send(message, handler)
      }
      const handler = {
        onReply(bytes: Buffer, start: number, end: number) {
          const { cursor } = deserialize(bytes.subarray(start, end))
          found.push(cursor.firstBatch[0]['_id'])
          if (found.length === 100) resolve()
          else next()
        },
        onFailure: reject,
      }
      next()
    })
    expect(found).toEqual(Array.from({ length: 100 }, (_, i) => i))
  })
})

describe('with a password', () => {
  const server = ownServer(['--auth'])
  const password = 'c4nary-p@ss/wörd:%ⅸ'
  const uriOf = (user: string, rest = '', secret = password): string =>
    `mongodb://${encodeURIComponent(user)}:${encodeURIComponent(secret)}@${hostOf(server)}/${rest}`

  beforeAll(async () => {
    const root = { pwd: password, roles: ['root'] }
    // Until it is there, the exception for localhost holds.
    await server.client.db('admin').command({ createUser: 'both', ...root })
    await using client = new MongoClient(uriOf('both'))
    const admin = client.db('admin')
    await admin.command({ createUser: 'old', ...root, mechanisms: ['SCRAM-SHA-1'] })
    await admin.command({ createUser: 'new', ...root, mechanisms: ['SCRAM-SHA-256'] })
    await admin.command({ createUser: 'a=b,c=,d', ...root })
    await client.db('shop').command({ createUser: 'seller', pwd: password, roles: [] })
  })

  test.each([
    ['both', ''],
    ['both', '?authMechanism=SCRAM-SHA-1'],
    ['both', '?authMechanism=SCRAM-SHA-256'],
    ['old', ''],
    ['old', '?authMechanism=SCRAM-SHA-1'],
    ['new', ''],
    ['new', '?authMechanism=SCRAM-SHA-256'],
    ['a=b,c=,d', ''],
    ['a=b,c=,d', '?authMechanism=SCRAM-SHA-1'],
  ])('%s logs in by %s', async (user, rest) => expect(await userOf(uriOf(user, rest))).toEqual([{ user, db: 'admin' }]))

  test('a user of another database logs in there', async () => {
    const users = [{ user: 'seller', db: 'shop' }]
    expect(await userOf(uriOf('seller', 'shop'))).toEqual(users)
    expect(await userOf(uriOf('seller', '?authSource=shop&authMechanism=SCRAM-SHA-1'))).toEqual(users)
  })

  test('a password may be written in another form of the same characters', async () => {
    // SASLprep: "ⅸ" is "ix", and a soft hyphen is nothing.
    expect(await userOf(uriOf('new', '', password.replace('ⅸ', 'i\u00ADx')))).toEqual([{ user: 'new', db: 'admin' }])
  })

  test('a password that only SCRAM-SHA-1 allows logs in by that alone', async () => {
    const bell = 'hunter2-\u0007'
    await using client = new MongoClient(uriOf('both'))
    const user = { createUser: 'bell', pwd: bell, roles: [], mechanisms: ['SCRAM-SHA-1'] }
    await client.db('admin').command(user)
    expect(await userOf(uriOf('bell', '', bell))).toEqual([{ user: 'bell', db: 'admin' }])
    const refusal = await connectTo(uriOf('both', '', bell)).catch((error: unknown) => error)
    expect(refusal).toSay('scram-password-characters')
    expect(String(refusal)).not.toContain('hunter2')
  })

  test.each([
    ['a wrong password', () => uriOf('both', '', 'hunter2-secret')],
    ['a wrong password, by SCRAM-SHA-1', () => uriOf('both', '?authMechanism=SCRAM-SHA-1', 'hunter2-secret')],
    ['a user that is not there', () => uriOf('nobody', '', 'hunter2-secret')],
    ['a mechanism that the user lacks', () => uriOf('new', '?authMechanism=SCRAM-SHA-1')],
  ])('%s is refused, in words without it', async (_, uri) => {
    const refusal = await connectTo(uri()).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(CommandError)
    expect(refusal).toMatchObject({ code: 18, message: expect.stringContaining('Authentication failed') })
    expect(`${String(refusal)} ${JSON.stringify(refusal)}`).not.toMatch(/hunter2|c4nary/)
  })

  test('a server that asks for a login refuses commands without one', async () => {
    using connection = await connectTo(server.uri)
    await expect(connection.command({ listDatabases: 1 })).rejects.toMatchObject({ code: 13 })
  })
})

describe.runIf(hasOpenssl)('over TLS', () => {
  let files: Certificates
  let server: TestMongod

  beforeAll(async () => {
    files = await makeCertificates()
    const tls = ['--tlsMode', 'requireTLS', '--tlsCAFile', files.authority, '--tlsCertificateKeyFile', files.server]
    const methods = ['--auth', '--setParameter', 'authenticationMechanisms=SCRAM-SHA-256,MONGODB-X509']
    server = await startTestMongod(inject('mongodPath'), [
      ...tls,
      '--tlsAllowConnectionsWithoutCertificates',
      ...methods,
    ])
    await using client = new MongoClient(uriOf(''), { tlsCAFile: files.authority })
    await client.db('admin').command({ createUser: 'ann', pwd: 'hunter2-secret', roles: ['root'] })
    await using ann = new MongoClient(uriOf('', 'ann:hunter2-secret@'), { tlsCAFile: files.authority })
    await ann.db('$external').command({ createUser: clientSubject, roles: [{ role: 'root', db: 'admin' }] })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await files[Symbol.asyncDispose]()
  })

  const uriOf = (rest: string, login = ''): string => `mongodb://${login}${hostOf(server)}/?tls=true${rest}`
  const authority = (): string => `&tlsCAFile=${files.authority}`

  test('a password logs in, and large replies arrive whole', async () => {
    using connection = await connectTo(uriOf(authority(), 'ann:hunter2-secret@'))
    const documents: Document[] = Array.from({ length: 200 }, (_, i) => ({ _id: i, text: `${i}`.repeat(5_000) }))
    await connection.command({ insert: 'large', documents, $db: 'wire' })
    const { cursor } = await connection.command({ find: 'large', batchSize: 200, sort: { _id: 1 }, $db: 'wire' })
    expect(cursor.firstBatch).toEqual(documents)
  })

  test('a certificate logs in', async () => {
    const rest = `${authority()}&tlsCertificateKeyFile=${files.client}&authMechanism=MONGODB-X509`
    const users = [{ user: clientSubject, db: '$external' }]
    expect(await userOf(uriOf(rest))).toEqual(users)
    expect(await userOf(uriOf(rest, `${encodeURIComponent(clientSubject)}@`))).toEqual(users)
  })

  test('no certificate is no login', async () =>
    await expect(connectTo(uriOf(`${authority()}&authMechanism=MONGODB-X509`))).rejects.toBeInstanceOf(CommandError))

  test.each([
    ['an authority that is not known', () => uriOf(''), 'certificate'],
    ['another authority', () => uriOf(`&tlsCAFile=${files.otherAuthority}`), 'certificate'],
    ['a URI that asks for no TLS', () => `mongodb://${hostOf(server)}/`, 'was closed by the server'],
    ['a file that is no certificate', () => uriOf(`&tlsCertificateKeyFile=${import.meta.filename}`), 'cannot be used'],
  ])('%s ends it', async (_, uri, reason) => {
    const failure = await connectTo(uri()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConnectionError)
    expect(failure).toMatchObject({ message: expect.stringContaining(reason) })
  })

  test('what is not checked is not in the way', async () => {
    using connection = await connectTo(uriOf('&tlsInsecure=true'))
    expect(await connection.command({ ping: 1 })).toMatchObject({ ok: 1 })
  })
})

test('a server that dies in the middle ends what is awaited, and a lasting connection looks for the next', async () => {
  await using server = await startTestMongod(inject('mongodPath'))
  const settings = await settingsOf(server.uri)
  using connection = await openConnection(settings)
  using lasting = createLastingConnection(settings)
  expect(await lasting.command({ ping: 1 })).toMatchObject({ ok: 1 })
  await server.freeze()
  const awaited = Promise.allSettled([connection.command({ ping: 1 }), lasting.command({ ping: 1 })])
  const ended = server.kill()
  for (const end of await awaited) expect(end).toMatchObject({ reason: expect.any(ConnectionError) })
  expect(connection.isClosed()).toBe(true)
  await ended
  await expect(lasting.command({ ping: 1 })).rejects.toThrow('ECONNREFUSED')
})
