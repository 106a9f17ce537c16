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

test('Ctrl-C drops the index that is compared; after kill -9 the next comparison names and drops it', async () => {
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

  const killed = place.start(args('{"status":1}'))
  await killed.says('round 1')
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(await indexes()).toEqual(['_id_', trial])
  const dropped = expect.toHaveLine('trial-index-dropped', { trial })
  expect(await place.run(args('{"total":1}'))).toMatchObject({ code: 0, stderr: dropped })
  expect(await indexes()).toEqual(['_id_'])
})
