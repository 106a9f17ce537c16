import { type Operation, type Phase, type SpecInput } from '../../src/spec/spec-input.ts'
import { findByKey } from '../compiled.ts'
import { collection } from './side.ts'
import { type Work } from './work.ts'

/** How long it lasts is asked of it by rounds. */
const phase = (one: Operation, workers: number): Phase => ({
  name: 'run',
  load: { kind: 'closed', workers },
  stopAfter: { seconds: 5 },
  operations: [one],
})

const perOperation = { unit: 'op', unitsPerOperation: 1 } as const

/** `findOne` of 1 KB, by all sides. */
export const findOneWorks: readonly Work[] = [
  {
    title: 'findOne, 32 connections',
    sides: ['driver', 'wire', 'plain sockets', 'C loop', 'go-ycsb'],
    spec: findByKey(1000, { kind: 'closed', workers: 32 }),
    workers: 32,
    keys: 1000,
    ...perOperation,
    roundMs: 2000,
    goals: [
      { kind: 'throughput', over: 'plain sockets', atLeast: 1 },
      { kind: 'throughput', over: 'C loop', atLeast: 0.8 },
      { kind: 'throughput', over: 'driver', atLeast: 3.3 },
      { kind: 'CPU', over: 'driver', atMost: 0.18 },
      { kind: 'throughput', over: 'go-ycsb', atLeast: 2 },
    ],
  },
]

const documentsPerCall = 1000
const loaders = 4

type Loaded = Exclude<SpecInput['data'], readonly unknown[] | undefined>

const loading = (what: string, data: Loaded, atMostUs: number): Work => ({
  title: `insertMany of ${documentsPerCall}${what}, ${loaders} connections`,
  sides: ['driver', 'wire'],
  spec: { name: 'bench', data, phases: [phase({ kind: 'insertMany', documentsPerCall }, loaders)] },
  workers: loaders,
  keys: 0,
  unit: 'doc',
  unitsPerOperation: documentsPerCall,
  roundMs: 1000,
  goals: [{ kind: 'CPU alone', atMostUs }],
})

const loadingFiller = (style: 'triples' | 'text', atMostUs: number): Work => {
  const document = { '@filler': { sizeKB: 1, style, fields: { _id: { '@row': {} } } } }
  return loading(`, "${style}"`, { collection, document }, atMostUs)
}

/** Loading of documents that are generated. */
export const insertManyWorks: readonly Work[] = [loadingFiller('triples', 2), loadingFiller('text', 0.6)]

/** Ingest of measurements: a time, a device, and three values of it. */
export const timeSeriesWorks: readonly Work[] = [
  loading(
    ' measurements',
    {
      collection,
      options: { timeseries: { timeField: 'at', metaField: 'device' } },
      let: { m: { '@series': { devices: 1000, everySeconds: { min: 5, max: 60 }, jitter: 0.2 } } },
      document: {
        at: { '@var': 'm.at' },
        device: { '@var': 'm.device' },
        temperature: {
          '@season': { of: { '@var': 'm.device' }, at: { '@var': 'm.at' }, mean: 15, noise: 0.3, digits: 1 },
        },
        pressure: {
          '@walk': { of: { '@var': 'm.device' }, tick: { '@var': 'm.tick' }, start: 1013, step: 0.1, digits: 1 },
        },
        energy: {
          '@counter': { of: { '@var': 'm.device' }, tick: { '@var': 'm.tick' }, step: { min: 1, max: 100 } },
        },
      },
    },
    2.5,
  ),
]

const keys = 10_000
const documentsPerFind = 100
const key = { '@key': { distribution: 'uniform' } } as const
/** So far from the end that as many documents as are wanted follow. */
const earlyKey = { '@key': { distribution: 'uniform', count: keys - documentsPerFind } } as const

const operations: Readonly<Record<string, Operation>> = {
  insertOne: { kind: 'insertOne' },
  'updateOne $inc': { kind: 'updateOne', filter: { _id: key }, update: { $inc: { number: 1 } } },
  'find of 100': { kind: 'find', filter: { _id: { $gte: earlyKey } }, limit: documentsPerFind },
  aggregate: {
    kind: 'aggregate',
    pipeline: [{ $match: { _id: key } }, { $group: { _id: null, sum: { $sum: '$number' } } }],
  },
}

const document = { _id: { '@row': {} }, number: 1, text: 'x'.repeat(1000) } as const

function single(title: string, one: Operation, workers: number): Work {
  const rows = one.kind === 'insertOne' ? 0 : keys
  return {
    title: `${title}, ${workers} connection${workers === 1 ? '' : 's'}`,
    sides: ['driver', 'wire'],
    spec: {
      name: 'bench',
      data: { collection, document, ...(rows > 0 && { rows }) },
      phases: [phase(one, workers)],
    },
    workers,
    keys: rows,
    ...perOperation,
    roundMs: 500,
    goals: [{ kind: 'throughput of clients', over: 'driver', atLeast: 2.5 }],
  }
}

/** Other operations, over few and many connections. */
export const operationWorks: readonly Work[] = Object.entries(operations).flatMap(([title, one]) =>
  [1, 32, 256].map((workers) => single(title, one, workers)),
)
