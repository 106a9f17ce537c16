import { existsSync } from 'node:fs'
import { MongoClient } from 'mongodb'
import { expect, inject, test } from 'vitest'
import { comesTrue } from '../../../bench/start/wait.ts'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { startTarget, targetSpec } from '../../../src/servers/targets/index.ts'
import { isAlive } from '../../../src/servers/targets/server/guardian/process-identity.ts'
import { listServers } from '../../../src/servers/targets/server/guardian/state.ts'
import { ask } from '../../contract/support/server-questions.ts'
import { startContext } from '../../contract/support/start-context.ts'

const env = { ...process.env, MONGOMS_SYSTEM_BINARY: inject('mongodPath') }

const items = { collection: 'items', rows: 200, document: { _id: { '@row': {} }, n: { '@int': { min: 1, max: 50 } } } }
const indexed = { ...items, indexes: [{ key: { n: 1 } }] }

const inserts = (name: string, writeConcern: object, parts: object = {}) => ({
  name,
  writeConcern,
  stopAfter: { operations: 3 },
  operations: [{ kind: 'insertOne', name: `${name}-insert` }],
  ...parts,
})

test('a member that is stopped keeps its data until the end, and the set knows that it is down', async () => {
  await using context = await startContext()
  const members = [{}, { stopped: true, priority: 5 }, { arbiter: true }]
  const target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members }), context)
  expect(target.members.map(({ name }) => name)).toEqual(['member0'])
  expect(target.stopped).toEqual(['member1'])
  expect(target.commands.at(-1)).toContain('"shutdown":1')
  const status = (await ask(target.uri, { replSetGetStatus: 1 })) as { members: { health: number; stateStr: string }[] }
  expect(status.members.map(({ health }) => health)).toEqual([1, 0, 1])
  expect(status.members[0]?.stateStr).toBe('PRIMARY')

  const records = listServers(context.stateFolder).toSorted((a, b) => a.name.localeCompare(b.name))
  expect(records.map((record) => [record.name, isAlive(record)])).toEqual([
    ['member0', true],
    ['member1', false],
    ['member2', true],
  ])
  const folders = records.flatMap((record) => record.folders)
  expect(folders.map((folder) => existsSync(folder))).toEqual([true, true, true])

  await target[Symbol.asyncDispose]()
  expect(listServers(context.stateFolder)).toEqual([])
  expect(folders.filter((folder) => existsSync(folder))).toEqual([])
})

test('writes wait for members, and give up where too few of them run', async () => {
  const { variants } = await run(
    {
      name: 'places',
      target: {
        kind: 'replicaSet',
        members: [{}, {}, { stopped: true }],
      },
      // Of a collection with rows an index is built by every member that votes, unless it is told not to wait for them.
      data: indexed,
      phases: [
        inserts('two', { w: 2, wtimeoutMS: 10_000 }, { settle: true }),
        inserts('all', { w: 3, wtimeoutMS: 200 }),
        inserts('most', { w: 'majority', wtimeoutMS: 10_000 }),
      ],
    } as SpecInput,
    { env },
  )
  const [variant] = variants
  expect(variant).toMatchObject({
    status: 'done',
    server: { topology: expect.toSay('topology-one-stopped', { members: 3, stopped: 'member2' }) },
    warnings: [],
  })
  const [two, all, most] = variant?.phases ?? []
  expect(two).toMatchObject({ writeConcern: { w: 2 }, operations: [{ ok: 3, unknown: 0 }] })
  expect(all?.operations).toMatchObject([{ ok: 0, unknown: 3, errors: [{ code: '64', count: 3 }] }])
  expect(most?.operations).toMatchObject([{ ok: 3, unknown: 0 }])
  expect(two?.members.map(({ member }) => member)).toEqual(['member0', 'member1'])
})

test('a call that waits for a member that is down ends at its deadline, and the run goes on and ends', async () => {
  await using context = await startContext()
  const members = [{}, { stopped: true }, { arbiter: true }]
  await using target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members }), context)
  const { status, variants } = await run(
    {
      name: 'waiting',
      data: items,
      phases: [
        inserts('timed', { w: 2, wtimeoutMS: 200 }),
        // Long enough that every call gets to the primary, also one that needs a connection first.
        inserts('endless', { w: 2 }, { deadlineSeconds: 3, stopAfter: { operations: 2 } }),
        inserts('most', { w: 'majority' }, { deadlineSeconds: 3, stopAfter: { operations: 2 } }),
        inserts('alone', { w: 1 }, { settle: true }),
        { name: 'look', stopAfter: { operations: 1 }, operations: [{ kind: 'countDocuments' }] },
      ],
    } as SpecInput,
    // No majority of this set can be reached, so its URI says what is to be asked for.
    { uri: `${target.uri}&w=1` },
  )
  expect([status, variants.map((variant) => variant.status)]).toEqual(['done', ['done']])
  const [timed, endless, most, alone, look] = variants[0]?.phases.map(({ operations: [only] }) => only) ?? []
  expect(timed).toMatchObject({ ok: 0, unknown: 3, errors: [{ code: '64', name: 'WriteConcernFailed' }] })
  for (const hanging of [endless, most]) {
    expect(hanging).toMatchObject({ ok: 0, failed: 0, unknown: 2 })
    expect(hanging?.errors).toEqual([
      {
        code: 'DeadlineExceeded',
        name: 'DeadlineExceeded',
        labels: [],
        outcome: 'unknown',
        count: 2,
        message: expect.toSay('call-deadline-of-phase', { seconds: 3 }),
      },
    ])
  }
  expect(alone).toMatchObject({ ok: 3, unknown: 0 })
  // All of them stand on the primary: what nobody answered has been done there.
  expect(look).toMatchObject({ matched: 200 + 3 + 2 + 2 + 3 })

  await using client = await MongoClient.connect(target.uri)
  const sessions = async (): Promise<readonly unknown[]> => {
    const stages = [{ $currentOp: { idleConnections: true } }, { $match: { appName: 'mongo-perf' } }]
    return await client.db('admin').aggregate(stages).toArray()
  }
  expect(await comesTrue(async () => (await sessions()).length === 0, 60_000)).toBe(true)

  const patient = { name: 'patient', data: items, phases: [inserts('write', { w: 1 })] } as SpecInput
  await expect(run(patient, { uri: target.uri })).rejects.toMatchObject({
    code: 'target-unreachable',
    hint: expect.stringContaining('add "w=1" to the URI'),
  })
}, 300_000)

test('rows that are loaded by the run itself into a set without a majority ask only for what it can meet', async () => {
  const { variants } = await run(
    {
      name: 'no-majority',
      target: { kind: 'replicaSet', members: [{}, { stopped: true }, { arbiter: true }] },
      variants: { calls: [2, 3] },
      data: { ...indexed, reuse: true },
      phases: [inserts('write', { w: 1 }, { stopAfter: { operations: { '@param': 'calls' } }, settle: true })],
    } as SpecInput,
    { env },
  )
  expect(variants.map(({ status, data }) => [status, data[0]?.source])).toEqual([
    ['done', 'generated'],
    ['done', 'copied'],
  ])
  expect(variants.flatMap(({ phases }) => phases.map(({ operations }) => operations[0]?.ok))).toEqual([2, 3])
})
