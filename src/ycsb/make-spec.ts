import { type Json, type JsonObject } from '../json.ts'
import { type Connection } from './read-url.ts'
import { batchSizeOf, proportionsOf, type Workload } from './workload.ts'

/** How a workload becomes a spec. */
export type ImportOptions = {
  /** Whether `target` holds the threads back, as in YCSB. Default: it is the rate of an open loop. */
  readonly throttled?: boolean | undefined
  /** Whether the collection is there already, loaded by YCSB. Default: it is loaded before the phase. */
  readonly existing?: boolean | undefined
}

/** A workload with what was read from elsewhere. */
export type Source = {
  /** The name of its file, without the ending. */
  readonly name: string
  readonly workload: Workload
  readonly connection: Connection
  /** Draws the value of a field. */
  readonly value: Json
}

const parameter = (name: string): Json => ({ '@param': name })

const fieldValue = parameter('fieldvalue')

/** Long enough for connections and caches; draws do not depend on it. */
const warmupSeconds = 2

/** The spec of a workload. */
export function makeSpec(source: Source, options: ImportOptions): JsonObject {
  const { name, workload, value } = source
  return {
    name: specName(name),
    title: `YCSB ${name}: ${mixOf(workload)}`,
    description: `Made of a property file of YCSB with \`mongo-perf import ycsb\`. Requests: ${workload.requestdistribution}.`,
    ...(options.existing && { target: { kind: 'existing' } }),
    parameters: { ...countsOf(workload, options), fieldvalue: value },
    ...smoke(workload),
    data: dataOf(source, options),
    phases: [workload.dotransactions ? runPhase(source, options) : loadPhase(source, options)],
  }
}

/** Under YCSB's names, for `--set`. A parameter that nothing reads would be a mistake. */
function countsOf(workload: Workload, options: ImportOptions): JsonObject {
  const { recordcount, operationcount, threadcount, insertcount, dotransactions } = workload
  return {
    ...(insertcount === undefined && { recordcount }),
    ...(dotransactions && operationcount > 0 && { operationcount }),
    ...(!isOpen(workload, options) && { threadcount }),
  }
}

/** A part of the names of folders and databases. */
function specName(name: string): string {
  const own = name
    .toLowerCase()
    .replace(/^workload/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `ycsb-${own === '' ? 'workload' : own}`.slice(0, 50).replace(/-$/, '')
}

/** How often each operation is chosen: "50 % read, 50 % update". */
function mixOf(workload: Workload): string {
  if (!workload.dotransactions) return 'load'
  const proportions = Object.entries(proportionsOf(workload)).filter(([, proportion]) => proportion > 0)
  const total = proportions.reduce((sum, [, proportion]) => sum + proportion, 0)
  const shares = proportions.map(([name, proportion]) => `${Number(((proportion / total) * 100).toFixed(2))} % ${name}`)
  return shares.join(', ')
}

/** Sizes for tests: a load in parts has none, because its numbers depend on each other. */
function smoke({ insertcount, insertstart, dotransactions, operationcount }: Workload): JsonObject {
  if (insertcount !== undefined || insertstart > 0 || !dotransactions || operationcount === 0) return {}
  return { profiles: { smoke: { recordcount: 100, operationcount: 200 } } }
}

/** YCSB's key of a record: byte for byte the same. */
function keyOf({ insertstart, insertorder, zeropadding }: Workload): Json {
  const record: Json = insertstart === 0 ? { '@row': {} } : { '@add': [{ '@row': {} }, insertstart] }
  const number: Json = insertorder === 'hashed' ? { '@fnv1a64': record } : record
  return { '@concat': ['user', zeropadding > 1 ? { '@padStart': [number, zeropadding, '0'] } : number] }
}

const fieldsOf = ({ fieldcount, fieldnameprefix }: Workload): JsonObject =>
  Object.fromEntries(Array.from({ length: fieldcount }, (_, i) => [`${fieldnameprefix}${i}`, fieldValue]))

function dataOf({ workload, connection: { database } }: Source, { existing }: ImportOptions): JsonObject {
  const { table, dotransactions } = workload
  return {
    ...(existing ? { existing: `${database}.${table}` } : { collection: table }),
    ...(dotransactions && { rows: recordsOf(workload) }),
    document: { _id: keyOf(workload), ...fieldsOf(workload) },
  }
}

function recordsOf({ insertcount, insertstart }: Workload): Json {
  if (insertcount !== undefined) return insertcount
  return insertstart === 0 ? parameter('recordcount') : { '@subtract': [parameter('recordcount'), insertstart] }
}

/** Field names and values in the order in which phases are written. */
function phase(name: string, { connection, workload }: Source, operations: Json, parts: JsonObject): JsonObject {
  const { writeConcern, readPreference, readConcern } = connection
  const { maxexecutiontime } = workload
  const { stopAfter, ...others } = parts
  return {
    name,
    ...others,
    stopAfter: { ...(stopAfter as JsonObject), ...(maxexecutiontime > 0 && { seconds: maxexecutiontime }) },
    operations,
    ...(writeConcern && { writeConcern }),
    ...(readPreference !== undefined && { readPreference: { mode: readPreference } }),
    ...(readConcern !== undefined && { readConcern: { level: readConcern } }),
  }
}

function runPhase(source: Source, options: ImportOptions): JsonObject {
  const { operationcount } = source.workload
  return phase('run', source, operationsOf(source.workload), {
    load: loadOf(source.workload, options),
    warmup: { seconds: warmupSeconds },
    stopAfter: operationcount > 0 ? { operations: parameter('operationcount') } : {},
  })
}

/** No warm-up: its inserts would be records of the load. */
function loadPhase(source: Source, options: ImportOptions): JsonObject {
  const { workload } = source
  const size = batchSizeOf(workload)
  const insert: JsonObject = size === 1 ? insertOf(workload) : batchOf(size)
  return phase('load', source, [insert], {
    load: loadOf(workload, options),
    stopAfter: { documents: recordsOf(workload) },
  })
}

const batchOf = (documentsPerCall: number): JsonObject => ({
  kind: 'insertMany',
  name: 'insert',
  documentsPerCall,
  ordered: false,
})

/** The place of a rate: of an open loop, or of one whose workers are held back. */
function loadOf(workload: Workload, options: ImportOptions): JsonObject {
  const { target } = workload
  if (isOpen(workload, options)) return { kind: 'open', ratePerSecond: target, arrivals: 'constant' }
  return { kind: 'closed', workers: parameter('threadcount'), ...(target > 0 && { maxRatePerSecond: target }) }
}

const isOpen = ({ target }: Workload, { throttled }: ImportOptions): boolean => target > 0 && throttled !== true

function operationsOf(workload: Workload): readonly Json[] {
  const make: Readonly<Record<keyof ReturnType<typeof proportionsOf>, (workload: Workload) => JsonObject>> = {
    read: (of) => readOf(of, keyDrawn(of)),
    update: (of) => updateOf(of, keyDrawn(of)),
    insert: insertOf,
    scan: scanOf,
    readModifyWrite: readModifyWriteOf,
  }
  return Object.entries(proportionsOf(workload)).flatMap(([name, weight]) => {
    if (weight === 0) return []
    const { kind, name: own, ...parts } = make[name as keyof typeof make](workload)
    return { kind: kind ?? '', name: own ?? name, weight, ...parts }
  })
}

const keyDrawn = (workload: Workload): Json => ({ '@key': { distribution: distributionOf(workload) } })

function distributionOf(workload: Workload): Json {
  const kind = workload.requestdistribution
  switch (kind) {
    case 'zipfian':
      return { kind: 'scrambledZipfian', newRows: newRowsOf(workload) }
    case 'hotspot':
      return { kind, hotSet: workload.hotspotdatafraction, hotTraffic: workload.hotspotopnfraction }
    case 'exponential':
      return { kind, hotSet: workload['exponential.frac'], hotTraffic: workload['exponential.percentile'] / 100 }
    default:
      return kind
  }
}

/** YCSB expects twice as many new keys as it inserts, and counts the end of the range in. */
function newRowsOf({ insertproportion, operationcount }: Workload): Json {
  if (insertproportion === 0 || operationcount === 0) return 1
  return { '@add': [{ '@floor': { '@multiply': [parameter('operationcount'), insertproportion, 2] } }, 1] }
}

const fieldName = ({ fieldcount, fieldnameprefix }: Workload): Json => ({
  '@concat': [fieldnameprefix, { '@int': { min: 0, max: fieldcount - 1 } }],
})

const oneField = (workload: Workload, value: Json): Json => ({ '@arrayToObject': [[[fieldName(workload), value]]] })

const projectionOf = (workload: Workload): JsonObject =>
  workload.readallfields ? {} : { projection: oneField(workload, 1) }

const readOf = (workload: Workload, key: Json): JsonObject => ({
  kind: 'findOne',
  filter: { _id: key },
  ...projectionOf(workload),
  expectDocuments: 1,
})

const updateOf = (workload: Workload, key: Json): JsonObject => ({
  kind: 'updateOne',
  filter: { _id: key },
  update: { $set: workload.writeallfields ? fieldsOf(workload) : oneField(workload, fieldValue) },
})

function insertOf(workload: Workload): JsonObject {
  if (!workload['mongodb.upsert']) return { kind: 'insertOne', name: 'insert' }
  const row = { '@var': 'row' }
  return {
    kind: 'replaceOne',
    name: 'insert',
    let: { row: { '@nextRow': {} } },
    filter: { _id: { '@key': { row } } },
    replacement: { '@document': { row } },
    upsert: true,
  }
}

const scanOf = (workload: Workload): JsonObject => ({
  kind: 'find',
  filter: { _id: { $gte: keyDrawn(workload) } },
  sort: { _id: 1 },
  limit: scanLengthOf(workload),
  ...projectionOf(workload),
})

function scanLengthOf({ minscanlength: min, maxscanlength: max, scanlengthdistribution }: Workload): Json {
  if (min === max) return min
  return { '@int': { min, max, ...(scanlengthdistribution === 'zipfian' && { distribution: 'zipfian' }) } }
}

/** One operation of two calls, for one key: YCSB times it as a whole, and both calls. */
function readModifyWriteOf(workload: Workload): JsonObject {
  const key = { '@var': 'key' }
  const step = (name: string, { kind, ...parts }: JsonObject): JsonObject => ({ kind: kind ?? '', name, ...parts })
  return {
    kind: 'steps',
    let: { key: keyDrawn(workload) },
    steps: [step('read', readOf(workload, key)), step('update', updateOf(workload, key))],
  }
}
