import { MongoClient } from 'mongodb'
import { expect, inject, test } from 'vitest'
import { startTestMongod } from '../../bench/start/mongod.ts'
import { workplace } from '../contract/support/program.ts'
import { sharedServer } from '../contract/support/shared-servers.ts'

const shared = sharedServer()
const namespace = 'killed_shop.orders'
const args = ['advise', namespace, '--query', '{"status":1}', '--index', '{"status":1}', '--allow-index', namespace]

test('the index is gone after Ctrl-C, two of them, and kill -9', async () => {
  await using place = await workplace(shared)
  const orders = shared.client.db('killed_shop').collection('orders')
  await orders.insertMany(Array.from({ length: 2000 }, (_, i) => ({ status: i % 100, total: i })))
  const listIndexes = async () => (await orders.listIndexes().toArray()).map(({ name }) => String(name))

  const interrupted = place.start(args)
  await interrupted.says('round 1')
  expect(await listIndexes()).toEqual(['_id_', expect.stringMatching(/^mongoperf_trial_/)])
  interrupted.child.kill('SIGINT')
  expect((await interrupted.ended).code).toBe(130)
  expect(await listIndexes()).toEqual(['_id_'])

  const hurried = place.start(args)
  await hurried.says('round 1')
  hurried.child.kill('SIGINT')
  await hurried.says('SIGINT: stopping')
  // Under npx one Ctrl-C arrives twice, so a second one right after the first is ignored: a person presses until it has ended.
  await expect.poll(() => hurried.child.kill('SIGINT'), { timeout: 60_000 }).toBe(false)
  // A third one kills it, where it has not yet ended by the second.
  expect([130, null]).toContain((await hurried.ended).code)
  await expect.poll(listIndexes, { timeout: 60_000 }).toEqual(['_id_'])

  const killed = place.start(args)
  await killed.says('round 1')
  killed.child.kill('SIGKILL')
  await killed.ended
  await expect.poll(listIndexes, { timeout: 60_000 }).toEqual(['_id_'])
  // The server for the writes too.
  await expect.poll(place.servers, { timeout: 60_000 }).toEqual([])
  expect((await place.run(['clean'])).stdout).toSay('clean-nothing')
})

test('a user without the rights builds nothing, and a lost server is named with what is left on it', async () => {
  await using place = await workplace()
  // It asks for a login, and is killed.
  await using server = await startTestMongod(inject('mongodPath'), ['--auth'])
  const uriOf = (user: string) => server.uri.replace('//', `//${user}:secret@`).concat('&authSource=admin')
  {
    await using setUp = new MongoClient(server.uri)
    await setUp.db('admin').command({ createUser: 'ann', pwd: 'secret', roles: ['root'] })
  }
  await using client = new MongoClient(uriOf('ann'))
  const readOnly = { role: 'read', db: 'killed_shop' }
  await client.db('admin').command({ createUser: 'reader', pwd: 'secret', roles: [readOnly] })
  const orders = client.db('killed_shop').collection('orders')
  await orders.insertMany(Array.from({ length: 2000 }, (_, i) => ({ status: i % 100, total: i })))

  const refused = await place.start([...args, '--uri', uriOf('reader')]).ended
  expect(refused).toMatchObject({ code: 3, stderr: expect.toSay('advise-no-rights') })
  expect(await orders.listIndexes().toArray()).toHaveLength(1)

  const lost = place.start([...args, '--uri', uriOf('ann')])
  await lost.says('round 1')
  const [{ name: trial }] = (await orders.listIndexes().toArray()).slice(1) as [{ name: string }]
  await server.kill()
  const { code, stderr } = await lost.ended
  expect(code).toBe(4)
  expect(stderr).toMatch(new RegExp(`index ${trial} on ${namespace} of [^ ]+ is left: [^]*mongo-perf clean --uri`))
  expect(stderr).not.toContain('secret')
  expect(await place.run(['clean'])).toMatchObject({ code: 4, stdout: expect.stringContaining(trial) })
})

test('the database of micro is gone after kill -9', async () => {
  await using place = await workplace()
  const databases = async () =>
    (await shared.client.db().admin().listDatabases({ nameOnly: true })).databases.map(({ name }) => name)
  const killed = place.start(['micro', 'find-many', '--uri', shared.uri])
  await expect.poll(databases, { timeout: 60_000 }).toContain('mongoperf_micro')
  killed.child.kill('SIGKILL')
  await killed.ended
  await expect.poll(databases, { timeout: 60_000 }).not.toContain('mongoperf_micro')
  expect((await place.run(['clean'])).stdout).toSay('clean-nothing')
})
