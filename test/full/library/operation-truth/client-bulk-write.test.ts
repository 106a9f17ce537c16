import type * as mongodb from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../../src/core/json.ts'
import { run, type SpecInput } from '../../../../src/entries/index.ts'
import { createEngine } from '../../../../src/load/engines/create-engine.ts'
import { bundledDriver } from '../../../../src/load/engines/driver/load-driver.ts'
import { type Outcome } from '../../../../src/load/engines/engine.ts'
import { compilePhase } from '../../../../src/spec/plan/compile-phase.ts'
import { createDataSet } from '../../../../src/spec/plan/data-set.ts'
import { sharedServer } from '../../../contract/support/shared-servers.ts'
import { aPhase, oneRow } from '../../../fakes/a-spec.ts'
import { fail } from '../../../fakes/fail.ts'
import { sendTo } from '../../../fakes/fake-calls.ts'
import { clientBulk } from './bulks.ts'
import { type Bench, comparable, openBench } from './observe.ts'
import { type TruthCase } from './truth.ts'

/**
 * Servers before 8.0 do not know the command, and runs refuse it for them. So the engine is called itself, and what counts
 * is the command that it sends, which such a server refuses too.
 */
const server = sharedServer()
let bench: Bench

beforeAll(async () => {
  bench = await openBench(server.uri)
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
})

const writeConcern = { w: 'majority', wtimeoutMS: 10_000 } as const
const database = 'truth_client'

/** The bulk writes that are sent meanwhile. */
async function sentBy(send: () => Promise<unknown>): Promise<readonly unknown[]> {
  const before = bench.tap.sent.length
  await send()
  const sent = bench.tap.sent.slice(before).map(({ command }) => command)
  return sent.filter((command) => 'bulkWrite' in command).map(comparable)
}

async function bySpec(operation: JsonObject, data?: readonly JsonObject[]): Promise<Outcome> {
  const { spec } = oneRow(
    { phases: [aPhase({ operations: [{ kind: 'clientBulkWrite', ...operation }] })], ...(data && { data }) },
    { existing: true, allowWrites: ['shop.orders'] },
  )
  const context = { seed: spec.seed, report: (_: unknown, reason: string) => fail(reason) }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  const phase = compilePhase(spec.phases[0] ?? fail('no phase'), ['phases', 0], dataSets, context)
  const engine = createEngine({ kind: 'driver', driver: bundledDriver(), uri: bench.tap.uri, database, phase })
  try {
    return await sendTo(engine, phase.calls('measured').next())
  } finally {
    await engine.close()
  }
}

/** @param entries Of a spec: each an object with the name of the write as its only key. */
async function byHand(entries: unknown, options: mongodb.Document): Promise<void> {
  const models = (structuredClone(entries) as readonly mongodb.Document[]).flatMap((entry) =>
    Object.entries(entry).map(([name, fields]) => Object.assign(fields, { name, namespace: `${database}.things` })),
  )
  await bench.tapped
    .bulkWrite(models as mongodb.ClientBulkWriteModel[], { ordered: true, writeConcern, ...options })
    .catch(() => {})
}

const withOption = (option: string, { given, beside, without }: TruthCase): JsonObject => ({
  ...beside,
  ...(!without && { [option]: given }),
})

describe('a bulk write of the client is sent as by hand', () => {
  test('as it is', async () => {
    const sent = await sentBy(() => bySpec(clientBulk.args))
    expect(sent).toHaveLength(1)
    expect(sent).toEqual(await sentBy(() => byHand(clientBulk.args.operations, {})))
  })

  test.each(Object.entries<TruthCase>(clientBulk.options))('with %s', async (option, each) => {
    const args = { ...clientBulk.args, ...each.args }
    const plain = { ...args, ...each.without }
    const sent = await sentBy(() => bySpec({ ...args, ...withOption(option, each) }))
    expect(sent).toHaveLength(1)
    expect(sent).toEqual(await sentBy(() => byHand(args.operations, withOption(option, each))))
    // Else this would pass also if the option were lost on its way.
    expect(sent).not.toEqual(await sentBy(() => byHand(plain.operations, { ...each.beside })))
  })
})

test('its writes go to the collections that they name, also to those of other databases', async () => {
  const data: readonly JsonObject[] = [
    { collection: 'things', rows: 5, document: { _id: { '@row': {} } } },
    { collection: 'orders', existing: 'shop.orders' },
  ]
  const operations = [
    { insertOne: { document: { _id: 1 } } },
    { deleteOne: { collection: 'orders', filter: { _id: 2 } } },
  ]
  const sent = await sentBy(() => bySpec({ collection: 'things', operations }, data))
  expect(sent).toMatchObject([{ nsInfo: [{ ns: `${database}.things` }, { ns: 'shop.orders' }] }])
})

test('the refusal of an old server is a failed call that did nothing', async () => {
  expect(await bySpec(clientBulk.args)).toMatchObject({
    kind: 'failed',
    code: '59',
    name: 'CommandNotFound',
    reply: { documents: 0 },
  })
})

test('a run refuses it for an old server before it loads anything', async () => {
  const bulk = { kind: 'clientBulkWrite', operations: [{ insertOne: {} }] }
  const spec = {
    name: 'too-old',
    data: { collection: 'items', rows: 10, document: { _id: { '@row': {} } } },
    phases: [{ name: 'read', stopAfter: { operations: 1 }, operations: [bulk] }],
  }
  const { version } = await bench.direct.db('admin').command({ buildInfo: 1 })
  const running = run(spec as unknown as SpecInput, { uri: server.uri })
  await expect(running).rejects.toSay('operation-needs-newer-server', { version })
  expect(await bench.direct.db('mongoperf_too_old').listCollections({ name: 'items' }).toArray()).toEqual([])
})
