import { expect, test } from 'vitest'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

const countCreated = async (): Promise<number> =>
  (await server.client.db('admin').command({ serverStatus: 1 }))['connections'].totalCreated

const specWith = (engine: string, operation: object) =>
  ({
    name: 'connect',
    engine,
    phases: [
      {
        name: 'storm',
        load: { kind: 'closed', workers: 4 },
        stopAfter: { operations: 40 },
        operations: [operation],
      },
    ],
  }) as unknown as SpecInput

test.each(['driver', 'wire'])('every call of "connect" opens a connection and closes it (%s)', async (engine) => {
  const before = await countCreated()
  const { variants } = await run(specWith(engine, { kind: 'connect' }), { uri: server.uri })
  expect(variants[0]?.phases[0]?.operations).toMatchObject([{ name: 'connect', ok: 40, failed: 0, unknown: 0 }])
  expect((await countCreated()) - before).toBeGreaterThanOrEqual(40)
})

test.each(['driver', 'wire'])('it is a step like any other (%s)', async (engine) => {
  const steps = [{ kind: 'connect' }, { kind: 'command', command: { ping: 1 } }]
  const { variants } = await run(specWith(engine, { kind: 'steps', steps }), { uri: server.uri })
  expect(variants[0]?.phases[0]?.operations).toMatchObject([{ ok: 40, failed: 0, unknown: 0 }])
})
