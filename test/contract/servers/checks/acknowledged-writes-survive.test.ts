import { expect, test } from 'vitest'
import { sharedPrimary } from '../../support/shared-servers.ts'
import { playOne } from './play.ts'
import { inserts, removeTwo } from './some-inserts.ts'

const server = sharedPrimary()

const survive = { kind: 'acknowledgedWritesSurvive', name: 'survive', operation: 'insert.insertOne' }

test('holds when all are there', async () =>
  expect(await playOne(server.uri, inserts('survive-held', [survive]))).toMatchObject({
    status: 'held',
    measures: { acknowledged: 50, lost: 0, unknown: 0, failed: 0, duplicated: 0 },
  }))

test('catches acknowledged documents that are gone', async () => {
  const found = await playOne(server.uri, inserts('survive-lost', [survive]), removeTwo)
  expect(found).toMatchObject({ status: 'violated', measures: { acknowledged: 50, lost: 2 } })
  // In the order of the answers, which several workers get in any.
  expect(found.evidence.toSorted()).toEqual([
    expect.toSay('survival-document-lost', { id: 3 }),
    expect.toSay('survival-document-lost', { id: 5 }),
  ])
})

test('knows the ids of batches, and of those that the driver makes', async () => {
  const operations = [{ kind: 'insertMany', documentsPerCall: 20, document: { n: 1 } }]
  const spec = inserts('survive-batch', [{ ...survive, operation: 'insert.insertMany' }], { operations })
  const found = await playOne(server.uri, spec, (db) => db.collection('events').deleteOne({}))
  expect(found).toMatchObject({ status: 'violated', measures: { acknowledged: 50, lost: 1 } })
  const id = String(/\{"\$oid":"[0-9a-f]{24}"\}/.exec(found.evidence.join())?.[0])
  expect(found.evidence[0]).toSay('survival-document-lost', { id })
})

test('counts documents that were refused apart', async () => {
  const operations = [{ kind: 'insertOne', document: { _id: { '@mod': [{ '@nextRow': {} }, 10] } } }]
  const spec = inserts('survive-refused', [survive], { operations, stopAfter: { operations: 30 } })
  // Every id was acknowledged once: that it was refused later says nothing.
  expect(await playOne(server.uri, spec)).toMatchObject({
    status: 'held',
    measures: { acknowledged: 10, failed: 0, failedButPresent: 0 },
  })
})
