import { expect, test } from 'vitest'
import { workplace } from '../contract/support/program.ts'
import { sharedServer } from '../contract/support/shared-servers.ts'

const shared = sharedServer()
const namespace = 'killed_shop.orders'

const args = (key: string) => [
  'ab',
  '--index',
  `${namespace} ${key}`,
  '--allow-index',
  namespace,
  '--query',
  '{"status":1}',
]

test('the index and the databases of the writes are gone after Ctrl-C, two of them, and kill -9', async () => {
  await using place = await workplace(shared)
  const orders = shared.client.db('killed_shop').collection('orders')
  await orders.insertMany(Array.from({ length: 2000 }, (_, i) => ({ status: i % 100, total: i })))
  const indexes = async () => (await orders.listIndexes().toArray()).map(({ name }) => String(name))
  const trial = 'mongoperf_trial_status_1'

  const interrupted = place.start(args('{"status":1}'))
  await interrupted.says('round 1')
  expect(await indexes()).toEqual(['_id_', trial])
  interrupted.child.kill('SIGINT')
  expect((await interrupted.ended).code).toBe(130)
  expect(await indexes()).toEqual(['_id_'])

  const hurried = place.start(args('{"status":1}'))
  await hurried.says('round 1')
  hurried.child.kill('SIGINT')
  await hurried.says('SIGINT: stopping')
  // Under npx one Ctrl-C arrives twice: a second one within 0.3 s is none.
  setTimeout(() => hurried.child.kill('SIGINT'), 350)
  expect((await hurried.ended).code).toBe(130)
  expect(await indexes()).toEqual(['_id_'])

  const killed = place.start(args('{"status":1}'))
  await killed.says('round 1')
  killed.child.kill('SIGKILL')
  await killed.ended
  await expect.poll(indexes, { timeout: 60_000 }).toEqual(['_id_'])

  const killedInWrites = place.start([...args('{"status":1}'), '--budget', '5s', '--documents', '500'])
  await killedInWrites.says('the index is dropped')
  const databases = async () =>
    (await shared.client.db().admin().listDatabases({ nameOnly: true })).databases
      .map(({ name }) => name)
      .filter((name) => name.startsWith('mongoperf_killed_shop'))
  await expect.poll(databases, { timeout: 60_000 }).toHaveLength(2)
  killedInWrites.child.kill('SIGKILL')
  await killedInWrites.ended
  await expect.poll(databases, { timeout: 60_000 }).toEqual([])
  expect((await place.run(['clean'])).stdout).toSay('clean-nothing')
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
