import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { createServer } from 'node:tls'
import { beforeAll, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../../../bench/start/mongod.ts'
import { languageDigest, toolVersion } from '../../../../src/core/versions.ts'
import { announcementKey, agentIds } from '../../../../src/run/agents/keys.ts'
import { hasOpenssl, makeCertificates } from '../../../contract/support/certificates.ts'
import { type Workplace, workplace } from '../../../contract/support/program.ts'
import { startTestRedis } from '../../../contract/support/redis.ts'

let mongod: TestMongod
beforeAll(async () => {
  mongod = await startTestMongod(inject('mongodPath'))
  return () => mongod[Symbol.asyncDispose]()
})

const spec = {
  name: 'joining',
  target: { kind: 'existing' },
  data: { collection: 'c', rows: 20, document: { _id: { '@row': {} } } },
  phases: [
    {
      name: 'find',
      load: { kind: 'closed', workers: 2 },
      stopAfter: { operations: 100 },
      operations: [{ kind: 'findOne', filter: { _id: { '@key': {} } } }],
    },
  ],
}

/** Runs a spec on one agent, which meets the run at a queue. */
async function runAt(queue: string, place: Workplace, env: Record<string, string> = {}) {
  const agent = place.start(['agent', '--queue', queue, '--name', 'only', '--threads', '1'], {
    MONGO_PERF_URI: mongod.uri,
    ...env,
  })
  await agent.says('waits for runs')
  // In a process of its own: Node reads NODE_EXTRA_CA_CERTS when it starts.
  return await place.start(['run', await place.spec(spec), '--uri', mongod.uri, '--agents', queue], env).ended
}

const alike = {
  version: toolVersion(),
  language: languageDigest(),
  nodeMajor: Number(process.versions.node.split('.')[0]),
}

test.each([
  [
    'version, also when it announces other things',
    { version: '0.0.1', cores: 4 },
    'runs mongo-perf 0.0.1, and this is',
  ],
  ['major version of Node', { ...alike, nodeMajor: 18 }, 'runs on Node 18, and this is Node'],
  ['language of specs', { ...alike, language: 'other' }, 'reads another language of specs'],
])('an agent of another %s is refused by name', async (_what, announced, reason) => {
  await using place = await workplace()
  await using redis = await startTestRedis()
  const old = { id: 'old-1', name: 'attic', ...announced }
  await redis.client.sadd(agentIds, old.id)
  await redis.client.set(announcementKey(old.id), JSON.stringify(old))
  const { code, stderr } = await place.run(['run', await place.spec(spec), '--uri', mongod.uri, '--agents', redis.url])
  expect(stderr).toContain(`The agent attic ${reason}`)
  expect(code).toBe(3)
})

test('a queue that may evict keys gets one warning, at the agent and at the run', async () => {
  await using place = await workplace()
  await using redis = await startTestRedis(['--maxmemory-policy', 'allkeys-lru'])
  const agent = place.start(['agent', '--queue', redis.url, '--threads', '1'], { MONGO_PERF_URI: mongod.uri })
  await agent.says('waits for runs')
  const ran = await place.run(['run', await place.spec(spec), '--uri', mongod.uri, '--agents', redis.url])
  agent.child.kill('SIGTERM')
  const served = await agent.ended
  expect(ran.code).toBe(0)
  for (const { stdout, stderr } of [ran, served]) {
    expect(stderr.match(/maxmemory-policy is allkeys-lru/g)).toHaveLength(1)
    expect(stdout + stderr).not.toContain('Eviction policy')
  }
})

test('an agent whose second connection is refused by the queue ends, and names the limit', async () => {
  await using place = await workplace()
  // One for this test, and one for the agent.
  await using redis = await startTestRedis(['--maxclients', '2'])
  const { code, stderr } = await place.run(['agent', '--queue', redis.url], { MONGO_PERF_URI: mongod.uri })
  expect(stderr).toHaveLine('queue-closes-hint')
  expect(code).toBe(4)
})

/** What agents and runs need of Redis: the rule of the manual. */
const rule =
  'resetchannels ~mongo-perf:* &mongo-perf:* +@read +@write +@pubsub +@transaction +@scripting +@connection -@dangerous +info +time +client|setname'

test('a user of Redis who may reach nothing but what is of mongo-perf is enough', async () => {
  await using place = await workplace()
  await using redis = await startTestRedis()
  await redis.client.call('ACL', 'SETUSER', 'load', 'on', '>sesame', ...rule.split(' '))
  const queue = redis.url.replace('redis://', 'redis://load:sesame@')
  const { code, stderr } = await runAt(queue, place)
  expect(stderr).not.toMatch(/NOPERM|error:/)
  expect(code).toBe(0)
  expect(await redis.client.call('ACL', 'LOG')).toEqual([])
})

test('a user of Redis who may not run scripts is refused at once, by agents and runs', async () => {
  await using place = await workplace()
  await using redis = await startTestRedis()
  await redis.client.call('ACL', 'SETUSER', 'load', 'on', '>sesame', ...rule.replace(' +@scripting', '').split(' '))
  const queue = redis.url.replace('redis://', 'redis://load:sesame@')
  const agent = await place.run(['agent', '--queue', queue], { MONGO_PERF_URI: mongod.uri })
  const run = await place.run(['run', await place.spec(spec), '--uri', mongod.uri, '--agents', queue])
  for (const { code, stderr } of [agent, run]) {
    expect(stderr.replace(/(?<=queue )redis:\S+/, 'URL')).toHaveLine('run-queue-user-may-not', { queue: 'URL' })
    expect(code).toBe(4)
  }
})

test.each([
  ['/abc', 'queue-no-url'],
  ['/3/x', 'queue-no-url'],
  ['/99', 'queue-no-such-database'],
])('a queue at "%s" is refused, not looked for elsewhere', async (at, saying) => {
  await using place = await workplace()
  await using redis = await startTestRedis()
  const { code, stderr } = await place.run(['agents', '--queue', `${redis.url}${at}`])
  expect(stderr.replace(/(?<=queue )redis:\S+/, 'URL')).toSay(saying)
  expect([2, 4]).toContain(code)
})

test.runIf(hasOpenssl)('rediss:// is TLS, with an authority that NODE_EXTRA_CA_CERTS names', async () => {
  await using place = await workplace()
  await using redis = await startTestRedis()
  await using certificates = await makeCertificates()
  const pem = await readFile(certificates.server)
  // Builds of Redis without TLS exist: in front of it, any has.
  const proxy = createServer({ key: pem, cert: pem }, (client) => {
    const server = createConnection(Number(new URL(redis.url).port), '127.0.0.1')
    client.pipe(server).pipe(client)
    for (const one of [client, server]) {
      one.on('error', () => undefined)
      one.on('close', () => [client, server].forEach((both) => both.destroy()))
    }
  }).listen(0, '127.0.0.1')
  try {
    await once(proxy, 'listening')
    const address = proxy.address()
    const queue = `rediss://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    expect(await runAt(queue, place, { NODE_EXTRA_CA_CERTS: certificates.authority })).toMatchObject({ code: 0 })
    const distrusting = await place.run(['agents', '--queue', queue])
    expect(distrusting.code).toBe(4)
    expect(distrusting.stderr).toContain('NODE_EXTRA_CA_CERTS')
  } finally {
    proxy.close()
  }
})
