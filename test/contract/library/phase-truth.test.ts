import { Long } from 'mongodb'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { defineSpec, type Phase, run, type RunEvent, type SpecInput, valueOf } from '../../../src/entries/index.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { assumeSpeed } from '../../../src/run/instruments/machine-speed.ts'
import { ownServer } from '../support/own-server.ts'

/** Somebody's server that notes every command. */
const server = ownServer(['--profile', '2'])

const database = (name: string) => server.client.db(`mongoperf_${name}`)

const items = { collection: 'items', document: { _id: { '@row': {} }, n: { '@int': { min: 1, max: 1000 } } } }

/** The phases of every row, measured on that server. */
async function phasesOf(
  name: string,
  data: SpecInput['data'],
  phases: readonly Phase[],
  variants?: SpecInput['variants'],
): Promise<readonly (readonly PhaseResult[])[]> {
  const result = await run({ name, data, phases, ...(variants && { variants }) }, { uri: server.uri })
  return result.variants.map((variant) => variant.phases)
}

const insertOne = { kind: 'insertOne' } as const
const workers = (count: number) => ({ kind: 'closed', workers: count }) as const

test('a phase that stops after operations makes exactly as many calls', async () => {
  const [[phase] = []] = await phasesOf('operations', items, [
    { name: 'write', load: workers(7), stopAfter: { operations: 1000 }, operations: [insertOne] },
  ])
  expect(phase).toMatchObject({ endedBecause: 'operations', operations: [{ ok: 1000, inserted: 1000, failed: 0 }] })
  expect(await database('operations').collection('items').countDocuments()).toBe(1000)
})

const tenInserts = (name: string) => ({ name, stopAfter: { operations: 10 }, operations: [insertOne] })

test('the result names the engine of each phase; one that is asked for is that of all', async () => {
  const spec = defineSpec({
    name: 'engines',
    engine: 'wire',
    data: items,
    phases: [tenInserts('prebuilt'), { ...tenInserts('encoded'), engine: 'driver' }],
  })
  const enginesWith = async (engine?: 'driver' | 'wire') => {
    const { variants } = await run(spec, { uri: server.uri, engine })
    return variants.flatMap(({ phases }) => phases.map((one) => [one.engine, one.operations[0]?.ok]))
  }
  expect(await enginesWith()).toEqual([
    ['wire', 10],
    ['driver', 10],
  ])
  expect(await enginesWith('driver')).toEqual([
    ['driver', 10],
    ['driver', 10],
  ])
})

test('a phase that stops after documents stores exactly as many, whatever the batch', async () => {
  const write: Phase = {
    name: 'write',
    load: workers(5),
    stopAfter: { documents: 300 },
    operations: [{ kind: 'insertMany', documentsPerCall: { '@param': 'batch' } }],
  }
  const rows = await phasesOf('documents', items, [write], { batch: [7, 500] })
  const counts = rows.map(([phase]) => [phase?.operations[0]?.ok, phase?.operations[0]?.documents])
  expect(counts).toEqual([
    [43, 300],
    [1, 300],
  ])
  expect(await database('documents').collection('items').countDocuments()).toBe(300)
})

test('failed calls of a set-up phase are told beside the row, which is measured all the same', async () => {
  const { variants } = await run(
    defineSpec({
      name: 'set-up',
      data: { ...items, rows: 1 },
      phases: [
        {
          name: 'fill',
          measured: false,
          stopAfter: { operations: 3 },
          operations: [{ kind: 'insertOne', document: { _id: 0 } }],
        },
        { name: 'read', stopAfter: { operations: 5 }, operations: [{ kind: 'findOne', filter: { _id: 0 } }] },
      ],
    }),
    { uri: server.uri },
  )
  expect(variants[0]?.phases.map(({ name }) => name)).toEqual(['read'])
  const told = variants[0]?.warnings.find(({ code }) => code === 'set-up-failed')
  expect(told?.message.split('E11000')[0]).toSay('set-up-calls-failed', { calls: 3, phase: 'fill' })
})

test('a phase that stops after seconds lasts as long, and reports what other processes used meanwhile', async () => {
  const [[phase] = []] = await phasesOf('seconds', { ...items, rows: 10 }, [
    { name: 'read', stopAfter: { seconds: 1.2 }, operations: [{ kind: 'findOne', filter: { _id: 3 } }] },
  ])
  expect(phase?.endedBecause).toBe('seconds')
  expect(phase?.wallSeconds).toBeGreaterThanOrEqual(1.2)
  // Elsewhere servers do not report their CPU time.
  const known = process.platform === 'linux' ? [['client', 'member0']] : []
  expect(phase?.otherLoad.map(({ runs }) => runs)).toEqual(known)
})

test('the speed of the machine is measured around each phase, and a row shows it', async () => {
  assumeSpeed(systemClock, undefined)
  const read = { stopAfter: { operations: 5 }, operations: [{ kind: 'findOne' as const, filter: { _id: 3 } }] }
  const result = await run(
    defineSpec({
      name: 'machine-speed',
      data: { ...items, rows: 10 },
      phases: [
        { name: 'first', warmup: { operations: 5 }, ...read },
        { name: 'second', ...read },
      ],
    }),
    { uri: server.uri },
  )
  const speeds = result.variants.flatMap(({ phases }) => phases.map(({ machineSpeed }) => machineSpeed))
  const known = { before: expect.any(Number), after: expect.any(Number) }
  expect(speeds).toEqual([known, known])
  const shown = ['first', 'second'].map((phase) => valueOf(result, `${phase}.machineSpeedPercent`))
  // The median of two is between them.
  expect(shown.map(Number).reduce((sum, percent) => sum + percent)).toBeCloseTo(200)
})

test('1, 7 and 64 workers make the same set of operations', async () => {
  const mix: Phase = {
    name: 'mix',
    load: { kind: 'closed', workers: { '@param': 'workers' } },
    warmup: { operations: 20 },
    stopAfter: { operations: 700 },
    operations: [
      { kind: 'findOne', weight: 5, filter: { _id: { '@key': { distribution: 'zipfian' } } } },
      {
        kind: 'updateOne',
        weight: 3,
        filter: { _id: { '@key': { distribution: 'uniform' } } },
        update: { $inc: { n: 1 } },
      },
      { kind: 'insertOne', weight: 2 },
    ],
  }
  const rows = await phasesOf('digest', { ...items, rows: 500 }, [mix], { workers: [1, 7, 64] })
  const digests = rows.map(([phase]) => phase?.digest)
  expect(digests[0]).toMatch(/^[\da-f]{16}-700$/)
  expect(new Set(digests).size).toBe(1)
  const counts = rows.map(([phase]) => phase?.operations.map(({ ok }) => ok))
  expect(counts[1]).toEqual(counts[0])
  expect(counts[2]).toEqual(counts[0])
})

test('failed calls are counted by their code, and do not count as done', async () => {
  const data = { collection: 'items', indexes: [{ key: { k: 1 as const }, unique: true }] }
  const [[phase] = []] = await phasesOf('failures', data, [
    { name: 'write', stopAfter: { operations: 15 }, operations: [{ kind: 'insertOne', document: { k: 1 } }] },
  ])
  expect(phase?.operations[0]).toMatchObject({ ok: 1, failed: 14, documents: 1 })
  expect(phase?.operations[0]?.errors).toMatchObject([{ code: '11000', name: 'DuplicateKey', count: 14 }])
  expect(phase?.warnings.map(({ code }) => code)).toContain('errors')
})

test('a spec leaves the same collection as the same driver calls made by hand', async () => {
  const key = { '@key': { distribution: 'sequential' } } as const
  const byKey = (operations: number, operation: object, name: string) => ({
    name,
    load: workers(4),
    stopAfter: { operations },
    operations: [{ filter: { _id: key }, ...operation }],
  })
  const spec = {
    name: 'by-hand',
    data: { collection: 'items', rows: 20, document: { _id: { '@row': {} }, n: { $numberLong: '7' }, t: ['a', 1.5] } },
    phases: [
      { name: 'many', stopAfter: { documents: 25 }, operations: [{ kind: 'insertMany', documentsPerCall: 10 }] },
      { name: 'one', load: workers(3), stopAfter: { operations: 5 }, operations: [insertOne] },
      byKey(10, { kind: 'updateOne', update: { $inc: { n: 2 }, $set: { seen: true } } }, 'change'),
      byKey(3, { kind: 'deleteOne' }, 'remove'),
      byKey(12, { kind: 'findOne' }, 'read'),
      {
        name: 'list',
        stopAfter: { operations: 2 },
        operations: [{ kind: 'find', filter: { seen: true }, sort: { _id: -1 }, limit: 4 }],
      },
    ],
  }
  const { variants } = await run(spec as SpecInput, { uri: server.uri })
  const [, , change, remove, read, list] = (variants[0]?.phases ?? []).map(({ operations: [only] }) => only)
  expect(change).toMatchObject({ ok: 10, matched: 10, modified: 10 })
  expect(remove).toMatchObject({ ok: 3, deleted: 3 })
  expect(read).toMatchObject({ ok: 12, documents: 9 })
  expect(list).toMatchObject({ ok: 2, documents: 8 })

  const hand = database('x').collection<{ _id: number }>('items')
  const rows = Array.from({ length: 50 }, (_, row) => row)
  await hand.insertMany(rows.map((_id) => ({ _id, n: Long.fromNumber(7), t: ['a', 1.5] })))
  for (const row of rows.slice(0, 10)) await hand.updateOne({ _id: row }, { $inc: { n: 2 }, $set: { seen: true } })
  for (const row of rows.slice(0, 3)) await hand.deleteOne({ _id: row })

  const bytes = async (name: string) =>
    (
      await database(name)
        .collection('items')
        .find({}, { sort: { _id: 1 }, raw: true })
        .toArray()
    ).map(String)
  const stored = await bytes('by_hand')
  expect(stored).toHaveLength(47)
  expect(stored).toEqual(await bytes('x'))
})

test('write concern and read concern are sent as the spec says', async () => {
  const inserts = { name: 'write', operations: [insertOne], writeConcern: { w: 1, j: true, wtimeoutMS: 1234 } }
  const find = { kind: 'find', filter: {}, limit: 2 } as const
  await phasesOf('concerns', { ...items, rows: 5 }, [
    { ...inserts, stopAfter: { operations: 3 } },
    { name: 'read', stopAfter: { operations: 2 }, operations: [find], readConcern: { level: 'majority' } },
    { name: 'plain', stopAfter: { operations: 1 }, operations: [{ kind: 'findOne', filter: { _id: 4 } }] },
  ])
  const noted = await database('concerns')
    .collection('system.profile')
    .find({ ns: 'mongoperf_concerns.items', op: { $in: ['insert', 'query'] } }, { sort: { ts: 1 } })
    .toArray()
  const concerns = noted.map(({ command, writeConcern }) => writeConcern ?? command.readConcern)
  // Reads that are explained are made again after the window, to count their work.
  const countedAgain = 5
  // The load comes first, with a concern of its own.
  expect(concerns.slice(1)).toMatchObject([
    ...Array.from({ length: 3 }, () => ({ w: 1, j: true, wtimeout: 1234 })),
    ...Array.from({ length: 2 + countedAgain }, () => ({ level: 'majority' })),
    ...Array.from({ length: 1 + countedAgain }, () => ({ level: 'local' })),
  ])
})

test('a run that is aborted by its caller is a result, with the rows that were finished', async () => {
  const stop = new AbortController()
  const seen: string[] = []
  const onProgress = (event: RunEvent): void => {
    seen.push(event.kind)
    if (event.kind === 'phase' && event.at.number === 2) stop.abort()
  }
  const spec = defineSpec({
    name: 'aborted',
    variants: [
      { label: 'quick', seconds: 0.3 },
      { label: 'long', seconds: 60 },
    ],
    data: { ...items, rows: 10 },
    phases: [
      {
        name: 'read',
        stopAfter: { seconds: { '@param': 'seconds' } },
        operations: [{ kind: 'findOne', filter: { _id: 3 } }],
      },
    ],
  })
  const { status, variants } = await run(spec, { uri: server.uri, signal: stop.signal, onProgress })
  expect(status).toBe('aborted')
  expect(variants.map((variant) => variant.status)).toEqual(['done', 'aborted'])
  expect(seen.slice(0, 5)).toEqual(['target', 'ready', 'setUp', 'load', 'loaded'])
})
