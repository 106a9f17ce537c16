import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { reads } from '../support/comparisons.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { fewReads, ownTarget } from '../support/specs.ts'

/** Somebody else's server. */
const server = sharedServer()

const databases = async (): Promise<string[]> =>
  (await server.client.db('admin').admin().listDatabases({ nameOnly: true })).databases.map(({ name }) => name)

test('a spec with its own target does not go to the server of MONGO_PERF_URI', async () => {
  await using place = await workplace()
  const run = ['run', await place.spec(fewReads({ name: 'own-target', ...ownTarget }))]
  const { code, stderr } = await place.run(run, { MONGO_PERF_URI: server.uri, MONGO_PERF_URI_B: server.uri })
  expect(code).toBe(0)
  const unread = { variables: 'MONGO_PERF_URI, MONGO_PERF_URI_B' }
  expect(stderr.match(/.*MONGO_PERF_URI.*/g)).toSay('run-uris-unread', unread)
  expect((await place.result('own-target')).variants[0]?.server?.startedByUs).toBe(true)
  expect(await databases()).not.toContain('mongoperf_own_target')
})

test.each([
  { how: '--uri', args: () => ['--uri', server.uri], env: () => ({}) },
  { how: '--target existing', args: () => ['--target', 'existing'], env: () => ({ MONGO_PERF_URI: server.uri }) },
])('$how measures the server that is there, and stores nothing of its address', async ({ args, env }) => {
  await using place = await workplace()
  const run = ['run', await place.spec(fewReads()), ...args(), '--log-level', 'debug']
  const { code, stdout, stderr } = await place.run(run, env())
  expect(code).toBe(0)
  const result = await place.result('few-reads')
  expect(result.variants[0]).toMatchObject({ server: { startedByUs: false, topology: 'standalone' } })
  expect(result.variants[0]?.commands).toEqual([
    `mongosh --quiet "$MONGO_PERF_URI" --eval 'db.getSiblingDB("mongoperf_few_reads").runCommand({"create":"docs"})'`,
  ])
  expect(stdout + stderr + JSON.stringify(result)).not.toContain(new URL(server.uri).host)
  expect(await databases()).toContain('mongoperf_few_reads')
  expect(stderr).toHaveLine('run-data-stays', { database: 'mongoperf_few_reads' })
})

test('a comparison on a server that is there says which database stays', async () => {
  await using place = await workplace()
  const args = ['ab', await place.spec(reads()), '--b', 'workers=4', '--uri', server.uri, '--rounds', '1']
  const { stderr } = await place.run(args)
  expect(stderr).toHaveLine('run-data-stays', { database: 'mongoperf_few_reads' })
})

test('a named target takes the URI of its name, from an option or a variable', async () => {
  await using place = await workplace()
  const target = { kind: 'existing', uriFrom: 'MONGO_PERF_URI_FAST' }
  const file = await place.spec(fewReads({ name: 'named', target }))
  const unset = expect.toSay('run-uri-not-set', { variable: 'MONGO_PERF_URI_FAST', name: 'fast' })
  expect(await place.run(['run', file])).toMatchObject({ code: 2, stderr: unset })
  expect((await place.run(['run', file, '--uri', `fast=${server.uri}`])).code).toBe(0)
  expect((await place.run(['run', file], { MONGO_PERF_URI_FAST: server.uri })).code).toBe(0)
})

test('a database of our name that we did not make is refused and left as it was', async () => {
  await using place = await workplace()
  const docs = server.client.db('mongoperf_foreign').collection('docs')
  await docs.insertOne({ precious: true })
  const run = ['run', await place.spec(fewReads({ name: 'foreign' })), '--uri', server.uri]
  const refused = expect.toSay('run-database-of-others', { database: 'mongoperf_foreign' })
  expect(await place.run(run)).toMatchObject({ code: 3, stderr: refused })
  expect(await docs.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ precious: true }])
  expect(await server.client.db('mongoperf_foreign').collections()).toHaveLength(1)
})

test('only collections of ours are dropped, and one of somebody else is in nobody’s way', async () => {
  await using place = await workplace()
  const database = server.client.db('mongoperf_shared')
  const run = ['run', await place.spec(fewReads({ name: 'shared' })), '--uri', server.uri]
  expect((await place.run(run)).code).toBe(0)
  await database.collection('notes').insertOne({ precious: true })
  await server.client.db('shop').collection('docs').insertOne({ precious: true })
  expect((await place.run(run)).code).toBe(0)
  expect(await database.collection('docs').countDocuments()).toBe(10)
  expect(await database.collection('notes').countDocuments()).toBe(1)
  expect(await server.client.db('shop').collection('docs').countDocuments()).toBe(1)

  const data = { collection: 'notes', rows: 1, document: { n: 1 } }
  const phases = [{ name: 'read', stopAfter: { operations: 1 }, operations: [{ kind: 'findOne', filter: {} }] }]
  const taken = ['run', await place.spec(fewReads({ name: 'shared', data, phases })), '--uri', server.uri]
  const refused = expect.toHaveLine('run-collection-of-others', { namespace: 'mongoperf_shared.notes' })
  expect(await place.run(taken)).toMatchObject({ code: 3, stderr: refused })
  const notes = database.collection('notes').find({}, { projection: { _id: 0 } })
  expect(await notes.toArray()).toEqual([{ precious: true }])
})

/** Two documents, each written so many times. */
const both = (n: number) => [1, 2].map((_id) => ({ _id, n }))

test('a collection that is there is read, and written to only when that is allowed by its name', async () => {
  await using place = await workplace(server)
  const stock = server.client.db('warehouse').collection<{ _id: number; n: number }>('stock')
  await stock.insertMany(both(0))
  const stopAfter = { operations: 5 }
  const phases = [
    { name: 'read', stopAfter, operations: [{ kind: 'find' }] },
    { name: 'write', stopAfter, operations: [{ kind: 'updateMany', filter: {}, update: { $inc: { n: 1 } } }] },
  ]
  const file = await place.spec(fewReads({ name: 'stock', data: { existing: 'warehouse.stock' }, phases }))
  const stderr = expect.toSay('run-write-not-allowed', { at: `${file}:27:9`, namespace: 'warehouse.stock' })
  for (const flags of [[], ['--allow-writes', 'warehouse.stocks']])
    for (const command of ['run', 'check'])
      expect(await place.run([command, file, ...flags])).toMatchObject({ code: 3, stderr })
  expect(await stock.find().toArray()).toEqual(both(0))

  const flags = ['--allow-writes', 'other.one', '--allow-writes', 'warehouse.stock']
  expect((await place.run(['run', file, ...flags])).code).toBe(0)
  expect(await stock.find().toArray()).toEqual(both(5))
  expect(await databases()).not.toContain('mongoperf_stock')
})

test('a server elsewhere is refused before anybody is contacted', async () => {
  await using place = await workplace()
  let contacts = 0
  const listener = createServer((socket) => void (contacts++, socket.destroy())).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const uri = `mongodb://127.0.0.1:${port},db.example.invalid:${port}/`
  const ended = await place.run(['run', await place.spec(fewReads()), '--uri', uri])
  listener.close()
  expect(ended).toMatchObject({ code: 3, stderr: expect.toSay('run-uri-remote') })
  expect(contacts).toBe(0)
})
