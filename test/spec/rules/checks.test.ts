import { describe, expect, test } from 'vitest'
import { checks } from '../../../src/servers/checks/index.ts'
import { problemsOf } from '../../fakes/a-spec.ts'

const steps = [
  { kind: 'updateOne', collection: 'accounts', filter: { _id: 1 }, update: { $inc: { balance: 1 } } },
  { kind: 'insertOne', name: 'entry', collection: 'transfers', document: { from: 1, to: 2, amount: 1 } },
]
const moving = {
  name: 'transfers',
  stopAfter: { operations: 5 },
  operations: [{ kind: 'steps', name: 'transfer', steps }],
}
const inserting = {
  name: 'insert',
  stopAfter: { operations: 5 },
  operations: [{ kind: 'insertOne', collection: 'events' }],
}

/** A spec that has what the examples of the reference name. */
const spec = {
  target: { kind: 'replicaSet', members: 1 },
  data: ['accounts', 'transfers', 'events'].map((collection) => ({
    collection,
    document: { _id: { '@row': {} }, balance: 1 },
  })),
  phases: [moving, inserting],
}

test.each([...checks])('the example of $kind is accepted where there is what it names', ({ example }) =>
  expect(problemsOf({ ...spec, checks: [example] })).toEqual([]),
)

test('a check without a name has that of its kind, for columns and thresholds', () => {
  const check = { kind: 'acknowledgedWritesSurvive', operation: 'insertOne' }
  const report = { tables: [{ title: 'Lost', columns: [{ metric: 'acknowledgedWritesSurvive.lost' }] }] }
  const thresholds = ['acknowledgedWritesSurvive.lost == 0']
  expect(problemsOf({ ...spec, checks: [check], report, thresholds })).toEqual([])
  expect(problemsOf({ ...spec, checks: [], thresholds })).toSay('spec-check-metric-unknown')
})

const issuesOf = (operation: string, parts: object = {}) =>
  problemsOf({ ...spec, ...parts, checks: [{ kind: 'acknowledgedWritesSurvive', operation }] })

describe('a check of inserts', () => {
  test('finds the only step that inserts, and a step by its name', () => {
    expect(issuesOf('transfer')).toEqual([])
    expect(issuesOf('transfers.transfer.entry')).toEqual([])
    expect(issuesOf('transfer.updateOne')).toSay('spec-check-of-update')
  })

  test('is refused where another operation takes documents away, or the server does', () => {
    const deleting = {
      ...inserting,
      name: 'delete',
      operations: [{ kind: 'deleteOne', collection: 'events', filter: {} }],
    }
    expect(issuesOf('insert.insertOne', { phases: [inserting, deleting] })).toSay('spec-check-beside-delete')
    const data = [{ collection: 'events', document: { a: 1 }, indexes: [{ key: { a: 1 }, expireAfterSeconds: 5 }] }]
    expect(issuesOf('insertOne', { phases: [inserting], data })).toSay('spec-check-of-expiring')
  })

  test('needs an address that means one operation', () => {
    const again = { ...inserting, name: 'again' }
    expect(issuesOf('insertOne', { phases: [inserting, again] })).toSay('spec-check-operation-ambiguous')
    expect(issuesOf('again.insertOne', { phases: [inserting, again] })).toEqual([])
    expect(issuesOf('insertone')).toSay('spec-check-operation-misspelt')
  })

  test('needs ids that are known here', () => {
    const operations = [{ kind: 'insertOne', collection: 'events', document: { a: 1 }, forceServerObjectId: true }]
    expect(issuesOf('insertOne', { phases: [{ ...inserting, operations }] })).toSay('spec-check-ids-unknown')
  })
})
