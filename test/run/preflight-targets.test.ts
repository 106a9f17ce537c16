import { describe, expect, test } from 'vitest'
import { Problem, type ProblemCode } from '../../src/core/errors.ts'
import { preflightBinaries, preflightRouters, preflightUris } from '../../src/run/preflight/preflight.ts'
import { type RowWithUri } from '../../src/run/preflight/uri-concerns.ts'
import { targetSpec, type TargetSpec } from '../../src/servers/targets/index.ts'
import { type WantedBinary } from '../../src/servers/targets/server/programs/find-program.ts'

const existing = (name: string): TargetSpec => targetSpec.parse({ kind: 'existing', uriFrom: `MONGO_PERF_URI_${name}` })
const standalone = (server: object): TargetSpec => targetSpec.parse({ kind: 'standalone', server })
const setOf = (members: readonly object[], server = {}): TargetSpec =>
  targetSpec.parse({ kind: 'replicaSet', server, members: members.map((each) => ({ server: each })) })

const cluster = (fields: object): TargetSpec => targetSpec.parse({ kind: 'sharded', ...fields })

const rowsOn = (targets: readonly TargetSpec[]): readonly RowWithUri[] =>
  targets.map((target) => ({ spec: { name: 'many', target, data: [], phases: [] } }))

/** A machine that has these URIs, and a mongod 6.0 alone. */
function machine(uris: Readonly<Record<string, string>> = {}) {
  const asked: WantedBinary[] = []
  return {
    asked,
    uri: (variable: string) => uris[variable],
    allowRemote: false,
    mongod: async (wanted: WantedBinary) => {
      asked.push(wanted)
      if (wanted.version === 'stop') throw new Problem('aborted', 'Stopped', { hint: '' })
      if (wanted.version !== undefined && wanted.version !== '6.0')
        throw new Problem('no-server', `No mongod ${wanted.version}`, { hint: 'Install one.' })
      return { path: 'mongod', version: '6.0.5', source: 'test', tried: [] }
    },
  }
}

test('all variables that no row can do without are told at once', () => {
  const has = machine({ MONGO_PERF_URI_A: 'mongodb://127.0.0.1/' })
  const targets = [standalone({}), existing('A'), existing('B'), existing('C'), existing('B')]
  const missing = { b: 'MONGO_PERF_URI_B', c: 'MONGO_PERF_URI_C' }
  expect(() => preflightUris(rowsOn(targets), has)).toSay('uris-not-set', missing)
})

test('one variable is told with the way to set it', () => {
  const targets = [targetSpec.parse({ kind: 'existing' })]
  expect(() => preflightUris(rowsOn(targets), machine())).toSay('uri-not-set', { variable: 'MONGO_PERF_URI' })
})

test('a URI that leads elsewhere, or is none, is refused before the rows in front of it run', () => {
  const has = machine({ MONGO_PERF_URI_A: 'mongodb://db.example.invalid/', MONGO_PERF_URI_B: 'localhost' })
  const behind = (name: string) => () => preflightUris(rowsOn([standalone({}), existing(name)]), has)
  expect(behind('A')).toSay('uri-leads-elsewhere', { variable: 'MONGO_PERF_URI_A' })
  expect(behind('B')).toSay('uri-none', { variable: 'MONGO_PERF_URI_B' })
  expect(() => preflightUris(rowsOn([existing('A')]), { ...has, allowRemote: true })).not.toThrow()
})

test('all versions that cannot be had are told at once, each looked for once', async () => {
  const has = machine()
  const targets = [
    standalone({ version: '6.0' }),
    standalone({ version: '4.2', cacheGB: 0.5 }),
    setOf([{}, { version: '6.0' }, { version: '9.9' }], { version: '4.2' }),
    standalone({ version: '6.0', cacheGB: 1 }),
  ]
  await expect(preflightBinaries(targets, has)).rejects.toSay('mongods-not-found', { one: '4.2', other: '9.9' })
  expect(has.asked.map(({ version }) => version)).toEqual(['6.0', '4.2', '9.9'])
})

test('a cluster needs the mongods of its config servers and of all its members', async () => {
  const has = machine()
  const shards = [{ server: { version: '4.2' } }, { members: [{ server: { version: '9.9' } }] }]
  const target = cluster({ server: { version: '6.0' }, shards })
  await expect(preflightBinaries([target], has)).rejects.toSay('mongods-not-found', { one: '4.2', other: '9.9' })
  expect(has.asked.map(({ version }) => version)).toEqual(['6.0', '4.2', '9.9'])
})

test('a single version that cannot be had keeps the hint of its own', async () => {
  const looked = preflightBinaries([standalone({ version: '9.9' })], machine())
  await expect(looked).rejects.toMatchObject({ code: 'no-server', hint: 'Install one.' })
})

test('an abort is left to the run, which keeps what is done', async () => {
  const targets = [standalone({ version: '6.0' }), { ...standalone({}), server: { version: 'stop' } }] as TargetSpec[]
  await expect(preflightBinaries(targets, machine())).resolves.toBeUndefined()
})

const failingWith = (code: ProblemCode) => () => Promise.reject(new Problem(code, 'No mongos', { hint: 'Get one.' }))

describe('routers', () => {
  test('are looked for beside the mongod of their cluster, as the spec wants them', async () => {
    const requests: WantedBinary[] = []
    const mongos = async (wanted: WantedBinary) => {
      requests.push(wanted)
      return { path: 'mongos', version: '6.0.5', source: 'test', tried: [] }
    }
    const targets = [standalone({}), cluster({ server: { version: '6.0' }, router: { binary: 'mine' } }), setOf([{}])]
    await preflightRouters(targets, { ...machine(), mongos })
    expect(requests).toEqual([{ binary: 'mine', version: undefined, mongod: 'mongod' }])
  })

  test('that are not there are told before anything is started', async () => {
    const mongos = failingWith('not-measurable-here')
    const looked = preflightRouters([cluster({})], { ...machine(), mongos })
    await expect(looked).rejects.toMatchObject({ code: 'not-measurable-here' })
  })

  test('are left to the run when it is aborted meanwhile', async () => {
    const mongos = failingWith('aborted')
    await expect(preflightRouters([cluster({})], { ...machine(), mongos })).resolves.toBeUndefined()
  })
})
