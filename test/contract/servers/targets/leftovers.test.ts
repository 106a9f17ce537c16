import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, inject, test } from 'vitest'
import { startTestMongod } from '../../../../bench/start/mongod.ts'
import {
  readProcessIdentity,
  isAlive,
  stopProcess,
} from '../../../../src/servers/targets/server/guardian/process-identity.ts'
import { cleanLeftovers, listServers, recordServer } from '../../../../src/servers/targets/server/guardian/state.ts'
import { makeServerFolders } from '../../../../src/servers/targets/server/process/server-folders.ts'
import { useFreshFolder } from '../../../fakes/temporary-folder.ts'
import { pidOf } from '../../support/server-questions.ts'

const inFolder = useFreshFolder()
let stateFolder: string
beforeEach(() => void (stateFolder = inFolder('state')))

/** Stands for a server: what ends it is the same for any process. */
async function startSleeper() {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  await once(child, 'spawn')
  return readProcessIdentity(Number(child.pid))
}

/** Writes into the state file what a run that is gone would have left there. */
async function orphan(changes: object): Promise<void> {
  const [file = ''] = await readdir(stateFolder)
  const target = path.join(stateFolder, file)
  const record: object = JSON.parse(await readFile(target, 'utf8'))
  await writeFile(target, JSON.stringify({ ...record, owner: { pid: process.pid, startTime: '1' }, ...changes }))
}

test('clean stops a server whose run is gone, and removes its data and its entry', async () => {
  const sleeper = await startSleeper()
  const { owned } = await makeServerFolders({}, 'member0', inFolder())
  recordServer(stateFolder, { pid: sleeper.pid, name: 'member0', port: 1, folders: [...owned], groups: [] })
  await orphan({})
  expect(await cleanLeftovers(stateFolder)).toMatchObject([{ what: 'stopped', removedFolders: owned }])
  expect(isAlive(sleeper)).toBe(false)
  expect(listServers(stateFolder)).toEqual([])
  expect(await readdir(inFolder())).toEqual(['state'])
})

test('a process that got the number of a server later is not touched', async () => {
  const stranger = await startSleeper()
  recordServer(stateFolder, { pid: stranger.pid, name: 'member0', port: 1, folders: [], groups: [] })
  await orphan({ startTime: '1' })
  expect(await cleanLeftovers(stateFolder)).toMatchObject([{ what: 'was gone' }])
  expect(isAlive(stranger)).toBe(true)
  process.kill(stranger.pid)
})

test('a process whose start time is not known is ended only if it answers as the server', async () => {
  // One of its own: it is ended.
  await using mongod = await startTestMongod(inject('mongodPath'))
  const [stranger, port] = [await startSleeper(), Number(new URL(mongod.uri).port)]
  recordServer(stateFolder, { pid: stranger.pid, name: 'member0', port, folders: [], groups: [] })
  await orphan({ startTime: null })
  expect(await cleanLeftovers(stateFolder)).toMatchObject([{ what: 'not recognized' }])
  expect(isAlive(stranger)).toBe(true)
  process.kill(stranger.pid)

  const server = readProcessIdentity(await pidOf(mongod.uri))
  await orphan({ startTime: null, pid: server.pid })
  expect(await cleanLeftovers(stateFolder)).toMatchObject([{ what: 'stopped' }])
  expect(isAlive(server)).toBe(false)
})

test('a folder that we did not make is never removed, whatever a state file says', async () => {
  const sleeper = await startSleeper()
  const precious = inFolder('precious')
  await mkdir(precious)
  await writeFile(path.join(precious, 'file'), 'mine')
  recordServer(stateFolder, { pid: sleeper.pid, name: 'member0', port: 1, folders: [precious], groups: [] })
  await orphan({})
  expect(await cleanLeftovers(stateFolder)).toMatchObject([{ what: 'stopped', removedFolders: [] }])
  expect(await readdir(precious)).toEqual(['file'])
})

test('a damaged entry is passed over', async () => {
  await mkdir(stateFolder)
  await writeFile(path.join(stateFolder, '1-1.json'), '{"pid":')
  expect(await cleanLeftovers(stateFolder)).toEqual([])
})

test('a process that does not end when asked is killed', async () => {
  const script = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); process.send('deaf')"
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  await once(child, 'message')
  const deaf = readProcessIdentity(Number(child.pid))
  expect(await stopProcess(deaf, 100)).toBe(true)
  expect(isAlive(deaf)).toBe(false)
  expect(child.signalCode ?? (await once(child, 'exit'))[1]).toBe('SIGKILL')
})

test('an entry from before there were control groups is read', async () => {
  const sleeper = await startSleeper()
  recordServer(stateFolder, { pid: sleeper.pid, name: 'member0', port: 1, folders: [], groups: [] })
  await orphan({ groups: undefined })
  expect(await cleanLeftovers(stateFolder)).toMatchObject([{ what: 'stopped', leftGroups: [] }])
})

test('an entry with a group that cannot be removed stays, and no group of others is touched', async () => {
  const sleeper = await startSleeper()
  const [ours = '', foreign = ''] = ['mongo-perf-1-1', 'system.slice'].map((name) => inFolder(name))
  await mkdir(path.join(ours, 'child'), { recursive: true })
  await mkdir(foreign)
  recordServer(stateFolder, { pid: sleeper.pid, name: 'member0', port: 1, folders: [], groups: [ours, foreign] })
  await orphan({})
  expect(await cleanLeftovers(stateFolder)).toMatchObject([{ what: 'stopped', leftGroups: [ours] }])
  expect(listServers(stateFolder)).toHaveLength(1)
  await rm(path.join(ours, 'child'), { recursive: true })
  expect(await cleanLeftovers(stateFolder)).toMatchObject([{ what: 'was gone', leftGroups: [] }])
  expect((await readdir(inFolder())).toSorted()).toEqual(['state', 'system.slice'])
})
