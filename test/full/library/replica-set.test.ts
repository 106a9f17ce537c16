import { MongoClient } from 'mongodb'
import { expect, inject, test } from 'vitest'
import { defineSpec, report, run, type RunEvent, type SpecInput } from '../../../src/entries/index.ts'
import { memberUri } from '../../../src/servers/targets/connection/members.ts'
import { startTarget, targetSpec } from '../../../src/servers/targets/index.ts'
import { cpuBurner } from '../../contract/support/burn-cpu.ts'
import { ask } from '../../contract/support/server-questions.ts'
import { startContext } from '../../contract/support/start-context.ts'

const env = { ...process.env, MONGOMS_SYSTEM_BINARY: inject('mongodPath') }

/** What a server has been asked since it started. */
async function queriesOf(uri: string): Promise<number> {
  const status = (await ask(uri, { serverStatus: 1 })) as { opcounters: { query: number } }
  return status.opcounters.query
}

/** How many pipelines with an output a server has run since it started. */
async function outputsOf(uri: string): Promise<number> {
  const status = await ask(uri, { serverStatus: 1 })
  return Number((status as { metrics: { aggStageCounters: { $out: number } } }).metrics.aggStageCounters.$out)
}

test('reads of a spec go to the secondaries when it says so', async () => {
  await using context = await startContext()
  await using target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 3 }), context)
  const members = target.members.map(({ host }) => memberUri(target.uri, host))
  const before = await Promise.all(members.map(queriesOf))
  const { variants } = await run(
    defineSpec({
      name: 'secondaries',
      data: { collection: 'docs', rows: 300, document: { _id: { '@row': {} } } },
      phases: [
        {
          name: 'read',
          load: { kind: 'closed', workers: 4 },
          stopAfter: { operations: 600 },
          operations: [{ kind: 'findOne', filter: { _id: { '@key': { distribution: 'uniform' } } } }],
          readPreference: { mode: 'secondary' },
        },
      ],
    }),
    // Whoever took 15 ms longer to answer the first question would get no reads at all.
    { uri: `${target.uri}&localThresholdMS=60000` },
  )
  const [phase] = variants[0]?.phases ?? []
  // Settled: every secondary had every row before the first read.
  expect(phase?.operations[0]).toMatchObject({ ok: 600, documents: 600 })
  expect(variants[0]?.warnings).toEqual([])
  const after = await Promise.all(members.map(queriesOf))
  const [primary, ...secondaries] = after.map((count, member) => count - (before[member] ?? 0))
  expect(primary).toBeLessThan(100)
  expect(secondaries.every((count) => count > 50)).toBe(true)
  expect(secondaries.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(600)
})

test.each(['driver', 'wire'] as const)('a step is read where it says, with %s', async (engine) => {
  await using context = await startContext()
  await using target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 2 }), context)
  const asking = { kind: 'command', command: { hello: 1 } } as const
  const insert = {
    kind: 'insertOne',
    document: {
      _id: 1,
      here: { '@var': 'here.document.isWritablePrimary' },
      there: { '@var': 'there.document.isWritablePrimary' },
    },
  } as const
  const steps = [
    { ...asking, name: 'here' },
    { ...asking, name: 'there', readPreference: { mode: 'secondary' } },
    insert,
  ] as const
  const spec = defineSpec({
    name: 'places',
    data: { collection: 'docs' },
    phases: [{ name: 'ask', engine, stopAfter: { operations: 1 }, operations: [{ kind: 'steps', steps }] }],
  })
  const { variants } = await run(spec, { uri: target.uri })
  expect(variants[0]?.phases[0]?.operations[0]).toMatchObject({ ok: 1, failed: 0 })
  await using client = new MongoClient(target.uri)
  expect(await client.db('mongoperf_places').collection('docs').findOne()).toMatchObject({ here: true, there: false })
})

test('commands and outputs of a spec go where its reads go', async () => {
  await using context = await startContext()
  await using target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 2 }), context)
  const steps = [
    { kind: 'command', command: { hello: 1 } },
    { kind: 'insertOne', document: { _id: 1, asked: { '@var': 'command.document.isWritablePrimary' } } },
  ] as const
  const spec = defineSpec({
    name: 'commands',
    data: { collection: 'docs' },
    phases: [
      {
        name: 'ask',
        stopAfter: { operations: 1 },
        operations: [{ kind: 'steps', name: 'both', steps: [...steps] }],
        readPreference: { mode: 'secondary' },
      },
    ],
  })
  await run(spec, { uri: target.uri })
  await using client = await MongoClient.connect(target.uri)
  const db = client.db('mongoperf_commands')
  expect(await db.collection('docs').findOne()).toMatchObject({ asked: false })

  const output = { kind: 'aggregate', pipeline: [{ $match: {} }, { $out: 'copy' }] } as const
  const [phase] = spec.phases as readonly object[]
  const copies = { ...phase, stopAfter: { operations: 3 }, operations: [output] }
  const data = { collection: 'docs', rows: 7, document: { _id: { '@row': {} } } }
  const copied = { ...spec, data, allow: ['$out'], phases: [copies] } as SpecInput
  const { variants } = await run(copied, { uri: target.uri, allow: ['$out'] })
  expect(variants[0]?.phases[0]?.operations[0]).toMatchObject({ ok: 3, failed: 0 })
  expect(await db.collection('copy').countDocuments()).toBe(7)
  const asked = await Promise.all(target.members.map(({ host }) => outputsOf(memberUri(target.uri, host))))
  expect(asked).toEqual([0, 3])
})

test.runIf(process.platform === 'linux')(
  'a spec starts its own set, every member reports what it did, and other load is seen',
  async () => {
    const events: RunEvent[] = []
    using burner = cpuBurner()
    const onProgress = (event: RunEvent): void => {
      // Not before: the set would take longer to start.
      if (event.kind === 'settle') burner.start()
      events.push(event)
    }
    const result = await run(
      defineSpec({
        name: 'own-set',
        target: { kind: 'replicaSet', members: 2 },
        data: { collection: 'docs', rows: 100, document: { _id: { '@row': {} } } },
        phases: [
          { name: 'write', settle: true, stopAfter: { seconds: 1.2 }, operations: [{ kind: 'insertOne' }] },
          { name: 'read', settle: true, stopAfter: { operations: 5 }, operations: [{ kind: 'findOne', filter: {} }] },
        ],
      }),
      { env, onProgress },
    )
    expect(events.filter(({ kind }) => kind === 'settle')).toHaveLength(2)
    expect(result.variants[0]).toMatchObject({ server: { topology: 'replica set of 2', startedByUs: true } })
    const [write] = result.variants[0]?.phases ?? []
    expect(write?.members.map(({ role }) => role)).toEqual(['primary', 'secondary'])
    for (const { totals, source, restarted } of write?.members ?? []) {
      expect({ source, restarted }).toEqual({ source: 'getDiagnosticData', restarted: false })
      expect(totals).toMatchObject({ journalBytes: expect.any(Number), processCpuUs: expect.any(Number) })
    }
    // How much it is depends on what else this machine does.
    expect(write?.otherLoad).toEqual([
      { runs: ['client', 'member0', 'member1'], cpuPercent: expect.any(Number), usedPercent: expect.any(Number) },
    ])
    expect(write?.otherLoad[0]?.cpuPercent).toBeGreaterThan(5)
    expect(write?.otherLoad[0]?.cpuPercent).toBeLessThanOrEqual(100)
    expect(write?.warnings.map(({ code }) => code)).toContain('other-load')
    const usage = report(result).json.tables.find(({ title }) => title === 'Resource Usage: write')
    expect(usage?.rows[0]?.cells).not.toContain(null)
  },
)
