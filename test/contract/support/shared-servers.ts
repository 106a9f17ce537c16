import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { Redis } from 'ioredis'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { lookOften } from '../../../bench/start/mongod.ts'
import { thisMachine } from '../../../src/servers/machine.ts'
import { startTarget, targetSpec } from '../../../src/servers/targets/index.ts'
import { lookPeriod } from '../../../src/servers/targets/server/process/mongod-process.ts'
import { makeServerFolders } from '../../../src/servers/targets/server/process/server-folders.ts'
import { findFreePort } from '../../../src/servers/targets/server/process/server-process.ts'
import { resolveServerOptions } from '../../../src/servers/targets/server/server-options.ts'
import { createStartContext } from '../../../src/servers/targets/start/start-context.ts'
import { fail } from '../../fakes/fail.ts'

/**
 * A server that all tests of a worker use, one file after the other. Workers share none: files set fail points, parameters and profiles of a whole
 * server, count what it has done, and drop what is on it.
 */
export type SharedServer = { readonly uri: string; readonly client: MongoClient }

/** A Redis that all tests of a worker use. */
export type SharedRedis = { readonly url: string; readonly client: Redis }

type Started = SharedServer & { readonly parameters: Document }

/** How servers start that outlive a file of tests: their guardian ends them when the worker is gone, however that ends. */
const context = createStartContext({
  machine: thisMachine(process.env),
  mongod: inject('mongodPath'),
  uri: () => undefined,
  allowRemote: false,
  signal: new AbortController().signal,
  log: () => undefined,
})

/** What runs in this worker, started when it is asked for first. */
const running = new Map<string, Promise<Started>>()
let redis: Promise<SharedRedis> | undefined

const testCommands = { enableTestCommands: 1 }

/** A `mongod` without replication. What a file leaves on it is dropped after the file, and its state is what it was at first. */
export const sharedServer = (): SharedServer => shared({ kind: 'standalone', server: { setParameters: testCommands } })

/** A replica set of one member, as `sharedServer`: for transactions, snapshots and majorities alone. */
export const sharedPrimary = (): SharedServer =>
  shared({ kind: 'replicaSet', members: 1, server: { setParameters: testCommands } })

/** A replica set of three members for this file: three that idle until the last file cost more than their start. */
export function ownSet(): SharedServer {
  let here: (AsyncDisposable & SharedServer) | undefined
  const server = { setParameters: { ...lookOften, ...testCommands } }
  beforeAll(async () => void (here = await start({ kind: 'replicaSet', members: 3, server })))
  afterAll(() => here?.[Symbol.asyncDispose]())
  return whileTestsRun(() => here)
}

/** A Redis without a password, which is empty after each file. */
export function sharedRedis(): SharedRedis {
  let here: SharedRedis | undefined
  beforeAll(async () => void (here = await (redis ??= startRedis())))
  afterAll(async () => void (await here?.client.flushall()))
  const standing = () => here ?? fail('Redis is there only while tests run')
  return {
    get url() {
      return standing().url
    },
    get client() {
      return standing().client
    },
  }
}

function shared(target: { readonly kind: string; readonly server: object; readonly members?: number }): SharedServer {
  let here: Started | undefined
  beforeAll(async () => {
    const key = JSON.stringify(target)
    const started = running.get(key) ?? startToShare(target)
    running.set(key, started)
    here = await started
    // While no file uses it, it looks at itself once a second: ten looks take 2 % of a core.
    await here.client.db('admin').command({ setParameter: 1, ...lookOften })
  })
  afterAll(async () => void (here && (await restore(here))))
  return whileTestsRun(() => here)
}

function whileTestsRun(find: () => SharedServer | undefined): SharedServer {
  const standing = () => find() ?? fail('The server is there only while tests run')
  return {
    get uri() {
      return standing().uri
    },
    get client() {
      return standing().client
    },
  }
}

async function start(target: object): Promise<SharedServer & AsyncDisposable> {
  const started = await startTarget(targetSpec.parse(target), { ...context, scripting: true })
  // Its monitors open no further connection after ten seconds, which a test may count.
  const client = new MongoClient(started.uri, { serverMonitoringMode: 'poll' })
  return {
    uri: started.uri,
    client,
    async [Symbol.asyncDispose]() {
      await client.close()
      await started[Symbol.asyncDispose]()
    },
  }
}

async function startToShare(target: object): Promise<Started> {
  const { uri, client } = await start(target)
  return { uri, client, parameters: await parametersOf(client) }
}

/** Parameters that a server computes when something is used for the first time. */
const computedLater = new Set(['timeseriesIdleBucketExpiryMemoryUsageThreshold'])

const isFixed = (name: string): boolean => !name.startsWith('failpoint.') && !computedLater.has(name)

/** Fail points are among them, with how often they were entered. */
async function parametersOf(client: MongoClient): Promise<Document> {
  const {
    operationTime: _time,
    $clusterTime: _cluster,
    ...all
  } = await client.db('admin').command({ getParameter: '*' })
  return Object.fromEntries(Object.entries(all).filter(([name]) => isFixed(name)))
}

const ownDatabases = new Set(['admin', 'config', 'local'])

/** @throws When a test has left another parameter behind: those that come after would run on another server. */
async function restore({ client, parameters }: Started): Promise<void> {
  const admin = client.db('admin')
  await admin.command({ configureFailPoint: 'failCommand', mode: 'off' })
  await admin.command({ setParameter: 1, [lookPeriod]: parameters[lookPeriod] })
  const { databases } = await admin.admin().listDatabases({ nameOnly: true })
  for (const { name } of databases) {
    if (ownDatabases.has(name)) continue
    await client.db(name).command({ profile: 0, slowms: 100, sampleRate: 1 })
    await client.db(name).dropDatabase()
  }
  expect(await parametersOf(client)).toEqual(parameters)
}

async function startRedis(): Promise<SharedRedis> {
  await context.supervisor.guard()
  const port = await findFreePort()
  const folders = await makeServerFolders(resolveServerOptions(), 'redis', tmpdir())
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folders.data]
  const { pid = fail('Redis did not start') } = spawn(inject('redisPath'), args, { stdio: 'ignore' })
  context.supervisor.record({ pid, program: 'redis', name: 'redis', port, folders: [...folders.owned], groups: [] })
  const url = `redis://127.0.0.1:${port}`
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 })
  client.on('error', () => undefined)
  await client.ping()
  return { url, client }
}
