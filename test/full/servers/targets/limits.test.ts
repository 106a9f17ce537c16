import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { MongoClient } from 'mongodb'
import { describe, expect, inject, test } from 'vitest'
import { comesTrue } from '../../../../bench/start/wait.ts'
import { serverFacts } from '../../../../src/report/prose/environment.ts'
import { runBenchmark } from '../../../../src/run/benchmark.ts'
import { createRunEnvironment } from '../../../../src/run/run-environment.ts'
import { startTarget, targetSpec } from '../../../../src/servers/targets/index.ts'
import { listServers, type ServerRecord } from '../../../../src/servers/targets/server/guardian/state.ts'
import { loadSpecText } from '../../../../src/spec/load-spec.ts'
import { whyNoLimits } from '../../../contract/support/limits-here.ts'
import { ask, pidOf } from '../../../contract/support/server-questions.ts'
import { startContext, type TestContext } from '../../../contract/support/start-context.ts'
import { aTree } from '../../../fakes/a-tree.ts'
import { fail } from '../../../fakes/fail.ts'

const reason = await whyNoLimits()

const standalone = (server: object) => targetSpec.parse({ kind: 'standalone', server })

function groupOf({ groups }: Pick<ServerRecord, 'groups'>, controller: 'cpu' | 'memory' | 'blkio'): string {
  const group = groups.find((folder) => folder.startsWith(`/sys/fs/cgroup/${controller}`))
  return group ?? fail(`no ${controller} in ${groups.join()}`)
}

const serverIn = ({ stateFolder }: TestContext): ServerRecord => {
  const [server = fail('no server')] = listServers(stateFolder)
  return server
}

const read = (folder: string, file: string): Promise<string> => readFile(path.join(folder, file), 'utf8')

/** A figure of a file that has "name number" a line. */
async function figure(folder: string, file: string, name: string): Promise<number> {
  return Number(new RegExp(`^(?:.* )?${name} (\\d+)$`, 'm').exec(await read(folder, file))?.[1] ?? 0)
}

describe.skipIf(reason !== undefined)(`limits${reason === undefined ? '' : ` (not tried: ${reason})`}`, () => {
  test('a server runs in groups that have the limits, and they are gone with it', async () => {
    await using context = await startContext()
    const limits = { cpus: 0.5, memoryMB: 400, writeIops: 300 }
    const target = await startTarget(standalone({ limits }), context)
    const server = serverIn(context)
    expect(server.pid).toBe(await pidOf(target.uri))
    expect(server.groups).toHaveLength(3)
    const [cpu, memory, blkio] = (['cpu', 'memory', 'blkio'] as const).map((name) => groupOf(server, name))
    expect(await read(cpu ?? '', 'cpu.cfs_quota_us')).toBe('5000\n')
    expect(await read(memory ?? '', 'memory.limit_in_bytes')).toBe(`${400 * 1024 ** 2}\n`)
    expect(await read(blkio ?? '', 'blkio.throttle.write_iops_device')).toMatch(/^\d+:\d+ 300\n$/)
    for (const group of server.groups) expect(await read(group, 'cgroup.procs')).toBe(`${server.pid}\n`)
    expect(target.members[0]).toMatchObject({ limits: { ...limits, readIops: null }, directIO: false })
    expect(target.commands.join('\n')).toContain(`echo 5000 > ${cpu}/cpu.cfs_quota_us`)

    await target[Symbol.asyncDispose]()
    expect(server.groups.filter((folder) => existsSync(folder))).toEqual([])
    expect(listServers(context.stateFolder)).toEqual([])
  })

  test('a server that wants more than its share of the CPU is made to wait', async () => {
    await using context = await startContext()
    await using target = await startTarget(standalone({ limits: { cpus: 0.1 } }), context)
    const group = groupOf(serverIn(context), 'cpu')
    await using client = new MongoClient(target.uri)
    const numbers = client.db('test').collection('numbers')
    await numbers.insertMany(Array.from({ length: 1000 }, (_, n) => ({ n })))
    const work = (): Promise<unknown> =>
      numbers
        .aggregate([{ $group: { _id: { $mod: ['$n', 7] }, sum: { $sum: { $sqrt: { $pow: ['$n', 3] } } } } }])
        .toArray()
    const isThrottled = async (): Promise<boolean> => {
      await Promise.all(Array.from({ length: 20 }, work))
      return (await figure(group, 'cpu.stat', 'nr_throttled')) > 3
    }
    expect(await comesTrue(isThrottled, 60_000)).toBe(true)
  })

  test('a server without direct I/O reads from the page cache, one with it from the disk that is limited', async () => {
    const reads: number[] = []
    for (const directIO of [false, true]) {
      await using context = await startContext()
      await using target = await startTarget(standalone({ directIO, limits: { readIops: 200 } }), context)
      const group = groupOf(serverIn(context), 'blkio')
      await using client = new MongoClient(target.uri)
      const things = client.db('test').collection<{ _id: number; text: string }>('things')
      await things.insertMany(
        Array.from({ length: 8000 }, (_, _id) => ({ _id, text: randomBytes(1500).toString('hex') })),
      )
      await ask(target.uri, { fsync: 1 })
      // Less than the documents take: most of them have to be read again.
      await ask(target.uri, { setParameter: 1, wiredTigerEngineRuntimeConfig: 'cache_size=8MB' })
      const before = await figure(group, 'blkio.throttle.io_serviced', 'Read')
      for (let n = 0; n < 8000; n += 40) await things.findOne({ _id: n })
      reads.push((await figure(group, 'blkio.throttle.io_serviced', 'Read')) - before)
    }
    const [cached = 0, direct = 0] = reads
    expect(direct).toBeGreaterThan(50)
    expect(cached).toBeLessThan(direct / 5)
  })

  test('a start that is stopped leaves no group', async () => {
    const stop = new AbortController()
    await using context = await startContext({ signal: stop.signal })
    const start = startTarget(standalone({ limits: { cpus: 0.05 } }), context)
    expect(await comesTrue(() => listServers(context.stateFolder).length === 1, 30_000)).toBe(true)
    const { groups } = serverIn(context)
    expect(groups.map((folder) => existsSync(folder))).toEqual([true])
    stop.abort()
    await expect(start).rejects.toMatchObject({ code: 'aborted' })
    expect(groups.map((folder) => existsSync(folder))).toEqual([false])
  })

  test('a run that is killed with -9 leaves no group', async () => {
    await using context = await startContext()
    const script = fileURLToPath(new URL('../../../contract/support/start-and-hang.ts', import.meta.url))
    const limits = JSON.stringify({ cpus: 0.5, memoryMB: 512, readIops: 100 })
    const run = fork(script, [inject('mongodPath'), context.tempFolder, context.stateFolder, limits], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await once(run, 'message')
    const { groups } = serverIn(context)
    expect(groups.map((folder) => existsSync(folder))).toEqual([true, true, true])
    run.kill('SIGKILL')
    await once(run, 'exit')
    expect(await comesTrue(() => listServers(context.stateFolder).length === 0, 60_000)).toBe(true)
    expect(groups.filter((folder) => existsSync(folder))).toEqual([])
  })
})

test('limits that are not required and cannot be kept are no reason to fail, and the row says so', async () => {
  using tree = aTree({ 'proc/': '' })
  await using context = await startContext()
  const spec = {
    name: 'limits-not-kept',
    target: { kind: 'standalone', server: { limits: { cpus: 0.5, required: false } } },
    data: { collection: 'items', rows: 5, document: { n: { '@row': {} } } },
    phases: [{ name: 'read', stopAfter: { operations: 5 }, operations: [{ kind: 'findOne', filter: {} }] }],
  }
  const start = { ...context, host: { ...context.host, root: tree.root } }
  const loaded = loadSpecText(JSON.stringify(spec), 'spec.json')
  const { variants } = await runBenchmark(loaded, createRunEnvironment(start), { start })
  expect(variants).toMatchObject([{ status: 'done', server: { limits: null } }])
  const [warning] = variants[0]?.warnings ?? []
  expect(warning).toMatchObject({ code: 'limits-not-kept', message: expect.stringContaining('no control groups') })
  const fact = serverFacts(variants).find(({ name }) => name === 'Server limits')
  expect(fact?.value).toSay('limits-not-kept-fact')
})

test('limits beyond the machine are refused before a server is looked for', async () => {
  await using context = await startContext({ mongod: () => Promise.reject(new Error('Nobody may ask')) })
  const cpus = { cpus: 10_000, there: availableParallelism() }
  await expect(startTarget(standalone({ limits: { cpus: 10_000 } }), context)).rejects.toSay('limit-above-cores', cpus)
})
