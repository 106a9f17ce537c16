import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Db } from 'mongodb'
import { expect, test } from 'vitest'
import { readAll, commandOf } from '../../traffic/calls.ts'
import { ownServer } from '../support/own-server.ts'
import { workplace } from '../support/program.ts'

const server = ownServer(['--setParameter', 'enableTestCommands=1'])

async function work(db: Db): Promise<void> {
  const orders = db.collection<{ _id: number; status?: string }>('orders')
  await orders.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }])
  await orders.find({ status: { $ne: 'open' } }, { sort: { _id: 1 } }).toArray()
  await orders.updateOne({ _id: 1 }, { $set: { status: 'open' } })
  await orders.deleteMany({ _id: { $gt: 1 } })
  await orders.aggregate([{ $match: { _id: 1 } }]).toArray()
  await orders.findOneAndUpdate({ _id: 1 }, { $set: { status: 'paid' } }, { sort: { _id: 1 } })
  await db.command({ findandmodify: 'orders', query: { _id: 1 }, update: { status: 'lost' } })
  await orders.insertOne({ _id: 9 })
}

const expected: readonly (readonly [command: object, reply: object])[] = [
  [
    { find: 'orders', filter: { status: { $ne: 'open' } }, sort: { _id: 1 } },
    { documents: 3, ok: true, work: { plan: 'IXSCAN { _id: 1 }', keys: 3, documents: 3 } },
  ],
  [
    { update: 'orders', updates: [{ q: { _id: 1 }, u: { $set: { status: 'open' } } }] },
    { n: 1, nModified: 1, work: { plan: 'IDHACK', keys: 1, documents: 1 } },
  ],
  [{ delete: 'orders', deletes: [{ q: { _id: { $gt: 1 } } }] }, { n: 2 }],
  [{ aggregate: 'orders', pipeline: [{ $match: { _id: 1 } }] }, { documents: 1 }],
  [
    { findAndModify: 'orders', update: { $set: { status: 'paid' } } },
    { n: 1, nModified: 1 },
  ],
  [
    { findandmodify: 'orders', update: { status: 'lost' } },
    { n: 1, nModified: 1 },
  ],
  [
    { insert: 'orders', documents: [{ _id: 9 }] },
    { n: 1, work: null },
  ],
]

const names = new Set(expected.map(([command]) => Object.keys(command)[0] ?? ''))

test.each(['--from-profile', '--from-log'])('%s records what the server kept of each operation', async (option) => {
  await using place = await workplace(server)
  const database = option.slice(2)
  const db = server.client.db(database)
  await db.command({ profile: option === '--from-profile' ? 2 : 1, slowms: -1 })
  await work(db)
  const { log } = await server.client.db('admin').command({ getLog: 'global' })
  await db.command({ profile: 0, slowms: 100 })
  const file = path.join(place.folder, 'mongod.log')
  await writeFile(file, (log as string[]).map((line) => `${line.trimEnd()}\n`).join(''))
  const { code, stderr } = await place.run([
    'record',
    option,
    option === '--from-log' ? file : database,
    '-o',
    'a.mprec',
  ])
  expect(stderr).toContain('calls of')
  expect(code).toBe(0)
  const { calls, header, end } = await readAll(path.join(place.folder, 'a.mprec'))
  const ours = calls.filter((call) => call.database === database && names.has(call.name))
  expect(ours.map((call) => [commandOf(call), call.reply])).toMatchObject(expected)
  expect(new Set(ours.map(({ session }) => session?.number)).size).toBeGreaterThan(0)
  expect(end?.leftOut['inserts, which are there without their documents']).toBeGreaterThan(0)
  expect('writes as a whole, beside their statements' in (end?.leftOut ?? {})).toBe(option === '--from-log')
  expect(header.limits.join(' ')).toContain('slowms')
})

test('a profile that cannot be read to its end leaves no recording', async () => {
  await using place = await workplace(server)
  const admin = server.client.db('admin')
  const db = server.client.db('cut')
  await db.command({ profile: 2 })
  for (let i = 0; i < 150; i++) await db.collection('orders').findOne({ _id: i as never })
  await db.command({ profile: 0 })
  const data = { failCommands: ['getMore'], errorCode: 43 }
  await admin.command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data })
  const { code, stderr } = await place.run(['record', '--from-profile', 'cut', '-o', 'a.mprec'])
  await admin.command({ configureFailPoint: 'failCommand', mode: 'off' })
  expect(code).toBe(4)
  expect(stderr).toContain('The profile of cut cannot be read')
  expect(await readdir(place.folder)).not.toContain('a.mprec')
})

test('inspect prints what is in it, in each format', async () => {
  await using place = await workplace(server)
  const db = server.client.db('inspected')
  await db.command({ profile: 2 })
  await work(db)
  await db.command({ profile: 0 })
  expect((await place.run(['record', '--from-profile', 'inspected', '-o', 'a.mprec', '--values', 'shape'])).code).toBe(
    0,
  )
  for (const format of ['text', 'md', 'github', 'csv']) {
    const { code, stdout } = await place.run(['inspect', 'a.mprec', '--format', format])
    expect(code).toBe(0)
    expect(stdout).toContain('find orders status')
    expect(stdout).not.toMatch(/NaN|undefined|\[object/)
  }
  const { stdout } = await place.run(['inspect', 'a.mprec', '--format', 'json'])
  expect(JSON.parse(stdout)).toMatchObject({ header: { source: 'profile', values: 'shape' }, cutAt: null })
})
