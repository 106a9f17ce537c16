import { randomBytes } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestMongod } from '../../bench/start/mongod.ts'
import { systemClock } from '../../src/core/clock.ts'
import { memberResources, type MemberResources } from '../../src/results/schema/servers.ts'
import { type MetricName, metricNames } from '../../src/results/server-metrics.ts'
import { startSampler, type SampledMember } from '../../src/servers/resources/sampler.ts'
import { readServerInfo } from '../../src/servers/resources/server-info.ts'
import { memberUri } from '../../src/servers/targets/connection/members.ts'
import { replicaSet } from '../../src/servers/targets/replica-set.ts'
import { lookPeriod } from '../../src/servers/targets/server/process/mongod-process.ts'
import { standalone } from '../../src/servers/targets/standalone.ts'
import { type Member, type RunningTarget } from '../../src/servers/targets/target.ts'
import { startContext } from '../contract/support/start-context.ts'
import { fail } from '../fakes/fail.ts'

const documents = 1000
const kilobyte = 1024

const nowhere: SampledMember = { member: 'nowhere', uri: 'mongodb://127.0.0.1:1' }

type SampledTarget = Pick<RunningTarget, 'uri'> & {
  readonly members: readonly Pick<Member, 'name' | 'host' | 'setsLooks'>[]
}

function membersOf({ uri, members }: SampledTarget): SampledMember[] {
  return members.map(({ name, host, setsLooks }) => ({ member: name, uri: memberUri(uri, host), setsLooks }))
}

/**
 * A poll is given up after 1.5 s, and samples more than 2.5 s apart say nothing of the time between them. Where the machine
 * stands still for so long inside of a window, its figures are rightly unknown, and another window has to be looked at.
 */
const onceMore = { retry: 2 } as const

/** What the members did while something else was going on. */
async function observe(
  members: readonly SampledMember[],
  work: () => Promise<unknown>,
  intervalMs?: number,
): Promise<MemberResources[]> {
  await using sampler = startSampler({
    members,
    clock: systemClock,
    ...(intervalMs !== undefined && { intervalMs }),
  })
  const window = await sampler.openWindow()
  await work()
  return await (
    await window.close()
  ).members
}

const first = ([member = fail('no member')]: readonly MemberResources[]): MemberResources => member

/** Clients and members ask an idle server now and then how it is; one sample is 50 KB and more. */
function expectIdle({ networkBytesIn, networkBytesOut, commandOps }: MemberResources['totals']): void {
  expect(networkBytesOut).toBeGreaterThanOrEqual(0)
  expect(networkBytesOut).toBeLessThan(15_000)
  expect(networkBytesIn).toBeGreaterThanOrEqual(0)
  expect(networkBytesIn).toBeLessThan(15_000)
  expect(commandOps).toBeLessThan(20)
}

/** Random bytes, so that the compressed journal cannot be smaller than what was inserted. */
async function insertThenScan(client: MongoClient): Promise<void> {
  const collection = client.db('mongoperf_sampler').collection('load')
  for (let n = 0; n < documents; n++) await collection.insertOne({ bytes: randomBytes(kilobyte) })
  await collection.countDocuments({ absent: 1 })
}

const host = ['hostCpuBusyMs', 'hostCpuTotalMs', 'hostCpuIoWaitMs'] as const satisfies readonly MetricName[]

describe('a standalone of ours', onceMore, () => {
  let context: Awaited<ReturnType<typeof startContext>>
  let target: RunningTarget
  let client: MongoClient

  beforeAll(async () => {
    context = await startContext()
    target = await standalone.start(standalone.spec.parse({ kind: 'standalone' }), context)
    client = await MongoClient.connect(target.uri)
  })

  afterAll(async () => {
    await client?.close()
    await target?.[Symbol.asyncDispose]()
    await context?.[Symbol.asyncDispose]()
  })

  test('its counters rise by what a known load must cost', async () => {
    const { totals, ...rest } = first(await observe(membersOf(target), () => insertThenScan(client)))
    const loaded = documents * kilobyte
    expect(memberResources.parse({ totals, ...rest })).toEqual({ totals, ...rest })
    expect(rest).toMatchObject({ role: 'standalone', source: 'getDiagnosticData', restarted: false })
    expect(rest.sampler.failed).toBe(0)

    expect(totals.journalBytes).toBeGreaterThan(loaded)
    expect(totals.journalBytes).toBeLessThan(3 * loaded)
    expect(totals.networkBytesIn).toBeGreaterThan(loaded)
    expect(totals.networkBytesIn).toBeLessThan(2 * loaded)
    expect(totals.docsExamined).toBeGreaterThanOrEqual(documents)
    expect(totals.collectionScans).toBeGreaterThanOrEqual(1)
    expect(totals.writeOps).toBe(documents)
    expect(totals.writeLatencyUs).toBeGreaterThan(0)
    expect(totals.processCpuUs).toBeGreaterThan(0)
    expect(totals.cacheMaxBytes).toBe(256 * kilobyte ** 2)
    expect(totals.connections).toBeGreaterThan(1)
    expect(Object.keys(rest.unavailable)).toContain('replicationLagMs')
  })

  test.runIf(process.platform === 'linux')(
    'a window shorter than the time between two looks still knows the CPU time of the host',
    async () => {
      const { totals, unavailable, perSecond } = first(await observe(membersOf(target), () => systemClock.sleep(30)))
      expect(host.map((name) => unavailable[name])).toEqual(host.map(() => undefined))
      expect(totals.hostCpuTotalMs).toBeGreaterThan(0)
      expect(perSecond.hostCpuTotalMs).toEqual([totals.hostCpuTotalMs])
    },
  )

  test('our own samples are not in what an idle server sent, received and did', async () => {
    const { totals, sampler } = first(await observe(membersOf(target), () => systemClock.sleep(600), 100))
    expectIdle(totals)
    // Each of them is far larger than what an idle server may send.
    expect(sampler.bytes).toBeGreaterThan(5 * 20_000)
  })

  test('one sampler serves window after window, and the seconds of each add up to its total', async () => {
    await using sampler = startSampler({ members: membersOf(target), clock: systemClock })
    for (let round = 0; round < 2; round++) {
      const window = await sampler.openWindow()
      await insertThenScan(client)
      const { totals, perSecond } = first(await (await window.close()).members)
      expect(totals.writeOps).toBe(documents)
      expect(perSecond.writeOps?.reduce<number>((sum, rise) => sum + (rise ?? 0), 0)).toBe(documents)
    }
  })

  test('a member that cannot be reached says why, and does not disturb the others', async () => {
    const [ours, dead] = await observe([...membersOf(target), nowhere], () => insertThenScan(client))
    expect(ours?.totals.writeOps).toBe(documents)
    expect(dead).toMatchObject({ member: 'nowhere', role: 'other', source: null, perSecond: {} })
    expect(metricNames.filter((name) => dead?.totals[name] !== null)).toEqual([])
    expect(metricNames.filter((name) => !dead?.unavailable[name]?.includes('did not answer'))).toEqual([])
    expect(dead?.sampler.failed).toBeGreaterThan(0)
    expect(JSON.stringify(dead)).not.toContain('127.0.0.1')
  })

  test('it tells what it is', async () => {
    expect(await readServerInfo(client, { startedByUs: true, members: [] })).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      topology: 'standalone',
      storageEngine: 'wiredTiger',
      cacheMB: 256,
      cores: expect.any(Number),
      memoryMB: expect.any(Number),
      pinnedCores: null,
      limits: null,
      directIO: false,
      links: null,
      cluster: null,
      os: expect.any(String),
      fileSystem: expect.any(String),
      startedByUs: true,
    })
  })
})

/** How often each member looks at itself before a window, in it, after it, and when the sampler has stopped. */
async function looksAround({ uri, members }: SampledTarget): Promise<unknown[]> {
  const clients = await Promise.all(members.map((member) => MongoClient.connect(memberUri(uri, member.host))))
  const looks = (): Promise<unknown[]> =>
    Promise.all(
      clients.map(async (one) => (await one.db('admin').command({ getParameter: 1, [lookPeriod]: 1 }))[lookPeriod]),
    )
  const seen = [await looks()]
  {
    await using sampler = startSampler({ members: membersOf({ uri, members }), clock: systemClock })
    const window = await sampler.openWindow()
    seen.push(await looks())
    const { members: observed } = await window.close()
    seen.push(await looks())
    await observed
  }
  seen.push(await looks())
  await Promise.all(clients.map((one) => one.close()))
  return seen
}

test('servers of ours look at themselves often around a window, and those of others and of specs that say so as before', async () => {
  await using context = await startContext()
  const members = [{ server: { setParameters: { [lookPeriod]: 300 } } }, {}]
  await using target = await replicaSet.start(replicaSet.spec.parse({ kind: 'replicaSet', members }), context)
  expect(await looksAround(target)).toEqual([
    [300, 1000],
    [300, 1000],
    [300, 100],
    [300, 1000],
  ])
  // As `existing` has it: without a word on who says how often it looks at itself.
  const asExisting = target.members.slice(1).map((member) => ({ name: member.name, host: member.host }))
  expect(await looksAround({ uri: target.uri, members: asExisting })).toEqual([[1000], [1000], [1000], [1000]])
})

test('in a replica set every member is sampled, and the secondary has a lag', onceMore, async () => {
  await using context = await startContext()
  await using target = await replicaSet.start(replicaSet.spec.parse({ kind: 'replicaSet', members: 2 }), context)
  await using client = await MongoClient.connect(target.uri)
  const resources = await observe(membersOf(target), () => insertThenScan(client))
  const primary = resources.find(({ role }) => role === 'primary')
  const secondary = resources.find(({ role }) => role === 'secondary')
  expect(primary?.unavailable.replicationLagMs).toSay('sampler-lag-of-primary')
  expect(secondary?.totals.replicationLagMs).toBeGreaterThanOrEqual(0)
  expect(secondary?.totals.journalBytes).toBeGreaterThan(0)
  expect((await readServerInfo(client, target)).topology).toBe('replica set of 2')
  // Members send a cluster time along, and are sent one.
  for (const { totals } of await observe(membersOf(target), () => systemClock.sleep(300), 100)) expectIdle(totals)
})

test(
  'what a member did for clients is counted there, neither what it replicates nor our own questions are, and what others copy from it is',
  onceMore,
  async () => {
    await using context = await startContext()
    // By default a primary mirrors one in a hundred of its reads, by chance, and the secondary counts them.
    const server = { setParameters: { mirrorReads: '{"samplingRate": 0.0}' } }
    await using target = await replicaSet.start(
      replicaSet.spec.parse({ kind: 'replicaSet', members: 2, server }),
      context,
    )
    await using client = await MongoClient.connect(target.uri)
    const collection = client.db('mongoperf_sampler').collection('load')
    const resources = await observe(membersOf(target), async () => {
      const batch = Array.from({ length: documents }, (_, n) => ({ n }))
      await collection.insertMany(batch, { writeConcern: { w: 2 } })
      const fromSecondary = client
        .db(collection.dbName)
        .collection(collection.collectionName, { readPreference: 'secondary' })
      for (let n = 0; n < 30; n++) await fromSecondary.findOne({ n })
      for (let n = 0; n < 20; n++) await collection.findOne({ n })
      // One reply holds 101 documents unless told otherwise, so a second one has to be asked for.
      await collection.find().limit(200).toArray()
    })
    const countedBy = (role: string): unknown => {
      const {
        readOps,
        writeOps,
        readLatencyUs = null,
        writeLatencyUs = null,
      } = resources.find((one) => one.role === role)?.totals ?? {}
      return { readOps, writeOps, read: Number(readLatencyUs) > 0, wrote: Number(writeLatencyUs) > 0 }
    }
    // Nobody copies from the secondary.
    expect(countedBy('secondary')).toEqual({ readOps: 30, writeOps: 0, read: true, wrote: false })
    expect(countedBy('primary')).toEqual({ readOps: expect.any(Number), writeOps: 1, read: true, wrote: true })
    expect(resources.find(({ role }) => role === 'primary')?.totals.readOps).toBeGreaterThanOrEqual(22)
  },
)

test(
  'a user who may not run getDiagnosticData gets serverStatus, and one who may neither gets reasons',
  onceMore,
  async () => {
    await using mongod = await startTestMongod(inject('mongodPath'), ['--auth'])
    const as = (user: string): SampledMember => ({ member: user, uri: mongod.uri.replace('//', `//${user}:secret@`) })
    {
      await using client = await MongoClient.connect(mongod.uri)
      await client.db('admin').command({ createUser: 'root', pwd: 'secret', roles: ['root'] })
    }
    await using root = await MongoClient.connect(as('root').uri)
    const privileges = [{ resource: { cluster: true }, actions: ['serverStatus'] }]
    await root.db('admin').command({ createRole: 'statusOnly', privileges, roles: [] })
    await root.db('admin').command({ createUser: 'watcher', pwd: 'secret', roles: ['statusOnly'] })
    await root.db('admin').command({ createUser: 'nobody', pwd: 'secret', roles: [] })

    const [watcher, nobody] = await observe([as('watcher'), as('nobody')], () => insertThenScan(root))
    expect(watcher?.source).toBe('serverStatus')
    expect(watcher?.totals.writeOps).toBe(documents)
    expect(watcher?.totals.hostCpuBusyMs).toBeNull()
    expect(watcher?.unavailable.hostCpuBusyMs).toSay('sampler-diagnostics-refused', { reason: 'Unauthorized' })
    expect(nobody?.source).toBeNull()
    expect(nobody?.unavailable.journalBytes).toSay('sampler-status-refused', { reason: 'Unauthorized' })
    expect(JSON.stringify([watcher, nobody])).not.toContain('secret')

    await using limited = await MongoClient.connect(as('nobody').uri)
    expect(await readServerInfo(limited, { startedByUs: false, members: [] })).toMatchObject({
      storageEngine: null,
      cacheMB: null,
      cores: null,
      memoryMB: null,
      os: null,
    })
  },
)

test.skipIf(process.platform === 'win32')(
  'a member that freezes inside of the window has no totals, and the window still closes',
  async () => {
    await using mongod = await startTestMongod(inject('mongodPath'))
    const member = { member: 'frozen', uri: mongod.uri }
    // The end of the window is reckoned from its start and its length, and could lie before what a poll still got to know.
    const freezeForAWhile = async (): Promise<void> => {
      await mongod.freeze()
      await systemClock.sleep(1_000)
    }
    const frozen = first(await observe([member], freezeForAWhile))
    expect(frozen.totals.journalBytes).toBeNull()
    expect(frozen.unavailable.journalBytes).toSay('sampler-window-end-unknown')
    expect(frozen.sampler.failed).toBeGreaterThan(0)
  },
)
