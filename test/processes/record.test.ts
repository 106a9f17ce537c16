import path from 'node:path'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../bench/start/mongod.ts'
import { comesTrue, soonMs } from '../../bench/start/wait.ts'
import { workplace } from '../contract/support/program.ts'
import { readAll } from '../traffic/calls.ts'

let mongod: TestMongod
beforeAll(async () => {
  mongod = await startTestMongod(inject('mongodPath'))
})
afterAll(async () => await mongod[Symbol.asyncDispose]())

test('kill -9 of a recording leaves the calls that came before a silence in the file', async () => {
  await using place = await workplace()
  const { child, ended, says } = place.start(['record', '--listen', '127.0.0.1:0', '--to', mongod.uri, '-o', 'a.mprec'])
  const [, listener = ''] = /(\S+) leads to/.exec(await says('leads to')) ?? []
  // Open until the kill: a connection that ends would send one more call.
  await using client = new MongoClient(`mongodb://${listener}/?directConnection=true`)
  for (let i = 0; i < 300; i++) await client.db('shop').collection('orders').findOne({ i })
  const file = path.join(place.folder, 'a.mprec')
  expect(await comesTrue(async () => (await readAll(file)).calls.length === 300, soonMs)).toBe(true)
  child.kill('SIGKILL')
  await ended
  const { calls, end } = await readAll(file)
  expect(calls).toHaveLength(300)
  expect(end?.cutAt).toBeGreaterThan(0)
})
