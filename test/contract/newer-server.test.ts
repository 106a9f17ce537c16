import { expect, test } from 'vitest'
import { startStubServer } from '../../bench/stub-server/start-stub-server.ts'
import { workplace } from './support/program.ts'

test.each(['driver', 'wire'] as const)(
  'a server that is newer than all that there are is measured by what it answers, with the engine %s',
  async (engine) => {
    await using server = await startStubServer({ release: '9.0' })
    await using place = await workplace(server)
    const spec = await place.spec({
      name: 'newer',
      engine,
      target: { kind: 'existing' },
      data: { collection: 'orders', rows: 10, document: { text: { '@string': {} } } },
      phases: [
        {
          name: 'write',
          stopAfter: { operations: 20 },
          operations: [
            { kind: 'clientBulkWrite', collection: 'orders', operations: [{ insertOne: {} }], operationsPerCall: 3 },
          ],
        },
        { name: 'read', stopAfter: { operations: 20 }, operations: [{ kind: 'findOne', filter: { text: 'a' } }] },
      ],
    })
    expect(await place.run(['run', spec])).toMatchObject({ code: 0 })
    const { variants } = await place.result('newer')
    const [{ server: measured, phases } = { server: null, phases: [] }] = variants
    expect(measured?.version).toBe('9.0.0')
    expect(phases.map(({ operations: [operation] }) => [operation?.ok, operation?.inserted])).toEqual([
      [20, 60],
      [20, 0],
    ])
  },
)
