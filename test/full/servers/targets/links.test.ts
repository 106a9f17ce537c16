import { readdir } from 'node:fs/promises'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comesTrue } from '../../../../bench/start/wait.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import { startTarget, targetSpec } from '../../../../src/servers/targets/index.ts'
import { type Conditions, type LinkCondition } from '../../../../src/servers/targets/links/conditions.ts'
import { readProcessIdentity, isAlive } from '../../../../src/servers/targets/server/guardian/process-identity.ts'
import { listServers, type ServerRecord } from '../../../../src/servers/targets/server/guardian/state.ts'
import { type RunningTarget } from '../../../../src/servers/targets/target.ts'
import { ask } from '../../../contract/support/server-questions.ts'
import { startContext, type TestContext } from '../../../contract/support/start-context.ts'
import { fail } from '../../../fakes/fail.ts'

/** A busy machine may cost the ping past a link so much more than the one over it. */
const earlyMs = 3

const proxyIn = ({ stateFolder }: TestContext): ServerRecord =>
  listServers(stateFolder).find(({ program }) => program === 'proxy') ?? fail('no proxy')

const directly = (host: string | undefined): string => `mongodb://${host}/?directConnection=true`

describe.runIf(process.platform === 'linux')('a set with links', () => {
  let context: TestContext
  let target: RunningTarget

  beforeAll(async () => {
    context = await startContext()
    target = await startTarget(
      targetSpec.parse({
        kind: 'replicaSet',
        members: [{ priority: 2 }, {}, {}],
        // So that member1 has to copy from the primary, over their link.
        settings: { heartbeatIntervalMs: 300, chainingAllowed: false },
        links: [
          { from: [0], to: [1], rttMs: 20 },
          { from: ['client'], to: [2], rttMs: 30 },
          { from: ['client'], to: [1], rttMs: 0 },
        ],
      }),
      context,
    )
  })

  afterAll(async () => {
    await target[Symbol.asyncDispose]()
    await context[Symbol.asyncDispose]()
  })

  const conditions = (): Conditions => target.links?.conditions ?? fail('no links')
  const cut: LinkCondition = { kind: 'cut' }
  const stall: LinkCondition = { kind: 'stalled' }

  /** Health of the others, as a member has it: 1 is good. */
  async function healthSeenBy(member: number): Promise<readonly number[]> {
    const status = await ask(directly(target.members[member]?.host), { replSetGetStatus: 1 })
    return (status['members'] as { health: number }[]).map(({ health }) => health)
  }

  test('has the addresses of its proxies, and members that can be asked past them', async () => {
    const hosts = target.members.map(({ hostInSet }) => hostInSet)
    expect(await ask(target.uri, { hello: 1 })).toMatchObject({ hosts, me: hosts[0], primary: hosts[0] })
    for (const { host, hostInSet } of target.members) {
      expect(host).not.toBe(hostInSet)
      expect(await ask(directly(host), { hello: 1 })).toMatchObject({ me: hostInSet })
    }
    expect(target.commands.slice(-4)).toEqual([
      `# proxy ${hosts[0]} -> ${target.members[0]?.host} (member0: member1 20 ms)`,
      `# proxy ${hosts[1]} -> ${target.members[1]?.host} (member1: member0 20 ms)`,
      `# proxy ${hosts[2]} -> ${target.members[2]?.host} (member2: client 30 ms)`,
      expect.stringContaining(`${hosts[1]}`),
    ])
  })

  test('tells what its links came to', () => {
    const pairs = target.links?.achieved.pairs ?? []
    expect(pairs).toMatchObject([
      { from: 'member0', to: 'member1', rttMs: 20, delayed: true },
      { from: 'client', to: 'member2', rttMs: 30, delayed: true },
      { from: 'client', to: 'member1', rttMs: 0, delayed: false },
    ])
    expect(pairs[0]?.achievedMs).toBeGreaterThan(20 - earlyMs)
    expect(pairs[1]?.achievedMs).toBeGreaterThan(30 - earlyMs)
    expect(pairs[2]?.achievedMs).toEqual(expect.any(Number))
    expect(target.links?.achieved.ownCostMs).toEqual(expect.any(Number))
  })

  test('delays what its members say to each other', async () => {
    const status = await ask(directly(target.members[0]?.host), { replSetGetStatus: 1 })
    const [, near] = status['members'] as { pingMs?: number }[]
    expect(near?.pingMs).toBeGreaterThanOrEqual(20 - earlyMs)
  })

  test('acknowledges a write on all members no sooner than the link lets it', async () => {
    await using client = await MongoClient.connect(target.uri)
    const things = client.db('test').collection('slow')
    await things.insertOne({})
    const startMs = systemClock.now()
    await things.insertOne({}, { writeConcern: { w: 3, wtimeoutMS: 20_000 } })
    expect(systemClock.now() - startMs).toBeGreaterThan(20 - earlyMs)
  })

  test('with a link of the client cut has a member that no client reaches, and goes on', async () => {
    await using client = await MongoClient.connect(target.uri)
    const things = client.db('test').collection('cut')
    const farUri = `${directly(target.members[2]?.hostInSet)}&serverSelectionTimeoutMS=500`
    expect(await ask(farUri, { ping: 1 })).toMatchObject({ ok: 1 })
    await conditions().impose(['client', 2], cut)
    await using far = new MongoClient(farUri, { serverSelectionTimeoutMS: 500 })
    await expect(far.db('admin').command({ ping: 1 })).rejects.toMatchObject({ name: 'MongoServerSelectionError' })
    // The members still have each other, and the far one still copies.
    expect(await things.insertOne({}, { writeConcern: { w: 3, wtimeoutMS: 20_000 } })).toMatchObject({
      acknowledged: true,
    })
    await conditions().lift(['client', 2], cut)
    expect(await ask(farUri, { ping: 1 })).toMatchObject({ ok: 1 })
  })

  test('with a link of two members cut has two that do not see each other, and a third that sees both', async () => {
    await conditions().impose([1, 2], cut)
    expect(await comesTrue(async () => (await healthSeenBy(1))[2] === 0, 20_000)).toBe(true)
    expect(await comesTrue(async () => (await healthSeenBy(2))[1] === 0, 20_000)).toBe(true)
    expect(await healthSeenBy(0)).toEqual([1, 1, 1])
    await conditions().lift([1, 2], cut)
    expect(await comesTrue(async () => (await healthSeenBy(1))[2] === 1, 20_000)).toBe(true)
  })

  test('with a stalled link keeps what is sent, and delivers all of it when it is open again', async () => {
    await using client = await MongoClient.connect(target.uri)
    await using past = await MongoClient.connect(directly(target.members[0]?.host))
    const things = client.db('test').collection<{ _id: number }>('stalled')
    const arrived = () => past.db('test').collection('stalled').countDocuments()
    await things.insertOne({ _id: -1 })
    await conditions().impose(['client', 0], stall)
    const inserts = Array.from({ length: 50 }, (_, _id) => things.insertOne({ _id }))
    await systemClock.sleep(300)
    expect(await arrived()).toBe(1)
    await conditions().lift(['client', 0], stall)
    expect((await Promise.all(inserts)).map(({ insertedId }) => insertedId)).toEqual(inserts.map((_, index) => index))
    expect(await arrived()).toBe(51)
  })

  test('has its proxies in a process that is written down', () => {
    expect(isAlive(proxyIn(context))).toBe(true)
    expect(listServers(context.stateFolder)).toHaveLength(4)
  })
})

describe.runIf(process.platform === 'linux')('the process of the proxies', () => {
  const links = [{ from: ['client'], to: [0], rttMs: 5 }]

  test('goes with its set', async () => {
    await using context = await startContext()
    const target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 1, links }), context)
    const proxy = proxyIn(context)
    expect(isAlive(proxy)).toBe(true)
    await target[Symbol.asyncDispose]()
    expect(isAlive(proxy)).toBe(false)
    expect(listServers(context.stateFolder)).toEqual([])
    expect(await readdir(context.tempFolder)).toEqual(['state'])
  })

  test('goes with a set whose start is stopped', async () => {
    const stop = new AbortController()
    await using context = await startContext({ signal: stop.signal })
    const start = startTarget(targetSpec.parse({ kind: 'replicaSet', members: 1, links }), context)
    const isThere = () => listServers(context.stateFolder).some(({ program }) => program === 'proxy')
    expect(await comesTrue(isThere, 60_000)).toBe(true)
    stop.abort()
    await expect(start).rejects.toMatchObject({ code: 'aborted' })
    expect(listServers(context.stateFolder)).toEqual([])
  })

  test('that dies leaves servers that can still be stopped, and a set whose own names lead nowhere', async () => {
    await using context = await startContext()
    const target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 1, links }), context)
    const { pid } = proxyIn(context)
    const proxy = readProcessIdentity(pid)
    process.kill(pid, 'SIGKILL')
    expect(await comesTrue(() => !isAlive(proxy), 30_000)).toBe(true)
    const cut = target.links?.conditions.impose(['client', 0], { kind: 'cut' })
    await expect(cut).rejects.toMatchObject({ code: 'no-server' })
    // As through a tunnel: the set names its member by an address that is out of reach.
    const { host = '', hostInSet = '' } = target.members[0] ?? {}
    const uri = `mongodb://ann:hunter2@${host}/`
    const tunnel = startTarget(targetSpec.parse({ kind: 'existing' }), { ...context, uri: () => uri })
    await expect(tunnel).rejects.toSay('target-members-out-of-reach', { member: hostInSet })
    await target[Symbol.asyncDispose]()
    expect(listServers(context.stateFolder)).toEqual([])
  })
})
