import { expect, test } from 'vitest'
import { type SpecInput } from '../../../src/spec/spec-input.ts'
import { sharedTarget } from '../../../src/verdicts/ab/lend-servers.ts'
import { prepareSide, type SideOptions } from '../../../src/verdicts/ab/sides.ts'
import { common, spec } from './fake-sides.ts'

/** The kind of the target that both sides can share. */
async function shared(b: SideOptions, of: Partial<SpecInput> = {}, overrides: object = {}): Promise<unknown> {
  const sides = [{}, b].map((options) => prepareSide({ ...spec, ...of }, options, { ...common, overrides }))
  return sharedTarget(await Promise.all(sides))?.kind
}

const set = { kind: 'replicaSet', members: 3 } as const

test.each<[string, SideOptions, Partial<SpecInput>, unknown]>([
  ['workers', { set: { workers: 8 } }, {}, 'standalone'],
  ['the engine', { engine: 'wire' }, { target: set }, 'replicaSet'],
  ['the engine of variants that share a server', { engine: 'wire' }, { variants: [{}, { workers: 2 }] }, 'standalone'],
])('one set of servers serves both sides that differ in %s', async (_what, b, of, kind) =>
  expect(await shared(b, of)).toBe(kind),
)

const ofParameter = { target: { kind: 'standalone', server: { cacheGB: { '@param': 'workers' } } } } as const

test.each<[string, SideOptions, Partial<SpecInput>]>([
  ['another mongod', { mongod: '/opt/mongod' }, {}],
  ['the server of a URI', { uriFrom: 'MONGO_PERF_URI_NEW' }, {}],
  ['other servers', { set: { workers: 8 } }, ofParameter],
  ['another name, so another database', { spec: { ...spec, name: 'others' } }, {}],
  [
    'limits, which are lifted for the load',
    { engine: 'wire' },
    { target: { kind: 'standalone', server: { limits: { cpus: 1 } } } },
  ],
  ['links', { engine: 'wire' }, { target: { ...set, links: [{ from: [0], to: [1], rttMs: 5 }] } }],
  ['servers that have to be fresh', { engine: 'wire' }, { target: { kind: 'standalone', fresh: true } }],
])('each run starts its own servers with %s', async (_what, b, of) => expect(await shared(b, of)).toBeUndefined())

test('each run starts its own servers where that is asked for', async () =>
  expect(await shared({ set: { workers: 8 } }, {}, { freshServers: true })).toBeUndefined())
