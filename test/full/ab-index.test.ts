import path from 'node:path'
import { expect, test } from 'vitest'
import { readResult } from '../../src/results/files/results-file.ts'
import { workplace } from '../contract/support/program.ts'
import { sharedServer } from '../contract/support/shared-servers.ts'

const shared = sharedServer()

test('reads are compared with the index hidden and shown, each stretch by the plan of its side, and writes without it and with it', async () => {
  await using place = await workplace(shared)
  const orders = shared.client.db('indexed').collection('orders')
  await orders.insertMany(Array.from({ length: 20_000 }, (_, i) => ({ status: i % 200, total: i, at: new Date(i) })))
  const query = ['--query', '{"status":1}', '--sort', '{"at":-1}', '--limit', '20']
  const index = ['--index', 'indexed.orders {"status":1,"at":-1}', '--allow-index', 'indexed.orders']
  const { code, stdout, stderr } = await place.run(['ab', ...index, ...query, '--budget', '20s', '--out', 'out'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.toHaveLine('ab-index-dropped') })
  expect(stdout).toHaveLine('ab-index-reads-without', { examined: '20,000' })
  expect(stdout).toHaveLine('ab-index-reads-with', { examined: 20 })
  expect(stdout).toContain('read: Throughput (ops/s)')
  expect(stdout).toContain('write: Throughput (ops/s)')
  expect((await orders.listIndexes().toArray()).map(({ name }) => String(name))).toEqual(['_id_'])

  const plansOf = async (side: 'a' | 'b') => {
    const { variants } = await readResult(path.join(place.folder, 'out', 'reads', side, 'result.json'))
    const phases = variants.flatMap((variant) => variant.phases)
    return [
      ...new Set(phases.flatMap(({ operations }) => operations.map(({ explain }) => JSON.stringify(explain)))),
    ].join()
  }
  expect(await plansOf('a')).toContain('COLLSCAN')
  expect(await plansOf('a')).not.toContain('IXSCAN')
  expect(await plansOf('b')).toContain('IXSCAN mongoperf_trial_status_1_at_-1')
  expect(await plansOf('b')).not.toContain('COLLSCAN')
}, 600_000)
