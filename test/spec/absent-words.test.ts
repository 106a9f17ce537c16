import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../src/json.ts'
import { aPhase, problemsOf } from '../fakes/a-spec.ts'

/** Words of the language that are not there yet: refused by name, never passed over. */
describe('words that are not known', () => {
  test.each(['@businessId', '@decimal', '@sample', '@metric', '@cluster', '@nonsense'])('%s', (word) => {
    expect(
      problemsOf({ data: { collection: 'things', rows: 1, document: { _id: 1, a: { [word]: {} } } } })[0],
    ).toContain(`data.document.a.${word}: unknown word "${word}"`)
  })

  test.each<[string, JsonObject]>([
    ['let', { data: { collection: 'things', let: {} } }],
    ['reuse', { data: { collection: 'things', reuse: true } }],
    ['indexBuild', { data: { collection: 'things', indexBuild: 'before' } }],
    ['sharding', { data: { collection: 'things', sharding: {} } }],
    ['file', { data: { collection: 'things', file: 'orders.ndjson' } }],
    ['existing', { data: { collection: 'things', existing: 'shop.orders' } }],
    ['let', { let: {} }],
    ['faults', { phases: [aPhase({ faults: [] })] }],
    ['threads', { phases: [aPhase({ threads: 2 })] }],
    ['checks', { checks: [] }],
    ['faults', { faults: [] }],
    ['links', { target: { kind: 'replicaSet', links: [] } }],
    ['limits', { target: { kind: 'standalone', server: { limits: {} } } }],
    ['transpose', { report: { tables: [{ title: 't', columns: ['p99Ms'], transpose: true }] } }],
    ['where', { report: { tables: [{ title: 't', columns: ['p99Ms'], where: {} }] } }],
    ['at', { report: { tables: [{ title: 't', columns: [{ metric: 'p99Ms', at: {} }] }] } }],
    ['let', { report: { let: {} } }],
  ])('%s in %j', (key, parts) => {
    expect(problemsOf(parts).join()).toContain(`unknown key "${key}"`)
  })

  test.each<[string, JsonObject]>([
    ['transaction', { phases: [aPhase({ operations: [{ kind: 'transaction', steps: [] }] })] }],
    ['aggregate', { phases: [aPhase({ operations: [{ kind: 'aggregate', pipeline: [] }] })] }],
    ['open', { phases: [aPhase({ load: { kind: 'open', ratePerSecond: 1 } })] }],
    ['sharded', { target: { kind: 'sharded', shards: 2 } }],
  ])('kind %s', (kind, parts) => {
    expect(problemsOf(parts).join()).toContain(`unknown kind "${kind}"`)
  })

  test('a write concern of 0', () => {
    expect(problemsOf({ phases: [aPhase({ writeConcern: { w: 0 } })] })).toEqual([
      'phases[0].writeConcern.w: must be at least 1',
    ])
  })

  test('a condition on what is no item of a list', () => {
    expect(problemsOf({ target: { kind: 'standalone', when: true } }).join()).toContain('unknown key "when"')
  })
})
