import { existsSync } from 'node:fs'
import { mkdir, readdir, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { MongoClient } from 'mongodb'
import { expect, test } from 'vitest'
import { readServerInfo } from '../../../../src/servers/resources/server-info.ts'
import { startTarget, targetSpec } from '../../../../src/servers/targets/index.ts'
import { readProcessIdentity, isAlive } from '../../../../src/servers/targets/server/guardian/process-identity.ts'
import { listServers } from '../../../../src/servers/targets/server/guardian/state.ts'
import { findFileSystem } from '../../../../src/servers/targets/server/limits/hierarchies.ts'
import { ask, pidOf } from '../../support/server-questions.ts'
import { startContext } from '../../support/start-context.ts'

const standalone = (server: object = {}) => targetSpec.parse({ kind: 'standalone', server })

test('a standalone server answers, is written down, and is gone with its data when disposed', async () => {
  await using context = await startContext()
  const target = await startTarget(standalone(), context)
  const server = readProcessIdentity(await pidOf(target.uri))
  const [written] = listServers(context.stateFolder)
  expect(written).toMatchObject({ pid: server.pid, owner: readProcessIdentity(process.pid) })
  expect(target).toMatchObject({ startedByUs: true, members: [{ name: 'member0' }] })

  await target[Symbol.asyncDispose]()
  expect(isAlive(server)).toBe(false)
  expect(listServers(context.stateFolder)).toEqual([])
  expect(await readdir(context.tempFolder)).toEqual(['state'])
})

test('the options of the spec reach the server', async () => {
  await using context = await startContext()
  const options = {
    cacheGB: 0.3,
    directoryPerDb: true,
    setParameters: { cursorTimeoutMillis: 1234, syncdelay: 30, journalCommitInterval: 50 },
  }
  await using target = await startTarget(standalone(options), context)
  expect(await ask(target.uri, { getCmdLineOpts: 1 })).toMatchObject({
    parsed: {
      net: { bindIp: '127.0.0.1' },
      security: { javascriptEnabled: false },
      setParameter: { cursorTimeoutMillis: '1234', syncdelay: '30', journalCommitInterval: '50' },
      storage: { directoryPerDB: true, wiredTiger: { engineConfig: { cacheSizeGB: 0.3 } } },
    },
  })
  expect(await ask(target.uri, { getParameter: 1, diagnosticDataCollectionEnabled: 1 })).toMatchObject({
    diagnosticDataCollectionEnabled: true,
  })
  await using client = new MongoClient(target.uri)
  const info = await readServerInfo(client, target)
  expect(info.setParameters).toEqual({ cursorTimeoutMillis: '1234', syncdelay: '30', journalCommitInterval: '50' })
  expect(info.fileSystem).toBe(await findFileSystem(context.tempFolder, '/'))
})

test('data and journal go where the spec says, and the folders of the user are left as they were', async () => {
  await using context = await startContext()
  const dbPath = path.join(context.tempFolder, 'disk1')
  const journalPath = path.join(context.tempFolder, 'new', 'disk2')
  await mkdir(dbPath)
  const target = await startTarget(standalone({ dbPath, journalPath }), context)
  expect(await realpath(path.join(dbPath, 'member0', 'data', 'journal'))).toBe(
    path.join(journalPath, 'member0', 'journal'),
  )
  expect((await readdir(path.join(journalPath, 'member0', 'journal'))).join()).toContain('WiredTigerLog')

  await target[Symbol.asyncDispose]()
  expect(await readdir(dbPath)).toEqual([])
  expect(existsSync(journalPath)).toBe(false)
})

test('a data folder with files of somebody else is refused and left untouched', async () => {
  await using context = await startContext()
  const dbPath = path.join(context.tempFolder, 'precious')
  await mkdir(dbPath)
  await writeFile(path.join(dbPath, 'WiredTiger.wt'), 'mine')
  await expect(startTarget(standalone({ dbPath }), context)).rejects.toMatchObject({ code: 'refused' })
  expect(await readdir(dbPath)).toEqual(['WiredTiger.wt'])
})

test('a server that does not start is explained by its own words, and leaves nothing behind', async () => {
  await using context = await startContext()
  const start = startTarget(standalone({ setParameters: { noSuchParameter: 1 } }), context)
  await expect(start).rejects.toMatchObject({ code: 'no-server', message: expect.stringContaining('noSuchParameter') })
  expect(listServers(context.stateFolder)).toEqual([])
  expect(await readdir(context.tempFolder)).toEqual(['state'])
})

test('a server that knows no direct I/O any more is explained', async () => {
  await using context = await startContext()
  const binary = path.join(context.tempFolder, 'mongod')
  await writeFile(binary, `#!/bin/sh\necho "unknown configuration key: 'direct_io'" >&2\nexit 14\n`, { mode: 0o755 })
  const mongod = async () => ({ path: binary, version: '', source: 'test', tried: [] })
  const start = startTarget(standalone({ directIO: true }), { ...context, mongod })
  await expect(start).rejects.toSay('direct-io-unknown', { binary })
})

test('no recorded command holds the home of the user', async () => {
  await using context = await startContext()
  await using target = await startTarget(standalone(), { ...context, home: context.tempFolder })
  expect(target.commands.join('\n')).toMatch(/^mkdir -p "\$HOME"\/mongo-perf-.* --dbpath="\$HOME"\/mongo-perf-/s)
  expect(target.commands.join('\n')).not.toContain(context.tempFolder)
})

test('a start that is stopped leaves nothing behind', async () => {
  const stop = new AbortController()
  await using context = await startContext({ signal: stop.signal })
  const start = startTarget(standalone(), context)
  stop.abort()
  await expect(start).rejects.toMatchObject({ code: 'aborted' })
  expect(listServers(context.stateFolder)).toEqual([])
})
