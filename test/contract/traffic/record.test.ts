import { once } from 'node:events'
import { access, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { type CommandStartedEvent, MongoClient, type MongoClientOptions } from 'mongodb'
import { expect, test } from 'vitest'
import { commandOf, readAll } from '../../traffic/calls.ts'
import { aMessage } from '../../traffic/record/messages.ts'
import { hasOpenssl, makeCertificates } from '../support/certificates.ts'
import { ownServer } from '../support/own-server.ts'
import { workplace } from '../support/program.ts'
import { sharedServer, ownSet } from '../support/shared-servers.ts'

const server = sharedServer()
const set = ownSet()
const guarded = ownServer(['--auth'])

/** Records what a program does through the proxy. @returns the recording, and what the command printed. */
async function recorded(uri: string, use: (listener: string) => Promise<void>, args: readonly string[] = []) {
  await using place = await workplace()
  const { says, stop, ended } = place.begin([
    'record',
    '--listen',
    '127.0.0.1:0',
    '--to',
    uri,
    '-o',
    'a.mprec',
    ...args,
  ])
  const said = await says('leads to')
  const [, listener = ''] = /(\S+) leads to/.exec(said) ?? []
  await use(listener)
  stop()
  const { code, stderr } = await ended
  expect(code).toBe(0)
  return { ...(await readAll(path.join(place.folder, 'a.mprec'))), stderr }
}

/** The calls of clients by their connections, without what a recording leaves out. */
async function watched(uri: string, options: MongoClientOptions, use: (client: MongoClient) => Promise<void>) {
  const sent = new Map<string, string[]>()
  await using client = new MongoClient(uri, { ...options, monitorCommands: true })
  client.on('commandStarted', ({ address, connectionId, commandName }: CommandStartedEvent) => {
    // The driver does not always tell.
    if (commandName === 'endSessions') return
    const key = `${address} ${connectionId}`
    sent.set(key, [...(sent.get(key) ?? []), commandName])
  })
  await use(client)
  await client.close()
  return [...sent.values()].map((names) => names.join(' ')).toSorted()
}

type Read = Awaited<ReturnType<typeof recorded>>

function sequencesOf({ calls }: Read): readonly string[] {
  const names = new Map<number, string[]>()
  for (const { connection, name } of calls)
    if (name !== 'endSessions') names.set(connection, [...(names.get(connection) ?? []), name])
  return [...names.values()].map((list) => list.join(' ')).toSorted()
}

async function shop(client: MongoClient): Promise<void> {
  const orders = client.db('recorded').collection('orders')
  await orders.insertMany(Array.from({ length: 500 }, (_, i) => ({ _id: i, text: 'x'.repeat(1000) })) as object[])
  await Promise.all(
    [1, 2, 3, 4].map(async (batchSize) =>
      expect((await orders.find({}, { batchSize: batchSize * 60 }).toArray()).length).toBe(500),
    ),
  )
  await orders.bulkWrite([
    { insertOne: { document: { text: 'new' } } },
    { updateOne: { filter: { unknown: 1 }, update: { $set: { a: 1 } }, upsert: true } },
    { deleteOne: { filter: { _id: 7 as never } } },
  ])
  await expect(orders.insertOne({ _id: 8 as never })).rejects.toThrow('E11000')
  await orders.findOneAndUpdate({ _id: 9 as never }, { $set: { a: 2 } })
  await orders.distinct('a')
}

test.each([
  ['plain', {}],
  ['compressed', { compressors: ['zlib'] }],
] as const)('a recording has the %s commands of a driver, in the order of each connection', async (_, options) => {
  let sent: readonly string[] = []
  const read = await recorded(server.uri, async (listener) => {
    sent = await watched(`mongodb://${listener}/?directConnection=true`, options as MongoClientOptions, shop)
    await server.client.db('recorded').dropDatabase()
  })
  expect(sequencesOf(read)).toEqual(sent)
  expect(read.header).toMatchObject({
    source: 'proxy',
    values: 'keep',
    serverVersion: expect.stringMatching(/^\d+\.\d+/),
  })
  expect(Object.keys(read.end?.leftOut ?? {})).toEqual(['handshakes'])
  const [insert] = read.calls
  expect(insert).toMatchObject({
    name: 'insert',
    database: 'recorded',
    acknowledged: true,
    reply: { ok: true, n: 500 },
  })
  expect(commandOf(insert)['documents']).toHaveLength(500)
  const finds = read.calls.filter(({ name }) => name === 'find' || name === 'getMore')
  expect(finds.reduce((sum, { reply }) => sum + (reply?.documents ?? 0), 0)).toBe(2000)
  expect(read.calls.find(({ name, reply }) => name === 'update' && reply?.upsertedIds.length === 1)).toBeDefined()
  expect(read.calls.filter(({ reply }) => reply?.code === 11_000)).toHaveLength(1)
  expect(read.stderr).toContain('all values (--values keep): whoever may read it sees the data')
})

test('a command of any name before a login is answered, and the proxy lives', async () => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
  const read = await recorded(server.uri, async (listener) => {
    const socket = connect(Number(listener.split(':')[1]), '127.0.0.1')
    for (const [requestId, name] of names.entries()) {
      socket.write(
        aMessage(
          Object.fromEntries([
            [name, 1],
            ['$db', 'admin'],
          ]),
          { requestId },
        ),
      )
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString('latin1')).toContain('CommandNotFound')
    }
    socket.destroy()
    await watched(`mongodb://${listener}/?directConnection=true`, {}, async (client) => {
      await client.db('recorded').collection('orders').findOne({})
    })
  })
  const kept = read.calls.map(({ name }) => name).filter((name) => name !== 'endSessions')
  expect(kept).toEqual([...names, 'find'])
})

test('clients of a set stay on the listeners, whichever member they use', async () => {
  const name = set.client.options.replicaSet
  let sent: readonly string[] = []
  const read = await recorded(set.uri, async (listener) => {
    sent = await watched(`mongodb://${listener}/?replicaSet=${name}`, {}, async (client) => {
      const orders = client.db('recorded').collection<{ _id: number }>('orders')
      await orders.insertOne({ _id: 1 }, { writeConcern: { w: 3 } })
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await orders.insertOne({ _id: 2 }, { session })
          await orders.findOne({ _id: 2 }, { session })
        }),
      )
      await orders.find({}, { readPreference: 'secondary' }).toArray()
    })
  })
  expect(sequencesOf(read)).toEqual(sent)
  const inTransaction = read.calls.filter(({ session }) => session !== null && session.transaction !== 'none')
  expect(inTransaction.map((call) => [call.name, call.session?.transaction])).toEqual([
    ['insert', 'starts'],
    ['find', 'continues'],
    ['commitTransaction', 'continues'],
  ])
  expect(new Set(inTransaction.map(({ session }) => session?.number)).size).toBe(1)
  expect(read.stderr.match(/leads to/g)).toHaveLength(3)
  await set.client.db('recorded').dropDatabase()
})

test('no password and no part of a login is in a recording', async () => {
  const user = { user: 'ann', pwd: 'hunter2-hunter2', roles: ['root'] }
  const read = await recorded(guarded.uri, async (listener) => {
    const direct = `mongodb://${listener}/?directConnection=true`
    await watched(
      direct,
      {},
      async (client) =>
        void (await client.db('admin').command({ createUser: user.user, pwd: user.pwd, roles: user.roles })),
    )
    for (const mechanism of ['SCRAM-SHA-1', 'SCRAM-SHA-256'] as const)
      await watched(
        direct,
        { auth: { username: user.user, password: user.pwd }, authMechanism: mechanism },
        async (client) => {
          await client.db('recorded').collection('orders').insertOne({ a: 1 })
        },
      )
  })
  expect(new Set(read.calls.map(({ name }) => name))).toEqual(new Set(['insert', 'endSessions']))
  expect(Object.keys(read.end?.leftOut ?? {}).toSorted()).toEqual(['commands with passwords', 'handshakes', 'logins'])
  expect(read.calls.map((call) => JSON.stringify(commandOf(call))).join('')).not.toMatch(/hunter2|payload/)
})

test.runIf(hasOpenssl)('clients may use TLS, with a given certificate', async () => {
  await using certificates = await makeCertificates()
  const read = await recorded(
    server.uri,
    async (listener) => {
      const uri = `mongodb://${listener}/?directConnection=true&tls=true&tlsCAFile=${encodeURIComponent(certificates.authority)}`
      await watched(uri, {}, async (client) => void (await client.db('admin').command({ ping: 1 })))
      // It never begins a handshake, which does not hold up the end of the recording.
      await once(
        connect(Number(listener.split(':')[1]), '127.0.0.1').on('error', () => {}),
        'connect',
      )
    },
    ['--tls-certificate', certificates.server],
  )
  expect(read.calls.map(({ name }) => name)).toContain('ping')
})

test('a file that exists is not overwritten, and its name is in the message', async () => {
  await using place = await workplace()
  const args = ['record', '--listen', '127.0.0.1:0', '--to', server.uri, '--for', '1s']
  expect((await place.run(args)).code).toBe(0)
  const again = await place.run(args)
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('traffic.mprec exists')
})

test('a file that is no certificate is a problem, and the recording is not begun', async () => {
  await using place = await workplace()
  await writeFile(path.join(place.folder, 'own.pem'), 'no certificate')
  const { code, stderr } = await place.run(['record', '--to', server.uri, '--tls-certificate', 'own.pem'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.toSay('record-no-certificate', { file: 'own.pem' }) })
  await expect(access(path.join(place.folder, 'traffic.mprec'))).rejects.toThrow('ENOENT')
})

test('where a port is in use, the recording is not begun', async () => {
  await using place = await workplace()
  const address = new URL(server.uri).host
  const { code, stderr } = await place.run(['record', '--listen', address, '--to', server.uri])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.toSay('record-port-in-use', { address }) })
  await expect(access(path.join(place.folder, 'traffic.mprec'))).rejects.toThrow('ENOENT')
})

test('nothing is said of a recording that is not begun', async () => {
  await using place = await workplace()
  expect(await place.run(['record', '-o', 'a.mprec'])).toMatchObject({
    code: 2,
    stderr: expect.toSay('record-nowhere'),
  })
  const unreachable = await place.run([
    'record',
    '--to',
    'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100',
    '-o',
    'a.mprec',
  ])
  expect(unreachable.code).toBe(4)
  expect(unreachable.stderr).not.toContain('a.mprec')
})
