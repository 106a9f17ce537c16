import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../bench/start/mongod.ts'
import { comesTrue } from '../../bench/start/wait.ts'
import { readProcessIdentity, isAlive } from '../../src/servers/targets/server/guardian/process-identity.ts'
import { type Ended, filesBelow, type Workplace, workplace } from '../contract/support/program.ts'
import { pidOf } from '../contract/support/server-questions.ts'
import { fewReads, threeRows } from '../contract/support/specs.ts'

const password = 'c4nary-p@ss/word:%'
/** Parts of it that must be nowhere, as written and percent-encoded: half a password is a leak too. */
const parts = ['c4nary', 'ss/word', 'ss%2Fword', 'ss%2fword']

let server: TestMongod
let place: Workplace
/** Everything that any command has said. */
const said: string[] = []

const hostOf = (): string => new URL(server.uri).host
const uriOf = (user: string, host = hostOf(), secret = encodeURIComponent(password)): string =>
  `mongodb://${user}:${secret}@${host}/?authSource=admin`

beforeAll(async () => {
  server = await startTestMongod(inject('mongodPath'), ['--auth'])
  place = await workplace()
  await using setUp = new MongoClient(server.uri)
  await setUp.db('admin').command({ createUser: 'ann', pwd: password, roles: ['root'] })
  await using client = new MongoClient(uriOf('ann'))
  await client.db('admin').command({ createUser: 'guest', pwd: password, roles: [] })
  await client.db('mongoperf_foreign').collection('docs').insertOne({ precious: true })
})

afterAll(async () => {
  await place[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const listening = (ended: Promise<Ended>): Promise<number | null> =>
  ended.then(({ code, stdout, stderr }) => {
    said.push(stdout, stderr)
    return code
  })

const resultsOf = (user: string): string => uriOf(user).replace('/?', '/perf.results?')

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number | null> =>
  listening(place.run(args, env))

async function runSpec(uri: string, changes: object = {}, ...more: readonly string[]): Promise<number | null> {
  const file = await place.spec(fewReads(changes))
  return await run(['run', file, '--uri', uri, '--log-level', 'trace', ...more])
}

test('commands that succeed', async () => {
  const live = ['--live', '--metrics', '0', '--stream', 'run.ndjson']
  expect(await runSpec(uriOf('ann'), {}, '--show-commands', ...live)).toBe(0)
  const env = { MONGO_PERF_URI: uriOf('ann') }
  const report = { charts: [{ kind: 'bar', x: { parameter: 'n' }, y: ['meanMs'] }] }
  const file = await place.spec(fewReads({ name: 'by-variable', variants: { n: [1, 2] }, report }))
  const trace = ['--log-level', 'trace', '--log-json']
  expect(await run(['run', file, '--target', 'existing', '--format', 'json', ...trace], env)).toBe(0)
  expect(await run(['report', 'mongo-perf-results/by-variable/result.json'], env)).toBe(0)
  expect(await runSpec(uriOf('ann'), { name: 'saved' }, '--save', resultsOf('ann'), '--log-json')).toBe(0)
  expect(said.at(-1)).toContain('perf.results')
  expect(await run(['history', resultsOf('ann')])).toBe(0)
  expect(await run(['history', 'RESULTS_URI', '--format', 'json'], { RESULTS_URI: resultsOf('ann') })).toBe(0)
  for (const command of [['check', file], ['list'], ['schema'], ['doctor'], ['clean']])
    expect(await run(command, env)).toBe(0)
})

test('commands that are refused, by the server or by us', async () => {
  expect(await runSpec(uriOf('ann', hostOf(), `wrong-${encodeURIComponent(password)}`))).toBe(4)
  expect(await runSpec(uriOf('guest'), { name: 'not-allowed' }, '--log-json', '--stream', 'refused.ndjson')).toBe(4)
  expect(said.at(-1)?.split(/hint: |(?<=\.) /)).toHaveLine('role-missing', { database: 'mongoperf_not_allowed' })
  expect(await runSpec(uriOf('ann'), { name: 'not-saved' }, '--save', resultsOf('guest'))).toBe(4)
  expect(said.at(-1)?.split(/hint: |(?<=\.) /)).toHaveLine('role-missing', { database: 'perf' })
  expect(await run(['history', uriOf('ann')])).toBe(2)
  expect(await run(['history', resultsOf('guest')])).toBe(4)
  expect(await runSpec(uriOf('ann'), { name: 'foreign' })).toBe(3)
  expect(await runSpec(uriOf('ann', 'db.example.invalid:27017'))).toBe(3)
  // Nobody but a superuser could listen there, and nobody does.
  expect(await runSpec(uriOf('ann', '127.0.0.1:1'), {}, '--log-json')).toBe(4)
})

test('a role that a user lacks is granted by the line of the hint, whose words a short password leaves whole', async () => {
  await using client = new MongoClient(uriOf('ann'))
  await client.db('admin').command({ createUser: 'perf', pwd: 'perf', roles: [] })
  const file = await place.spec(fewReads({ name: 'shop-orders' }))
  const args = ['run', file, '--uri', uriOf('perf', hostOf(), 'perf')]
  const { code, stderr } = await place.run(args)
  expect(code).toBe(4)
  expect(stderr).not.toMatch(/lsid|clusterTime|perf:perf/)
  expect(stderr).toContain('not authorized on mongoperf_shop_orders to execute command')
  const line = /db\.getSiblingDB\("(\w+)"\)\.grantRolesToUser\("(\w+)", (\[.*\])\)/.exec(stderr)
  const [, database, user, roles = ''] = line ?? []
  expect([database, user]).toEqual(['admin', 'perf'])
  const asJson = roles.replaceAll(/(\w+):/g, '"$1":')
  await client.db(database).command({ grantRolesToUser: user, roles: JSON.parse(asJson) as object[] })
  expect((await place.run(args)).code).toBe(0)
})

test('URIs that are wrong, or stand where none belongs', async () => {
  const odd = uriOf('ann', hostOf(), password)
  for (const uri of [odd, odd.replace('mongodb', 'mongo'), `fast=${odd}`, `${uriOf('ann')}&noSuchOption=1`])
    expect(await runSpec(uri, { target: { kind: 'existing' } })).toBe(2)
  for (const uri of [odd, uriOf('ann')]) {
    for (const command of ['run', 'check', 'report', 'list']) expect(await run([command, uri])).toBe(2)
    expect(await run(['run', 'quickstart', `--url=${uri}`])).toBe(2)
    expect(await run(['run', 'quickstart', '--log-level', uri])).toBe(2)
    expect(await run([uri])).toBe(2)
  }
})

test('runs that are interrupted, killed and hit by a bug', async () => {
  const file = await place.spec(threeRows({ seconds: 60 }))
  const bomb = `process.on('SIGUSR2', () => { throw new Error('at ' + process.env.MONGO_PERF_URI) })`
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(bomb)}`]
  const args = ['run', file, '--target', 'existing', '--log-level', 'trace']
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGUSR2', 1],
    ['SIGKILL', null],
  ] as const) {
    const program = place.start(args, { MONGO_PERF_URI: uriOf('ann') }, nodeArgs)
    await program.says('second read ')
    program.child.kill(signal)
    expect(await listening(program.ended)).toBe(code)
  }
})

test('a server that dies in the middle', async () => {
  const file = await place.spec(threeRows({ seconds: 60 }, { deadlineSeconds: 1 }))
  const args = ['--log-level', 'trace', '--log-json', '--stream', 'dying.ndjson']
  const program = place.begin(['run', file, '--uri', uriOf('ann'), ...args])
  // In the measured phase: a call that fails in a warm-up is in no result.
  await program.says('second read ░')
  const mongod = readProcessIdentity(await pidOf(uriOf('ann')))
  server.kill()
  expect(await comesTrue(() => !isAlive(mongod), 30_000)).toBe(true)
  const stream = (): Promise<string> => readFile(path.join(place.folder, 'dying.ndjson'), 'utf8')
  expect(await comesTrue(async () => /"(failed|unknown)":[1-9]/.test(await stream()), 30_000)).toBe(true)
  program.stop()
  expect(await listening(program.ended)).toBe(130)
  const [, second] = (await place.result('three-rows')).variants
  expect(second?.phases[0]?.operations[0]?.errors).not.toEqual([])
})

test('nothing of all that has a part of the password in it', async () => {
  const files = await filesBelow(place.folder)
  expect(files.filter((file) => file.endsWith('.png'))).not.toHaveLength(0)
  expect(files.filter((file) => file.endsWith('result.json'))).not.toHaveLength(0)
  const texts = [...said, ...(await Promise.all(files.map((file) => readFile(file, 'latin1'))))]
  for (const part of parts) expect(texts.filter((text) => text.includes(part))).toEqual([])
})
