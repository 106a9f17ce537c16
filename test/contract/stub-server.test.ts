import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { BSON, MongoClient } from 'mongodb'
import { expect, test } from 'vitest'
import { comesTrue } from '../../bench/start/wait.ts'
import { startStubServer } from '../../bench/stub-server/start-stub-server.ts'

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('the driver reads and writes through a stub server, and its process is gone afterwards', async () => {
  const server = await startStubServer({ documentBytes: 2000 })
  const client = new MongoClient(server.uri)
  const collection = client.db('stub').collection('documents')

  const found = await collection.findOne({ n: 1 })
  expect(BSON.calculateObjectSize(found ?? {})).toBe(2000)
  expect(await collection.insertOne({ n: 1 })).toMatchObject({ acknowledged: true })
  const documents = Array.from({ length: 1234 }, (_, n) => ({ n, text: 'x'.repeat(1000) }))
  expect(await collection.insertMany(documents)).toMatchObject({ insertedCount: 1234 })
  expect(await collection.updateOne({ n: 1 }, { $inc: { n: 1 } })).toMatchObject({ matchedCount: 1, modifiedCount: 1 })
  expect(await collection.aggregate([{ $match: {} }]).toArray()).toHaveLength(1)
  expect(await collection.insertOne({ n: 1 }, { writeConcern: { w: 0 } })).toMatchObject({ acknowledged: false })
  expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 })

  await client.close()
  await server[Symbol.asyncDispose]()
  expect(isRunning(server.pid)).toBe(false)
})

test('statements of a write are counted in an array of the command too', async () => {
  await using server = await startStubServer()
  await using client = new MongoClient(server.uri)
  const reply = await client.db('stub').command({
    delete: 'documents',
    deletes: [
      { q: {}, limit: 1 },
      { q: {}, limit: 1 },
    ],
  })
  expect(reply).toMatchObject({ n: 2, ok: 1 })
})

test('a stub server answers after the time that it is given', async () => {
  await using server = await startStubServer({ delayMs: 50 })
  await using client = await new MongoClient(server.uri).connect()
  const startMs = performance.now()
  await client.db('stub').collection('documents').findOne({})
  // A timer may be early by the fraction of a millisecond that its clock does not show.
  expect(performance.now() - startMs).toBeGreaterThan(49)
})

test('a stub server ends with the process that has started it, even where that one is killed', async () => {
  const file = new URL('../../bench/stub-server/start-stub-server.ts', import.meta.url)
  const program = `import('${file}').then(async (m) => console.log((await m.startStubServer()).pid))`
  const parent = spawn(process.execPath, ['--import', 'tsx', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(parent.stdout), 'line')) as [string]
  const pid = Number(line)
  expect(isRunning(pid)).toBe(true)
  parent.kill('SIGKILL')
  await comesTrue(async () => !isRunning(pid), 10_000)
  expect(isRunning(pid)).toBe(false)
})
