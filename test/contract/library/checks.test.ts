import { MongoClient } from 'mongodb'
import { expect, inject, test } from 'vitest'
import { report, run, type SpecInput, violatedChecks } from '../../../src/entries/index.ts'
import { readVoters } from '../../../src/servers/checks/durability.ts'
import { startTarget, targetSpec } from '../../../src/servers/targets/index.ts'
import { fail } from '../../fakes/fail.ts'
import { playOne } from '../servers/checks/play.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { startContext } from '../support/start-context.ts'

const server = sharedServer()

const spec = (name: string, parts: object = {}) =>
  ({
    name,
    data: { collection: 'events', document: { _id: { '@row': {} } } },
    phases: [
      {
        name: 'insert',
        load: { kind: 'closed', workers: 2 },
        warmup: { operations: 5 },
        stopAfter: { operations: 40 },
        operations: [{ kind: 'insertOne' }],
      },
    ],
    checks: [
      { kind: 'acknowledgedWritesSurvive', name: 'survive', operation: 'insert.insertOne' },
      { kind: 'countMatches', name: 'count', collection: 'events' },
      { kind: 'countMatches', name: 'wrong', collection: 'events', expect: 41 },
    ],
    thresholds: ['survive.lost == 0', 'survive.acknowledged >= 45'],
    report: {
      tables: [
        {
          title: 'Survivors',
          columns: ['survive.acknowledged', { metric: 'survive.lost', title: 'Gone' }, 'insert.errors'],
        },
      ],
    },
    ...parts,
  }) as SpecInput

test('checks are in the result, in tables, in thresholds and in a part of the report', async () => {
  const result = await run(spec('checked'), { uri: server.uri })
  const [variant] = result.variants
  expect(variant?.status).toBe('done')
  expect(variant?.checks).toMatchObject([
    { name: 'survive', status: 'held', measures: { acknowledged: 45, lost: 0 } },
    { name: 'count', status: 'held', measures: { counted: 45, expectedLeast: 45 } },
    { name: 'wrong', status: 'violated', evidence: [expect.toSay('count-check-differs', { there: 45, expected: 41 })] },
  ])
  expect(violatedChecks(result).map(({ check }) => check.name)).toEqual(['wrong'])
  const { markdown, json } = report(result)
  expect(json.tables[0]).toMatchObject({
    columns: [{ title: 'Acknowledged' }, { title: 'Gone' }, { title: 'Errors' }],
    rows: [{ cells: [45, 0, 0] }],
  })
  expect(json.thresholds.map(({ verdict }) => verdict)).toEqual(['held', 'held'])
  expect(markdown).toMatch(/\| survive \(acknowledgedWritesSurvive\) +\| held +\| Acknowledged 45, Lost 0,/)
  expect(markdown).toMatch(/\| wrong \(countMatches\) +\| \*\*violated\*\* +\|/)
  const differing = { check: 'wrong', there: 45, expected: 41 }
  expect(markdown).toHaveLine('check-finding-line', differing)
  expect(markdown).toHaveLine('check-violated-remark', differing)
})

test('a check whose phase did not begin, because an earlier one was ended by a threshold, says so', async () => {
  const collide = { kind: 'insertOne', document: { _id: 'one and the same' } }
  const fill = { name: 'fill', stopAfter: { operations: 100 }, operations: [collide] }
  const insert = { name: 'insert', stopAfter: { operations: 10 }, operations: [{ kind: 'insertOne' }] }
  const entries = { collection: 'events', from: 'from', to: 'to', amount: 'amount' }
  const balances = { collection: 'events', field: 'balance' }
  const result = await run(
    spec('not-begun', {
      phases: [fill, insert],
      checks: [{ kind: 'journalMatches', operation: 'insert.insertOne', balances, entries }],
      thresholds: [{ holds: 'fill.errors == 0', abort: true }],
      report: undefined,
    }),
    { uri: server.uri },
  )
  expect(result.variants[0]?.status).toBe('aborted')
  expect(result.variants[0]?.checks).toMatchObject([
    { status: 'not-checked', reason: expect.toSay('check-phase-not-begun'), measures: {} },
  ])
})

test('a run that is interrupted checks nothing, and says so', async () => {
  const stop = new AbortController()
  const phases = [{ name: 'insert', stopAfter: { seconds: 60 }, operations: [{ kind: 'insertOne' }] }]
  const result = await run(spec('interrupted', { phases, thresholds: [] }), {
    uri: server.uri,
    signal: stop.signal,
    onProgress: ({ kind }) => {
      if (kind === 'phase') stop.abort()
    },
  })
  const [variant] = result.variants
  expect(variant?.status).toBe('aborted')
  const notChecked = { status: 'not-checked', reason: expect.toSay('check-run-interrupted') }
  expect(variant?.checks).toMatchObject([notChecked, notChecked, notChecked])
  expect(report(result).markdown).toContain('not checked')
})

test('what one of three members acknowledged may be lost, and what a majority did may not', async () => {
  await using context = await startContext()
  await using target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 3 }), context)
  await using client = await MongoClient.connect(target.uri)
  expect(await readVoters(client.db('any'))).toEqual({ voting: 3, votingWithData: 3, othersWithData: 0 })
  const lose = (name: string, writeConcern: object) =>
    playOne(
      target.uri,
      {
        name,
        data: { collection: 'events', document: { _id: { '@row': {} } } },
        phases: [{ name: 'insert', writeConcern, stopAfter: { operations: 20 }, operations: [{ kind: 'insertOne' }] }],
        checks: [{ kind: 'acknowledgedWritesSurvive', operation: 'insertOne' }],
      },
      (db) => db.collection<{ _id: number }>('events').deleteOne({ _id: 4 }),
    )
  expect(await lose('one-member', { w: 1 })).toMatchObject({
    status: 'allowed',
    reason: expect.toSay('check-loss-expected', { concern: '{"w": 1}', voting: 3 }),
    measures: { acknowledged: 20, lost: 1 },
  })
  expect(await lose('majority', { w: 'majority' })).toMatchObject({ status: 'violated', measures: { lost: 1 } })
})

test('a spec starts a set of its own, and its sum is read while a phase runs', async () => {
  const env = { ...process.env, MONGOMS_SYSTEM_BINARY: inject('mongodPath') }
  const result = await run(
    {
      name: 'own-sum',
      target: { kind: 'replicaSet', members: 1 },
      data: { collection: 'accounts', rows: 50, document: { _id: { '@row': {} }, balance: { $numberLong: '7' } } },
      phases: [
        {
          name: 'touch',
          stopAfter: { operations: 200 },
          operations: [{ kind: 'updateOne', filter: { _id: { '@key': {} } }, update: { $inc: { touched: 1 } } }],
        },
      ],
      checks: [
        {
          kind: 'sumUnchanged',
          name: 'total',
          collection: 'accounts',
          field: 'balance',
          during: { phase: 'touch', everySeconds: 0.05 },
        },
      ],
    },
    { env },
  )
  const [total] = result.variants[0]?.checks ?? []
  expect(total ?? fail('no check')).toMatchObject({
    status: 'held',
    measures: { documents: 50, expected: 350, lowest: 350, highest: 350, leastValue: 7, wrongReads: 0 },
  })
  expect(total?.measures['reads']).toBeGreaterThan(1)
})
