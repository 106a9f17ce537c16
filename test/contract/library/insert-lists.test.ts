import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { run } from '../../../src/entries/index.ts'
import { toDatabaseName } from '../../../src/servers/targets/ownership.ts'
import { fail } from '../../fakes/fail.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

test.each(['driver', 'wire'] as const)('lists of several lengths are inserted whole: %s', async (engine) => {
  const name = `lists-${engine}`
  const documents = { '@array': { size: { min: 1, max: 5 }, of: { n: { '@int': { min: 1, max: 9 } } } } }
  const { variants } = await run(
    {
      name,
      engine,
      data: { collection: 'lines' },
      phases: [
        {
          name: 'write',
          stopAfter: { operations: 20 },
          operations: [{ kind: 'insertMany', documentsPerCall: 5, documents }],
        },
      ],
    },
    { uri: server.uri },
  )
  const result = variants[0]?.phases[0]?.operations[0] ?? fail('no operation')
  const there = await server.client.db(toDatabaseName(name)).collection('lines').find().toArray()
  expect(result).toMatchObject({ ok: 20, failed: 0, inserted: there.length })
  expect(there.length).toBeGreaterThan(20)
  expect(there.length).toBeLessThan(100)
  expect(there.filter(({ _id, n }) => !(_id instanceof ObjectId) || typeof n !== 'number')).toEqual([])
})
