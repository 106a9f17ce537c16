import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { comesTrue } from '../../../../bench/start/wait.ts'
import { createLastingConnection, type LastingConnection } from '../../../../src/protocol/wire/run-command.ts'
import { plainSettings } from '../../../../src/protocol/wire/settings.ts'
import { startTarget, targetSpec } from '../../../../src/servers/targets/index.ts'
import { readProcessIdentity, isAlive } from '../../../../src/servers/targets/server/guardian/process-identity.ts'
import { listServers } from '../../../../src/servers/targets/server/guardian/state.ts'
import { resolveLimits } from '../../../../src/servers/targets/server/limits/server-limits.ts'
import { type ServerControl } from '../../../../src/servers/targets/server/process/server-life.ts'
import { type RunningTarget } from '../../../../src/servers/targets/target.ts'
import { whyNoLimits } from '../../../contract/support/limits-here.ts'
import { ask, pidOf } from '../../../contract/support/server-questions.ts'
import { startContext, type TestContext } from '../../../contract/support/start-context.ts'
import { fail } from '../../../fakes/fail.ts'

const never = new AbortController().signal
const quickEnd = { setParameters: { shutdownTimeoutMillisForSignaledShutdown: 100 } }

const controlIn = ({ processes }: RunningTarget, index = 0): ServerControl => processes?.[index] ?? fail('No process')
const connectTo = (host: string): LastingConnection => createLastingConnection(plainSettings(host))
const directly = (host: string): string => `mongodb://${host}/?directConnection=true`

type End = (control: ServerControl) => Promise<void>

const ends: readonly (readonly [string, End])[] = [
  ['after a kill', ({ kill }) => kill()],
  ['after a clean end', ({ terminate }) => terminate(never)],
  [
    'after a kill while it was paused',
    async ({ pause, kill }) => {
      await pause()
      await kill()
    },
  ],
]

const diesOfItsFiles: End = async ({ setFileSizeLimit, host, isRunning }) => {
  await setFileSizeLimit(0)
  await ask(directly(host), { fsync: 1 }).catch(() => undefined)
  if (!(await comesTrue(() => !isRunning(), 60_000))) fail('not ended')
}

const onLinux: typeof ends =
  process.platform === 'linux'
    ? [...ends, ['after a file that it might not write, without that limit', diesOfItsFiles]]
    : ends

describe('the process of a server', () => {
  let context: TestContext
  let target: RunningTarget
  let control: ServerControl

  beforeAll(async () => {
    context = await startContext()
    target = await startTarget(targetSpec.parse({ kind: 'standalone', server: quickEnd }), context)
    control = controlIn(target)
  })

  afterAll(async () => {
    await target[Symbol.asyncDispose]()
    await context[Symbol.asyncDispose]()
  })

  test.each(onLinux)('comes back %s, on its port, with its data, and written down', async (_how, end) => {
    const uri = directly(control.host)
    await using client = await MongoClient.connect(uri)
    const things = client.db('test').collection('kept')
    await things.insertOne({}, { writeConcern: { w: 1, j: true } })
    const documents = await things.countDocuments()
    const last = readProcessIdentity(control.pid())
    const [{ folders } = fail('no server')] = listServers(context.stateFolder)
    const heard: number[] = []
    control.onNewProcess((pid) => heard.push(pid))
    await end(control)
    expect([isAlive(last), control.isRunning()]).toEqual([false, false])
    // Written down while nothing runs: somebody has to remove its data.
    expect(listServers(context.stateFolder)).toMatchObject([{ pid: last.pid, folders }])
    await control.restart()
    expect(control.isRunning()).toBe(true)
    expect(control.pid()).not.toBe(last.pid)
    // Before it there are others where somebody had taken its port meanwhile.
    expect(heard.at(-1)).toBe(control.pid())
    expect(await pidOf(uri)).toBe(control.pid())
    expect(listServers(context.stateFolder)).toMatchObject([{ pid: control.pid(), folders }])
    expect(await things.countDocuments()).toBe(documents)
  })

  test.runIf(process.platform === 'linux')('writes again when the limit is lifted in time', async () => {
    // Larger than any file that it has.
    await control.setFileSizeLimit(2 ** 40)
    await control.setFileSizeLimit(null)
    expect(await ask(directly(control.host), { fsync: 1 })).toMatchObject({ ok: 1 })
  })

  test('says nothing while it is paused, and goes on with what it was asked', async () => {
    const connection = connectTo(control.host)
    expect(await connection.command({ ping: 1 })).toMatchObject({ ok: 1 })
    await control.pause()
    let answer: unknown
    const asked = connection.command({ ping: 1 }).then((reply) => (answer = reply))
    expect(await comesTrue(() => answer !== undefined, 500)).toBe(false)
    await control.resume()
    expect(await asked).toMatchObject({ ok: 1 })
    connection.close()
  })

  test('is not started anew where it runs', async () => {
    const pid = control.pid()
    await control.restart()
    expect(control.pid()).toBe(pid)
  })

  test('comes back when another that started at the same moment has left its port', async () => {
    const data = path.join(context.tempFolder, 'another')
    await mkdir(data)
    await control.kill()
    const port = control.host.split(':')[1]
    const start = () => spawn(inject('mongodPath'), [`--port=${port}`, `--dbpath=${data}`], { stdio: 'ignore' })
    let another = start()
    const launched: number[] = []
    control.onNewProcess((pid) => launched.push(pid))
    let restarted: Promise<void> | undefined
    try {
      // It has bound the port before it opens its files, and listens after that: ours may bind the port too, but not listen.
      // A client of another test may have had the port for a moment, as the near end of a connection: it ends then.
      const hasFiles = (): boolean => {
        if (another.exitCode !== null) another = start()
        return existsSync(path.join(data, 'WiredTiger'))
      }
      if (!(await comesTrue(hasFiles, 30_000))) fail('no files')
      restarted = control.restart()
      await Promise.race([restarted, comesTrue(() => launched.length > 1, 30_000)])
    } finally {
      const ended = once(another, 'exit')
      if (another.kill('SIGKILL')) await ended
    }
    await restarted
    expect(await pidOf(directly(control.host))).toBe(control.pid())
  })

  test('comes back once, however often it is asked for', async () => {
    await control.kill()
    await Promise.all([control.restart(), control.restart()])
    expect(listServers(context.stateFolder)).toHaveLength(1)
    expect(control.isRunning()).toBe(true)
  })

  test('cannot be ended twice', async () => {
    await control.kill()
    await expect(control.kill()).rejects.toThrow('member0 was not running')
    await expect(control.pause()).rejects.toThrow('member0 was not running')
    await control.restart()
  })

  test('answers a question that it refuses with its reason, and the next one', async () => {
    const connection = connectTo(control.host)
    await expect(connection.command({ noSuchCommand: 1 })).rejects.toThrow('no such command')
    expect(await connection.command({ ping: 1 })).toMatchObject({ ok: 1 })
    await control.kill()
    await expect(connection.command({ ping: 1 })).rejects.toThrow('connection')
    await control.restart()
    expect(await connection.command({ ping: 1 })).toMatchObject({ ok: 1 })
    connection.close()
  })
})

test('a member that is wanted back while it still leaves is not killed: after a crash its rollback id would rise', async () => {
  await using context = await startContext()
  const slowEnd = { setParameters: { shutdownTimeoutMillisForSignaledShutdown: 12_000 } }
  await using target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 2, server: slowEnd }), context)
  const control = controlIn(target, 1)
  const rollbackId = async (): Promise<unknown> =>
    (await connectTo(control.host).command({ replSetGetRBID: 1 }))['rbid']
  const [before, pid] = [await rollbackId(), control.pid()]
  await control.terminate(AbortSignal.abort())
  expect(control.isRunning()).toBe(true)
  await control.restart()
  expect(control.pid()).not.toBe(pid)
  expect(await rollbackId()).toBe(before)
})

test.each(['dead', 'paused', 'started anew'])('a target whose server is %s goes without a trace', async (how) => {
  await using context = await startContext()
  const target = await startTarget(targetSpec.parse({ kind: 'standalone' }), context)
  const control = controlIn(target)
  if (how === 'paused') await control.pause()
  else await control.kill()
  if (how === 'started anew') await control.restart()
  const last = readProcessIdentity(control.pid())
  await target[Symbol.asyncDispose]()
  expect(isAlive(last)).toBe(false)
  expect(listServers(context.stateFolder)).toEqual([])
  expect(await readdir(context.tempFolder)).toEqual(['state'])
})

test.runIf((await whyNoLimits()) === undefined)(
  'a server that comes back is held to the limits that it has by then',
  async () => {
    await using context = await startContext()
    const spec = targetSpec.parse({ kind: 'standalone', server: { limits: { cpus: 1 } } })
    await using target = await startTarget(spec, context)
    const changed = await target.changeLimits?.([resolveLimits({ cpus: 0.5 })])
    const control = controlIn(changed ?? fail('no change'))
    await control.kill()
    await control.restart()
    const [{ groups } = fail('no server')] = listServers(context.stateFolder)
    const [group = fail('no group')] = groups
    expect((await readFile(path.join(group, 'cgroup.procs'), 'utf8')).split('\n')).toContain(String(control.pid()))
    expect((await readFile(path.join(group, 'cpu.cfs_quota_us'), 'utf8')).trim()).toBe('5000')
  },
)

test.runIf(process.platform === 'linux')('links are cut of a member that was started anew, too', async () => {
  await using context = await startContext({ needs: { proxies: true, testCommands: false } })
  const settings = { heartbeatIntervalMs: 200 }
  await using target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 3, settings }), context)
  const control = controlIn(target, 2)
  await control.kill()
  await control.restart()
  const sees = (member: number, other: number, health: number): Promise<boolean> =>
    comesTrue(async () => {
      // One that is just back may not know its set yet.
      const status = await ask(directly(controlIn(target, member).host), { replSetGetStatus: 1 }).catch(() => undefined)
      return (status?.['members'] as { health: number }[] | undefined)?.[other]?.health === health
    }, 30_000)
  expect(await sees(1, 2, 1)).toBe(true)
  expect(await sees(2, 1, 1)).toBe(true)
  // What the new process opens is told from what a client opens, by its process id.
  const cut = { kind: 'cut' } as const
  await target.links?.conditions.impose([1, 2], cut)
  expect(await sees(2, 1, 0)).toBe(true)
  expect(await sees(1, 2, 0)).toBe(true)
  await target.links?.conditions.lift([1, 2], cut)
  expect(await sees(2, 1, 1)).toBe(true)
})

test('servers take test commands where faults need them', async () => {
  const set = targetSpec.parse({ kind: 'standalone' })
  const point = { configureFailPoint: 'failCommand', mode: 'off' }
  await using context = await startContext({ needs: { proxies: false, testCommands: true } })
  await using target = await startTarget(set, context)
  expect(await ask(target.uri, point)).toMatchObject({ ok: 1 })
  expect(target.commands.at(-1)).toContain('--setParameter=enableTestCommands=1')
  await using plain = await startTarget(set, { ...context, needs: { proxies: false, testCommands: false } })
  await expect(ask(plain.uri, point)).rejects.toThrow('configureFailPoint')
})
