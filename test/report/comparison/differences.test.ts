import { describe, expect, test } from 'vitest'
import { type DifferenceName } from '../../../src/report/comparison/difference-names.ts'
import {
  findDifferences,
  findOtherDifferences,
  refuseOtherwiseDifferent,
} from '../../../src/report/comparison/differences.ts'
import { type PhaseResult, type Result } from '../../../src/results/schema.ts'
import { fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const base = fakeResult()
const [variant] = base.variants
const server = variant?.server ?? null
const otherHash = { hash: 'b'.repeat(64) }

const withPhase = (given: Partial<PhaseResult>, spec: Partial<Result['spec']> = {}): Result =>
  fakeResult({ spec, variants: [fakeVariant({ phases: [fakePhase(given)] })] })

const withServer = (given: Partial<NonNullable<typeof server>>): Result =>
  fakeResult({ variants: [fakeVariant({ server: server && { ...server, ...given } })] })

const withHost = (given: Partial<Result['environment']['host']>): Result =>
  fakeResult({ environment: { ...base.environment, host: { ...base.environment.host, ...given } } })

const withDriver = (version: string): Result =>
  fakeResult({ environment: { ...base.environment, driver: { ...base.environment.driver, version } } })

describe('a difference is found in', () => {
  const ofExample = '"example" with the hash 5f8c2e0b'
  test.each<readonly [DifferenceName, Result, string, string]>([
    ['spec', fakeResult({ spec: otherHash }), ofExample, '"example" with the hash bbbbbbbb'],
    ['spec', fakeResult({ spec: { name: 'other' } }), ofExample, '"other" with the hash 5f8c2e0b'],
    ['topology', withServer({ topology: 'replica set of 3' }), 'standalone', 'replica set of 3'],
    ['server', withServer({ version: '7.0.1' }), 'MongoDB 6.0.5, wiredTiger', 'MongoDB 7.0.1, wiredTiger'],
    ['driver', withDriver('6.22.0'), 'mongodb 7.8.0', 'mongodb 6.22.0'],
    ['load', withPhase({ workers: 8 }), 'Workers 16', 'Workers 8'],
    ['load', withPhase({ threads: 2 }), 'Workers 16', 'Workers 16; Client threads 2'],
  ])('%s', (name, other, a, b) => expect(findDifferences(base, other)).toEqual([{ name, a, b }]))

  test('the engine, which is the driver where nothing is said', () =>
    expect(findDifferences(base, withPhase({ engine: 'wire' }))).toEqual([
      { name: 'engine', a: 'driver', b: 'wire, without compression' },
    ]))

  test.each([
    withHost({ cpu: 'Other CPU' }),
    withHost({ cores: 8 }),
    withServer({ memoryMB: 512 }),
    withServer({ pinnedCores: { client: [0], servers: [1] } }),
  ])('the machine', (other) => expect(findDifferences(base, other).map(({ name }) => name)).toEqual(['machine']))

  test('nothing', () =>
    expect(findDifferences(base, fakeResult({ startedAt: '2027-01-01T00:00:00.000Z' }))).toEqual([]))
})

describe('the hash of a spec contains its engine and its load', () => {
  const effective = {
    title: 'One',
    parameters: { workers: 16, documents: 100 },
    data: { rows: { '@param': 'documents' } },
    phases: [{ name: 'read', load: { workers: { '@param': 'workers' } }, operations: [{ kind: 'findOne' }] }],
  }
  const names = (other: Result): readonly string[] =>
    findDifferences(fakeResult({ spec: { effective } }), other).map(({ name }) => name)

  test('so a difference in these alone is not one of the spec', () => {
    const parameters = { ...effective.parameters, workers: 8 }
    const fewer = { ...otherHash, effective: { ...effective, title: 'Two', parameters } }
    expect(names(withPhase({ workers: 8 }, fewer))).toEqual(['load'])
    const wire = { ...otherHash, effective: { ...effective, engine: 'wire' } }
    expect(names(withPhase({ engine: 'wire' }, wire))).toEqual(['engine'])
  })

  test('wherever parts of the spec stand in it; but the order in an index or a document is work', () => {
    const indexes = [{ key: { a: 1, b: 1 } }]
    const data = { rows: 10, indexes }
    const checks = [{ kind: 'acknowledgedWritesSurvive', name: 's' }]
    const [a, b] = [fakeResult({ spec: { effective: { ...effective, data, checks } } }), 'wire'] as const
    const { phases, parameters } = effective
    const otherwise = (changed: object) =>
      withPhase(
        { engine: b },
        { ...otherHash, effective: { checks, engine: b, ...changed, phases, parameters } as never },
      )
    expect(findDifferences(a, otherwise({ data: { indexes, rows: 10 } })).map(({ name }) => name)).toEqual(['engine'])
    const turned = { rows: 10, indexes: [{ key: { b: 1, a: 1 } }] }
    expect(findDifferences(a, otherwise({ data: turned })).map(({ name }) => name)).toEqual(['spec', 'engine'])
  })

  test('and one in the operations, or in a parameter of the data, is', () => {
    const phases = [{ name: 'read', load: {}, operations: [{ kind: 'find' }] }]
    const parameters = { workers: 8, documents: 200 }
    for (const changed of [{ phases }, { parameters }]) {
      const spec = { ...otherHash, effective: { ...effective, ...changed } }
      expect(names(withPhase({ workers: 8 }, spec))).toEqual(['spec', 'load'])
    }
  })
})

describe('what differs is refused', () => {
  const found = findDifferences(base, {
    ...withServer({ version: '7.0.1', topology: 'replica set of 3' }),
    environment: withDriver('6.22.0').environment,
  })

  test('all at once, with both values and what to add', () =>
    expect(() => refuseOtherwiseDifferent([...found, ...found], ['server'])).toSay('comparison-otherwise-different'))

  test('unless all of it is the point', () =>
    expect(() => refuseOtherwiseDifferent(found, ['server', 'topology', 'driver'])).not.toThrow())
})

test('other settings that differ are found too', () => {
  const other = { ...base, environment: { ...base.environment, node: 'v22.1.0' } }
  expect(findOtherDifferences(base, other)).toEqual([
    { name: 'Client', a: 'mongo-perf 0.1.0, Node.js 20.20.2', b: 'mongo-perf 0.1.0, Node.js 22.1.0' },
  ])
})
