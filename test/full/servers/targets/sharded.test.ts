import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../../src/entries/index.ts'
import { startTarget, targetSpec } from '../../../../src/servers/targets/index.ts'
import { listServers } from '../../../../src/servers/targets/server/guardian/state.ts'
import { type ClusterSpec, planSets } from '../../../../src/servers/targets/sharded/cluster-plan.ts'
import { initiationLine, runningSets, startSets } from '../../../../src/servers/targets/sharded/start-sets.ts'
import { ownServer } from '../../../contract/support/own-server.ts'
import { ask } from '../../../contract/support/server-questions.ts'
import { fewReads } from '../../../contract/support/specs.ts'
import { startContext } from '../../../contract/support/start-context.ts'

const server = ownServer()

function clusterSpec(fields: object): ClusterSpec {
  const spec = targetSpec.parse({ kind: 'sharded', ...fields })
  if (spec.kind !== 'sharded') throw new Error('Expected a cluster')
  return spec
}

const askAt = (host: string, command: Record<string, unknown>): Promise<Record<string, unknown>> =>
  ask(`mongodb://${host}/?directConnection=true`, command)

test('config servers and shards start in their roles, form their sets, and go without a trace', async () => {
  await using context = await startContext()
  const shards = [{}, { server: { cacheGB: 0.3 } }, { members: 3, settings: { heartbeatIntervalMs: 500 } }]
  const plans = planSets(clusterSpec({ shards, server: { oplogMB: 100 } }))
  const servers = await startSets(plans, context)
  const sets = runningSets(plans, servers)
  expect(sets.map(({ name, hosts }) => [name, hosts.length])).toEqual([
    ['config', 1],
    ['shard0', 1],
    ['shard1', 1],
    ['shard2', 3],
  ])
  for (const { name, role, hosts } of sets) {
    const options = await Promise.all(hosts.map((host) => askAt(host, { getCmdLineOpts: 1 })))
    for (const { parsed } of options)
      expect(parsed).toMatchObject({
        replication: { replSet: name, oplogSizeMB: 100 },
        sharding: { clusterRole: role },
        storage: { wiredTiger: { engineConfig: { cacheSizeGB: name === 'shard1' ? 0.3 : 0.25 } } },
      })
    const hellos = await Promise.all(hosts.map((host) => askAt(host, { hello: 1 })))
    expect(hellos.map(({ setName }) => setName)).toEqual(hosts.map(() => name))
    expect(hellos.filter(({ isWritablePrimary }) => isWritablePrimary)).toHaveLength(1)
    expect(hellos.filter(({ secondary }) => secondary)).toHaveLength(hosts.length - 1)
    expect(hellos.every((hello) => 'configsvr' in hello)).toBe(role === 'configsvr')
  }
  const [config, , , last] = sets
  expect(config && initiationLine(config)).toContain('"configsvr":true')
  expect(last && initiationLine(last)).toContain('"heartbeatIntervalMillis":500')
  expect(listServers(context.stateFolder).map(({ name }) => name)).toContain('shard2/member2')

  await servers[Symbol.asyncDispose]()
  expect(listServers(context.stateFolder)).toEqual([])
  expect(await readdir(context.tempFolder)).toEqual(['state'])
})

test('when a member of one set cannot start, none of any set is left', async () => {
  await using context = await startContext()
  const broken = { server: { setParameters: { noSuchParameter: 1 } } }
  const start = startSets(planSets(clusterSpec({ shards: [{}, broken] })), context)
  await expect(start).rejects.toMatchObject({
    code: 'no-server',
    message: expect.stringMatching(/^The mongod for shard1\/member0 .*noSuchParameter/),
  })
  expect(listServers(context.stateFolder)).toEqual([])
  expect(await readdir(context.tempFolder)).toEqual(['state'])
})

test('without a mongos nothing is started', async () => {
  await using context = await startContext()
  const start = startTarget(targetSpec.parse({ kind: 'sharded' }), context)
  await expect(start).rejects.toMatchObject({ code: 'not-measurable-here' })
  expect(await readdir(context.tempFolder)).toEqual([])
})

/** A program that is no router: all that can be seen of one here is how its end is told. */
test('a router that ends at once is told with its last words, and nothing is left of its cluster', async () => {
  await using context = await startContext()
  const binary = path.join(context.tempFolder, 'mongos')
  await writeFile(binary, '#!/bin/sh\necho "bad option for $2" >&2\nexit 2\n', { mode: 0o755 })
  const mongos = async () => ({ path: binary, version: '6.0.5', source: 'test', tried: [] })
  const start = startTarget(targetSpec.parse({ kind: 'sharded', shards: 1 }), { ...context, mongos })
  const problem = await start.catch((error: unknown) => error)
  const port = String(/--port=(\d+)/.exec(String(problem))?.[1])
  expect(problem).toSay('router-ended-at-once', { binary, port })
  expect(listServers(context.stateFolder)).toEqual([])
  expect((await readdir(context.tempFolder)).toSorted()).toEqual(['mongos', 'state'])
})

test('a spec that shards is refused by a server that is no router, and leaves no collection there', async () => {
  const spec = fewReads({
    name: 'not-sharded',
    target: { kind: 'existing' },
    data: { collection: 'docs', rows: 10, sharding: { key: { _id: 'hashed' } }, document: { _id: { '@row': {} } } },
  })
  await expect(run(spec, { uri: server.uri })).rejects.toSay('sharding-without-router', { collection: 'docs' })
  expect(await server.client.db('mongoperf_not_sharded').collections()).toEqual([])
})
