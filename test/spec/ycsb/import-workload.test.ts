import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Binary } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json, type JsonObject } from '../../../src/core/json.ts'
import { loadSpecText } from '../../../src/spec/load-spec.ts'
import { printSpec } from '../../../src/spec/parse/print-spec.ts'
import { importWorkload } from '../../../src/spec/ycsb/import-workload.ts'
import { fail } from '../../fakes/fail.ts'

const base = { recordcount: '1000', operationcount: '5000' }

type Options = Parameters<typeof importWorkload>[1]

/** The validated spec of a workload with these properties, and what was remarked. */
async function imported(properties: Readonly<Record<string, string>>, options: Options = {}, file = 'workloadx') {
  const text = Object.entries({ ...base, ...properties })
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
  const { spec, remarks } = await importWorkload({ file, text }, options)
  const { rows } = loadSpecText(printSpec(spec), 'x.json', { allowWrites: ['ycsb.usertable'] })
  const { data, phases, target } = rows[0]?.spec ?? fail('no row')
  const [dataSet = fail('no data')] = data
  const [phase = fail('no phase')] = phases
  return { written: spec, data: dataSet, phase, target, remarks }
}

/** Operations of one kind alone. */
const only = (name: string): Readonly<Record<string, string>> => ({
  readproportion: '0',
  updateproportion: '0',
  [`${name}proportion`]: '1',
})

const operationOf = async (properties: Readonly<Record<string, string>>): Promise<unknown> =>
  (await imported(properties)).phase.operations[0]

const keyBy = (distribution: unknown) => ({ '@key': { distribution } })
const field = { '@binary': { size: 100 } }
const fields = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`field${i}`, field]))
const oneOf = (value: unknown) => ({
  '@arrayToObject': [[{ '@concat': ['field', { '@int': { min: 0, max: 9 } }] }, value]],
})
const keyOf = (number: unknown) => ({ _id: { '@concat': ['user', number] } })
const hashed = { '@fnv1a64': { '@row': {} } }

test.each<[string, Readonly<Record<string, string>>, object]>([
  [
    'recordcount',
    { recordcount: '77' },
    { collection: 'usertable', rows: 77, document: { ...keyOf(hashed), ...fields } },
  ],
  ['table', { table: 'other' }, { collection: 'other' }],
  [
    'fieldcount and fieldnameprefix',
    { fieldcount: '2', fieldnameprefix: 'f' },
    { document: { ...keyOf(hashed), f0: field, f1: field } },
  ],
  ['fieldlength', { fieldcount: '1', fieldlength: '7' }, { document: { field0: { '@binary': { size: 7 } } } }],
  [
    'fieldlengthdistribution=uniform',
    { fieldcount: '1', fieldlengthdistribution: 'uniform' },
    { document: { field0: { '@binary': { size: { min: 1, max: 100 } } } } },
  ],
  [
    'minfieldlength',
    { fieldcount: '1', fieldlengthdistribution: 'zipfian', minfieldlength: '5' },
    { document: { field0: { '@binary': { size: { min: 5, max: 100, distribution: 'zipfian' } } } } },
  ],
  ['insertorder=ordered', { insertorder: 'ordered' }, { document: keyOf({ '@row': {} }) }],
  ['zeropadding', { zeropadding: '8' }, { document: keyOf({ '@padStart': [hashed, 8, '0'] }) }],
  [
    'insertstart',
    { insertstart: '100', insertorder: 'ordered' },
    { rows: 900, document: keyOf({ '@add': [{ '@row': {} }, 100] }) },
  ],
  ['insertcount', { insertstart: '100', insertcount: '50' }, { rows: 50 }],
])('the data %s', async (_, properties, expected) => expect((await imported(properties)).data).toMatchObject(expected))

describe('the operations', () => {
  test('have the proportions as weights, and those of 0 are left out', async () => {
    const { phase } = await imported({ readproportion: '0.5', updateproportion: '.2', scanproportion: '3e-1' })
    expect(phase.operations).toMatchObject([
      { name: 'read', weight: 0.5 },
      { name: 'update', weight: 0.2 },
      { name: 'scan', weight: 0.3 },
    ])
  })

  test.each<[string, Readonly<Record<string, string>>, object]>([
    ['a read', only('read'), { kind: 'findOne', name: 'read', filter: { _id: keyBy('uniform') }, expectDocuments: 1 }],
    ['readallfields=false', { ...only('read'), readallfields: 'false' }, { projection: oneOf(1) }],
    [
      'readallfieldsbyname',
      { ...only('read'), readallfieldsbyname: 'true', fieldcount: '2' },
      { projection: { field0: 1, field1: 1 } },
    ],
    [
      'readallfieldsbyname with readallfields=false',
      { ...only('read'), readallfieldsbyname: 'true', readallfields: 'false' },
      { projection: oneOf(1) },
    ],
    ['an update', only('update'), { kind: 'updateOne', name: 'update', update: { $set: oneOf(field) } }],
    ['writeallfields', { ...only('update'), writeallfields: 'TRUE' }, { update: { $set: fields } }],
    ['an insert', only('insert'), { kind: 'insertOne', name: 'insert' }],
    [
      'mongodb.upsert',
      { ...only('insert'), 'mongodb.upsert': 'true' },
      { kind: 'replaceOne', name: 'insert', filter: { _id: { '@key': { row: { '@var': 'row' } } } }, upsert: true },
    ],
    [
      'a scan',
      only('scan'),
      {
        kind: 'find',
        name: 'scan',
        filter: { _id: { $gte: keyBy('uniform') } },
        sort: { _id: 1 },
        limit: { '@int': { min: 1, max: 1000 } },
      },
    ],
    [
      'scan lengths',
      { ...only('scan'), minscanlength: '2', maxscanlength: '9', scanlengthdistribution: 'zipfian' },
      { limit: { '@int': { min: 2, max: 9, distribution: 'zipfian' } } },
    ],
    ['a fixed scan length', { ...only('scan'), minscanlength: '9', maxscanlength: '9' }, { limit: 9 }],
    [
      'a read-modify-write',
      only('readmodifywrite'),
      {
        kind: 'steps',
        name: 'readModifyWrite',
        let: { key: keyBy('uniform') },
        steps: [
          { kind: 'findOne', name: 'read', filter: { _id: { '@var': 'key' } } },
          { kind: 'updateOne', name: 'update', filter: { _id: { '@var': 'key' } }, update: { $set: oneOf(field) } },
        ],
      },
    ],
  ])('%s', async (_, properties, expected) => expect(await operationOf(properties)).toMatchObject(expected))

  test.each(['scan', 'readmodifywrite'])('readallfieldsbyname changes reads alone, and no %s', async (name) =>
    expect(await operationOf({ ...only(name), readallfieldsbyname: 'true' })).toEqual(await operationOf(only(name))),
  )

  test.each<[string, Readonly<Record<string, string>>, unknown]>([
    ['uniform', {}, 'uniform'],
    ['sequential', {}, 'sequential'],
    ['latest', {}, 'latest'],
    ['zipfian', {}, { kind: 'scrambledZipfian', newRows: 1 }],
    // Of 5000 operations 7 % insert: twice 350, and the end of the range counts.
    ['zipfian', { insertproportion: '0.07' }, { kind: 'scrambledZipfian', newRows: 701 }],
    ['hotspot', {}, { kind: 'hotspot', hotSet: 0.2, hotTraffic: 0.8 }],
    [
      'hotspot',
      { hotspotdatafraction: '0.1', hotspotopnfraction: '0.9' },
      { kind: 'hotspot', hotSet: 0.1, hotTraffic: 0.9 },
    ],
    ['exponential', {}, { kind: 'exponential', hotSet: 0.8571428571, hotTraffic: 0.95 }],
    [
      'exponential',
      { 'exponential.percentile': '90', 'exponential.frac': '0.5' },
      { kind: 'exponential', hotSet: 0.5, hotTraffic: 0.9 },
    ],
  ])('requestdistribution=%s with %j', async (requestdistribution, properties, distribution) =>
    expect(await operationOf({ ...properties, requestdistribution })).toMatchObject({
      filter: { _id: keyBy(distribution) },
    }),
  )
})

describe('the load', () => {
  test.each<[string, Readonly<Record<string, string>>, Options, object]>([
    ['one thread', {}, {}, { load: { kind: 'closed', workers: 1 }, stopAfter: { operations: 5000 } }],
    ['threadcount', { threadcount: '16' }, {}, { load: { kind: 'closed', workers: 16 } }],
    ['maxexecutiontime', { maxexecutiontime: '60' }, {}, { stopAfter: { operations: 5000, seconds: 60 } }],
    ['no operationcount', { operationcount: '0', maxexecutiontime: '60' }, {}, { stopAfter: { seconds: 60 } }],
    ['target', { target: '500' }, {}, { load: { kind: 'open', ratePerSecond: 500, arrivals: 'constant' } }],
    [
      'target, throttled',
      { target: '500', threadcount: '4' },
      { throttled: true },
      { load: { kind: 'closed', workers: 4, maxRatePerSecond: 500 } },
    ],
    [
      'dotransactions=false',
      { dotransactions: 'false' },
      {},
      { name: 'load', stopAfter: { documents: 1000 }, operations: [{ kind: 'insertOne' }] },
    ],
    [
      'dotransactions=false with batchsize',
      { dotransactions: 'false', batchsize: '100' },
      {},
      { operations: [{ kind: 'insertMany', documentsPerCall: 100, ordered: false }] },
    ],
  ])('%s', async (_, properties, options, expected) =>
    expect((await imported(properties, options)).phase).toMatchObject(expected),
  )

  test('a load phase makes all records itself, and has no warm-up', async () => {
    const { data, phase } = await imported({ dotransactions: 'false' })
    expect(data.rows).toBe(0)
    expect(phase.warmup).toBeUndefined()
  })
})

describe('the connection', () => {
  test.each<[string, Readonly<Record<string, string>>, object]>([
    ['without a URL, as the binding has it', {}, { writeConcern: { w: 1 } }],
    ['a URL without options', { 'mongodb.url': 'mongodb://h/db' }, { writeConcern: { w: 'majority' } }],
    [
      'options of the URL',
      {
        'mongodb.url':
          'mongodb://u:secret@h:1,g:2/db?w=2&journal=true&readPreference=secondary&readConcernLevel=majority',
      },
      { writeConcern: { w: 2, j: true }, readPreference: { mode: 'secondary' }, readConcern: { level: 'majority' } },
    ],
    [
      'the URL before the property',
      { 'mongodb.url': 'mongodb://h/?w=1', 'mongodb.writeConcern': 'majority' },
      { writeConcern: { w: 1 } },
    ],
    [
      'mongodb.writeConcern',
      { 'mongodb.url': 'mongodb://h', 'mongodb.writeConcern': 'journaled' },
      { writeConcern: { w: 1, j: true } },
    ],
    [
      'mongodb.readPreference',
      { 'mongodb.readPreference': 'secondary_preferred' },
      { readPreference: { mode: 'secondaryPreferred' } },
    ],
  ])('%s', async (_, properties, expected) => expect((await imported(properties)).phase).toMatchObject(expected))

  test.each<[Readonly<Record<string, string>>, string]>([
    [{ 'mongodb.writeConcern': 'majority' }, 'spec-ycsb-without-effect'],
    [
      { 'mongodb.url': 'mongodb://h/?journal=false', 'mongodb.writeConcern': 'journaled' },
      'spec-ycsb-without-effect-by-url',
    ],
    [
      { 'mongodb.url': 'mongodb://h/?readPreference=nearest', 'mongodb.readPreference': 'secondary_preferred' },
      'spec-ycsb-without-effect-to-reads',
    ],
  ])('%j has no effect, and a remark names the reason', async (properties, code) =>
    expect((await imported(properties)).remarks).toHaveLine(code),
  )

  test('a property that the URL does not contradict has no remark', async () => {
    const same = { 'mongodb.writeConcern': 'acknowledged', 'mongodb.readPreference': 'nearest' }
    expect((await imported(same)).remarks).toEqual((await imported({})).remarks)
  })

  test('options of the URL that are not imported are named, those of the address are not', async () => {
    const names = ['compressors', 'maxPoolSize', 'readPreferenceTags', 'maxStalenessSeconds', 'retryWrites', 'safe']
    const query = [...names, 'authSource', 'tlsCAFile', 'replicaSet', 'appname'].map((name) => `${name}=hunter2`)
    const { remarks } = await imported({ 'mongodb.url': `mongodb+srv://h/?W=1&${query.join('&')}` })
    expect(remarks.flatMap((remark) => /^mongodb.url: (\w+) is left out/.exec(remark)?.[1] ?? [])).toEqual(names)
    expect(remarks.join()).not.toContain('hunter2')
  })

  test('neither address nor password is in the spec or in a remark', async () => {
    const { written, remarks } = await imported({ 'mongodb.url': 'mongodb://ann:hunter2@db.invalid:1/x' })
    expect(JSON.stringify([written, remarks])).not.toMatch(/hunter2|db\.invalid|ann/)
    expect(remarks).toContainEqual(expect.stringContaining('mongodb.url'))
  })

  test.each([
    [{}, 'ycsb.usertable'],
    [{ 'mongodb.url': 'mongodb://h/admin' }, 'ycsb.usertable'],
  ])('a collection that YCSB has loaded is used as it is: %j', async (properties, existing) => {
    const { data, target } = await imported(properties, { existing: true })
    expect(data).toMatchObject({ existing, rows: 1000, document: keyOf(hashed) })
    expect(target.kind).toBe('existing')
  })
})

test('what changes no operation is left out with a remark each', async () => {
  const names = [
    'exporter',
    'exportfile',
    'measurementtype',
    'measurement.trackjvm',
    'hdrhistogram.percentiles',
    'histogram.buckets',
    'timeseries.granularity',
    'reportlatencyforeacherror',
    'latencytrackederrors',
    'status',
    'status.interval',
    'label',
    'db',
    'columnfamily',
    'htrace.span',
    'spin.sleep',
    'core_workload_insertion_retry_interval',
    'mongodb.maxconnections',
    'mongodb.threadsAllowedToBlockForConnectionMultiplier',
  ]
  const { remarks } = await imported(Object.fromEntries(names.map((name) => [name, 'x'])))
  for (const name of names) expect(remarks).toContainEqual(expect.stringMatching(new RegExp(`^${name} is left out: .`)))
})

test.each<[Readonly<Record<string, string>>, string]>([
  [{ recordcout: '5' }, 'spec-ycsb-property-unknown'],
  [{ recordcount: 'many' }, 'spec-ycsb-recordcount-word'],
  [{ recordcount: '0' }, 'spec-ycsb-recordcount-zero'],
  [{ operationcount: '0' }, 'spec-ycsb-without-end'],
  [{ readproportion: '-1' }, 'spec-ycsb-proportion-negative'],
  [{ readproportion: '0', updateproportion: '0' }, 'spec-ycsb-proportions-zero'],
  [{ requestdistribution: 'zipfain' }, 'spec-ycsb-distribution-misspelt'],
  [{ insertorder: 'random' }, 'spec-ycsb-insertorder'],
  [{ readallfields: 'yes' }, 'spec-ycsb-no-boolean'],
  [{ workload: 'site.ycsb.workloads.RestWorkload' }, 'spec-ycsb-workload-of-another'],
  [{ dataintegrity: 'true' }, 'spec-ycsb-dataintegrity'],
  [{ core_workload_insertion_retry_limit: '3' }, 'spec-ycsb-retries'],
  [{ insertstart: '1000' }, 'spec-ycsb-insertstart-too-large'],
  [{ insertstart: '500', insertcount: '501' }, 'spec-ycsb-insertcount-too-large'],
  [{ insertcount: '5', insertproportion: '0.1' }, 'spec-ycsb-insertcount-with-inserts'],
  [{ insertcount: '5', requestdistribution: 'latest' }, 'spec-ycsb-insertcount-with-latest'],
  [{ insertstart: '5', requestdistribution: 'exponential' }, 'spec-ycsb-insertstart-with-exponential'],
  [{ minscanlength: '7', maxscanlength: '6' }, 'spec-ycsb-scanlength-reversed'],
  [{ fieldlengthdistribution: 'uniform', minfieldlength: '101' }, 'spec-ycsb-fieldlength-reversed'],
  [{ batchsize: '10', insertproportion: '0.1' }, 'spec-ycsb-batch-among-others'],
  [{ hotspotdatafraction: '2' }, 'spec-ycsb-fraction-too-large'],
  [{ dotransactions: 'false', batchsize: '2', 'mongodb.upsert': 'true' }, 'spec-ycsb-batch-of-upserts'],
  [{ 'mongodb.database': 'x' }, 'spec-ycsb-database'],
  [{ 'mongodb.url': 'localhost:27017' }, 'spec-ycsb-url-scheme'],
  [{ 'mongodb.url': 'mongodb://h/?readPreference=any' }, 'spec-ycsb-url-read-preference'],
  [{ 'mongodb.url': 'mongodb://h/?journal=1' }, 'spec-ycsb-url-journal'],
  [{ 'mongodb.url': 'mongodb://h/?wtimeoutms=-1' }, 'spec-ycsb-url-timeout'],
  [{ 'mongodb.writeConcern': 'safe' }, 'spec-ycsb-write-concern'],
  [{ 'mongodb.readPreference': 'any' }, 'spec-ycsb-read-preference'],
])('refuses %j by name', async (properties, code) => await expect(imported(properties)).rejects.toSay(code))

test('reports all that is wrong at once', async () =>
  await expect(imported({ recordcount: 'a', threadcount: 'b', nothing: 'c' })).rejects.toSay(
    'spec-ycsb-three-problems',
  ))

test('a property of the command line goes before those of files, and of these the last', async () => {
  const { spec } = await importWorkload(
    { file: 'w', text: 'recordcount=1\noperationcount=1\nthreadcount=1' },
    {
      others: [{ file: 'v', text: 'operationcount=2\nthreadcount=2' }],
      properties: [{ name: 'threadcount', value: '3', place: '-p threadcount' }],
    },
  )
  expect(spec['parameters']).toMatchObject({ recordcount: 1, operationcount: 2, threadcount: 3 })
})

test.each([
  ['workloada', 'ycsb-a'],
  ['/some/where/Workload_B.properties', 'ycsb-b'],
  ['workload', 'ycsb-workload'],
  ['my load!.properties', 'ycsb-my-load'],
])('the spec of %s is named %s', async (file, name) =>
  expect((await imported({}, {}, file)).written['name']).toBe(name),
)

describe('a histogram of field lengths', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mongo-perf-test-'))
  const valueOf = async (text: string): Promise<unknown> => {
    writeFileSync(path.join(folder, 'lengths.txt'), text)
    const properties = { fieldcount: '1', fieldlengthdistribution: 'histogram', fieldlengthhistogram: 'lengths.txt' }
    const { written } = await imported(properties, {}, path.join(folder, 'workloadx'))
    return (written['parameters'] as JsonObject)['fieldvalue']
  }

  test.each([[[4, 0, 3, 5]], [[4, 0, 3, 0]], [[4, 3, 0, 0, 0]], [[0, 0, 2]], [[5, 0]], [[0, 5]]])(
    'of %j has the lengths that YCSB draws, as often',
    async (buckets) => {
      const text = ['BlockSize\t10', ...buckets.map((count, i) => `${i}\t${count}`)].join('\n')
      const last = buckets.length - 1
      // Written down from YCSB's loop, for each number that it may draw.
      const lengths = Array.from({ length: buckets.reduce((sum, count) => sum + count, 0) }, (_, drawn) => {
        let left = drawn
        for (let i = 0; i < last; i++) if ((left -= buckets[i] ?? 0) <= 0) return (i + 1) * 10
        return last * 10
      })
      const sizes = buckets.slice(1).map((_, i) => (i + 1) * 10)
      expect(await valueOf(text)).toEqual({
        '@choice': {
          values: sizes.map((size) => ({ '@binary': { size } })),
          weights: sizes.map((size) => lengths.filter((one) => one === size).length),
        },
      })
    },
  )

  test.each([
    '',
    'BlockSize 10\n0\t1',
    'BlockSize\t10',
    'BlockSize\t10\n1\t5',
    'BlockSize\t10\n0\tx',
    'BlockSize\t10\n0\t0\n1\t0',
  ])(
    'refuses %j',
    async (text) =>
      await expect(valueOf(text)).rejects.toSay('ycsb-histogram-unreadable', {
        file: path.join(folder, 'lengths.txt'),
      }),
  )

  test('that is not there is named', async () => {
    const properties = { fieldlengthdistribution: 'histogram' }
    await expect(imported(properties, {}, path.join(folder, 'workloadx'))).rejects.toMatchObject({
      code: 'spec-unreadable',
      message: expect.stringContaining('hist.txt'),
    })
  })
})

const drawn = (json: Json): unknown => compileJson(json).draw(0)

test('an update sets one field to a value, and a read of one field asks for one', async () => {
  const update = (await operationOf(only('update'))) as { readonly update: { readonly $set: Json } }
  const [[name, value] = []] = Object.entries(drawn(update.update.$set) as Readonly<Record<string, Binary>>)
  expect(name).toMatch(/^field\d$/)
  expect(value?.length()).toBe(100)
  const read = (await operationOf({ ...only('read'), readallfields: 'false' })) as { readonly projection: Json }
  expect(Object.values(drawn(read.projection) as object)).toEqual([1])
})
