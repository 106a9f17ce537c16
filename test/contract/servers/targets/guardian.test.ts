import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, test } from 'vitest'
import { comesTrue } from '../../../../bench/start/wait.ts'
import {
  readProcessIdentity,
  isAlive,
  type ProcessIdentity,
} from '../../../../src/servers/targets/server/guardian/process-identity.ts'
import { cleanLeftovers, listServers } from '../../../../src/servers/targets/server/guardian/state.ts'
import { createSupervisor } from '../../../../src/servers/targets/server/guardian/supervisor.ts'
import { guardianOf } from '../../support/guardian-of.ts'
import { startContext, type TestContext } from '../../support/start-context.ts'

/** A server gets 2 s to end when asked; all the rest is for a busy machine. */
const patienceMs = 60_000

/** Another process starts a server and is killed with no chance to stop it. */
async function startElsewhere({ tempFolder, stateFolder }: TestContext) {
  const script = fileURLToPath(new URL('../../support/start-and-hang.ts', import.meta.url))
  const args = [inject('mongodPath'), tempFolder, stateFolder]
  const run = fork(script, args, { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [pid] = await once(run, 'message')
  return {
    run,
    server: readProcessIdentity(Number(pid)),
    kill: async () => {
      run.kill('SIGKILL')
      await once(run, 'exit')
    },
  }
}

/** A process that stands for a server, where it does not matter what it does. */
const startSleeper = (): number => Number(spawn('sleep', ['600'], { stdio: 'ignore' }).pid)

/** Waits for the server and its entry to go. */
const goes = (server: ProcessIdentity, stateFolder: string): Promise<boolean> =>
  comesTrue(() => !isAlive(server) && listServers(stateFolder).length === 0, patienceMs)

test('a run that is killed with -9 leaves no server and no data behind', async () => {
  await using context = await startContext()
  const { server, kill } = await startElsewhere(context)
  await kill()
  expect(await goes(server, context.stateFolder)).toBe(true)
  expect(await readdir(context.tempFolder)).toEqual(['state'])
})

test('a server that is paused when its run is killed goes too', async () => {
  await using context = await startContext()
  const { server, kill } = await startElsewhere(context)
  process.kill(server.pid, 'SIGSTOP')
  await kill()
  expect(await goes(server, context.stateFolder)).toBe(true)
})

test('clean leaves the servers of a run that goes on', async () => {
  await using context = await startContext()
  const { server, kill } = await startElsewhere(context)
  expect(await cleanLeftovers(context.stateFolder)).toMatchObject([{ what: 'in use', server: { pid: server.pid } }])
  expect(isAlive(server)).toBe(true)
  await kill()
  expect(await goes(server, context.stateFolder)).toBe(true)
})

test('a supervisor that has ended leaves the servers of another one of its process', async () => {
  await using context = await startContext()
  await using other = createSupervisor(context.stateFolder)
  await using ended = createSupervisor(context.stateFolder)
  const [left, gone] = await Promise.all(
    [other, ended].map(async ({ guard, record }) => {
      await guard()
      return record({ pid: startSleeper(), name: 'sleeper', port: 1, folders: [], groups: [] })
    }),
  )
  if (left === undefined || gone === undefined) throw new Error('Each has one')
  await ended[Symbol.asyncDispose]()
  expect(await comesTrue(() => listServers(context.stateFolder).length === 1, patienceMs)).toBe(true)
  expect(isAlive(gone)).toBe(false)
  expect(isAlive(left)).toBe(true)
  await other[Symbol.asyncDispose]()
  expect(await goes(left, context.stateFolder)).toBe(true)
})

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

describe.runIf(process.platform === 'linux')('a guardian hears no interrupt: only the end of its run moves it', () => {
  test('while a server runs', async () => {
    await using context = await startContext()
    const { run, server, kill } = await startElsewhere(context)
    const guardian = await guardianOf(Number(run.pid))
    for (const signal of signals) process.kill(guardian, signal)
    await kill()
    expect(await goes(server, context.stateFolder)).toBe(true)
  })

  test('from the moment on that a run relies on it', async () => {
    await using context = await startContext()
    await context.supervisor.guard()
    const guardian = await guardianOf(process.pid)
    for (const signal of signals) process.kill(guardian, signal)
    const server = context.supervisor.record({ pid: startSleeper(), name: 'sleeper', port: 1, folders: [], groups: [] })
    await context.supervisor[Symbol.asyncDispose]()
    expect(await goes(server, context.stateFolder)).toBe(true)
  })
})
