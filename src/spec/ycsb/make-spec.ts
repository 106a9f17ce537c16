import { type Json, type JsonObject } from '../../core/json.ts'
import { createSeriesData, createSeriesParameters, createSeriesQuery } from './make-series.ts'
import { type Connection } from './read-url.ts'
import { countSeries, type TimeSeries } from './time-series.ts'
import { getBatchSize, getOperationProportions, type Workload } from './workload.ts'

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

export function makeSpec(source: Source, options: ImportOptions): JsonObject {
  const { name, workload, value } = source
  return {
    name: specName(name),
    title: `YCSB ${name}: ${describeOperationMix(workload)}`,
    description: `Made from a YCSB property file with \`mongo-perf import ycsb\`. Requests: ${workload.requestdistribution}.`,
    ...createTarget(source, options),
    parameters: {
      ...createCountParameters(workload, options),
      ...(workload.series ? createSeriesParameters(workload.series) : { fieldvalue: value }),
    },
    ...smoke(workload),
    data: createDataSets(source, options),
    phases: [workload.dotransactions ? runPhase(source, options) : loadPhase(source, options)],
  }
}

/** A server started for the run is alone, unless the workload asks for other members of a set. */
function createTarget(
  { connection: { writeConcern, readPreference } }: Source,
  { existing }: ImportOptions,
): JsonObject {
  if (existing) return { target: { kind: 'existing' } }
  const w = Number(writeConcern?.['w'])
  const readsElsewhere = readPreference !== undefined && readPreference !== 'primary'
  return w > 1 || readsElsewhere ? { target: { kind: 'replicaSet', members: Math.max(3, w || 0) } } : {}
}

/** Under YCSB's names, for `--set`. A parameter that nothing reads would be a mistake. */
function createCountParameters(workload: Workload, options: ImportOptions): JsonObject {
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
function describeOperationMix(workload: Workload): string {
  if (!workload.dotransactions) return 'load'
  const proportions = Object.entries(getOperationProportions(workload)).filter(([, proportion]) => proportion > 0)
  const total = proportions.reduce((sum, [, proportion]) => sum + proportion, 0)
  const shares = proportions.map(([name, proportion]) => `${Number(((proportion / total) * 100).toFixed(2))} % ${name}`)
  return shares.join(', ')
}

/** Sizes for tests: a load in parts has none, because its numbers depend on each other. */
function smoke({ insertcount, insertstart, dotransactions, operationcount, series }: Workload): JsonObject {
  if (insertcount !== undefined || insertstart > 0 || !dotransactions || operationcount === 0) return {}
  return { profiles: { smoke: { recordcount: series ? 2 * countSeries(series) : 100, operationcount: 200 } } }
}

/** YCSB's key of a record: byte for byte the same. */
function createRecordKey({ insertstart, insertorder, zeropadding }: Workload): Json {
  const record: Json = insertstart === 0 ? { '@row': {} } : { '@add': [{ '@row': {} }, insertstart] }
  const number: Json = insertorder === 'hashed' ? { '@fnv1a64': record } : record
  return { '@concat': ['user', zeropadding > 1 ? { '@padStart': [number, zeropadding, '0'] } : number] }
}

const createFields = ({ fieldcount, fieldnameprefix }: Workload, value: Json): JsonObject =>
  Object.fromEntries(Array.from({ length: fieldcount }, (_, i) => [`${fieldnameprefix}${i}`, value]))

function createDataSets({ workload, connection: { database } }: Source, { existing }: ImportOptions): JsonObject {
  const { table, dotransactions } = workload
  return {
    ...(existing ? { existing: `${database}.${table}` } : { collection: table }),
    ...(dotransactions && { rows: createRecordCount(workload) }),
    ...(workload.series
      ? createSeriesData(workload.series)
      : { document: { _id: createRecordKey(workload), ...createFields(workload, fieldValue) } }),
  }
}

function createRecordCount({ insertcount, insertstart }: Workload): Json {
  if (insertcount !== undefined) return insertcount
  return insertstart === 0 ? parameter('recordcount') : { '@subtract': [parameter('recordcount'), insertstart] }
}

type PhaseParts = { readonly operations: readonly Json[]; readonly stopAfter: JsonObject; readonly warmup?: JsonObject }

function phase(name: string, source: Source, options: ImportOptions, parts: PhaseParts): JsonObject {
  const { workload, connection } = source
  const { writeConcern, readPreference, readConcern } = connection
  const { operations, stopAfter, warmup } = parts
  const { maxexecutiontime: seconds } = workload
  return {
    name,
    load: createLoad(workload, options),
    ...(warmup && { warmup }),
    stopAfter: { ...stopAfter, ...(seconds > 0 && { seconds }) },
    operations,
    ...(writeConcern && { writeConcern }),
    ...(readPreference !== undefined && { readPreference: { mode: readPreference } }),
    ...(readConcern !== undefined && { readConcern: { level: readConcern } }),
  }
}

function runPhase(source: Source, options: ImportOptions): JsonObject {
  const { workload } = source
  return phase('run', source, options, {
    operations: createOperations(workload),
    warmup: { seconds: warmupSeconds },
    stopAfter: workload.operationcount > 0 ? { operations: parameter('operationcount') } : {},
  })
}

/** No warm-up: its inserts would be records of the load. */
function loadPhase(source: Source, options: ImportOptions): JsonObject {
  const { workload } = source
  const size = getBatchSize(workload)
  const insert: JsonObject = size === 1 ? createInsert(workload) : createInsertBatch(size)
  return phase('load', source, options, {
    operations: [named('insert', insert)],
    stopAfter: { documents: createRecordCount(workload) },
  })
}

const createInsertBatch = (documentsPerCall: number): JsonObject => ({
  kind: 'insertMany',
  documentsPerCall,
  ordered: false,
})

/** A rate is that of an open loop, or holds the workers of a closed one back. */
function createLoad(workload: Workload, options: ImportOptions): JsonObject {
  const { target } = workload
  if (isOpen(workload, options)) return { kind: 'open', ratePerSecond: target, arrivals: 'constant' }
  return { kind: 'closed', workers: parameter('threadcount'), ...(target > 0 && { maxRatePerSecond: target }) }
}

const isOpen = ({ target }: Workload, { throttled }: ImportOptions): boolean => target > 0 && throttled !== true

function createOperations(workload: Workload): readonly Json[] {
  const make: Readonly<Record<keyof ReturnType<typeof getOperationProportions>, (workload: Workload) => JsonObject>> = {
    read: (of) => createRead(of, keyDrawn(of), of.readallfieldsbyname ? { projection: createFields(of, 1) } : {}),
    update: (of) => createUpdate(of, keyDrawn(of)),
    insert: createInsert,
    scan: createScan,
    readModifyWrite: createReadModifyWrite,
    ...(workload.series && createSeriesReads(workload.series)),
  }
  return Object.entries(getOperationProportions(workload)).flatMap(([name, weight]) => {
    const operation = make[name as keyof typeof make](workload)
    return weight === 0 ? [] : named(name, operation, { weight })
  })
}

/** A scan draws any key, whatever the distribution of requests. */
const createSeriesReads = (series: TimeSeries) => ({
  read: (of: Workload): JsonObject => {
    const kind = of.requestdistribution
    const distribution = kind === 'zipfian' ? 'scrambledZipfian' : createKeyDistribution(of)
    return createSeriesQuery(series, {
      '@int': { max: of.fieldcount - 1, ...(kind !== 'uniform' && { distribution }) },
    })
  },
  scan: (of: Workload): JsonObject =>
    createSeriesQuery(series, { '@int': { max: of.fieldcount - 1 } }, createScanLength(of)),
})

/** The keys of an operation or a step in the order in which they are written. */
const named = (name: string, { kind = '', ...parts }: JsonObject, more: JsonObject = {}): JsonObject => ({
  kind,
  name,
  ...more,
  ...parts,
})

const keyDrawn = (workload: Workload): Json => ({ '@key': { distribution: createKeyDistribution(workload) } })

function createKeyDistribution(workload: Workload): Json {
  const kind = workload.requestdistribution
  switch (kind) {
    case 'zipfian':
      return { kind: 'scrambledZipfian', newRows: computeNewRows(workload) }
    case 'hotspot':
      return { kind, hotSet: workload.hotspotdatafraction, hotTraffic: workload.hotspotopnfraction }
    case 'exponential':
      return { kind, hotSet: workload['exponential.frac'], hotTraffic: workload['exponential.percentile'] / 100 }
    default:
      return kind
  }
}

/** YCSB expects twice as many new keys as it inserts, and counts the end of the range in. */
function computeNewRows({ insertproportion, operationcount }: Workload): Json {
  if (insertproportion === 0 || operationcount === 0) return 1
  return { '@add': [{ '@floor': { '@multiply': [parameter('operationcount'), insertproportion, 2] } }, 1] }
}

const fieldName = ({ fieldcount, fieldnameprefix }: Workload): Json => ({
  '@concat': [fieldnameprefix, { '@int': { min: 0, max: fieldcount - 1 } }],
})

const oneField = (workload: Workload, value: Json): Json => ({ '@arrayToObject': [[fieldName(workload), value]] })

/** @param all How a call asks for all fields. */
const createProjection = (workload: Workload, all: JsonObject = {}): JsonObject =>
  workload.readallfields ? all : { projection: oneField(workload, 1) }

const createRead = (workload: Workload, key: Json, all: JsonObject = {}): JsonObject => ({
  kind: 'findOne',
  filter: { _id: key },
  ...createProjection(workload, all),
  expectDocuments: 1,
})

const createUpdate = (workload: Workload, key: Json): JsonObject => ({
  kind: 'updateOne',
  filter: { _id: key },
  update: { $set: workload.writeallfields ? createFields(workload, fieldValue) : oneField(workload, fieldValue) },
})

function createInsert(workload: Workload): JsonObject {
  if (!workload['mongodb.upsert']) return { kind: 'insertOne' }
  const row = { '@var': 'row' }
  return {
    kind: 'replaceOne',
    let: { row: { '@nextRow': {} } },
    filter: { _id: { '@key': { row } } },
    replacement: { '@document': { row } },
    upsert: true,
  }
}

const createScan = (workload: Workload): JsonObject => ({
  kind: 'find',
  filter: { _id: { $gte: keyDrawn(workload) } },
  sort: { _id: 1 },
  limit: createScanLength(workload),
  ...createProjection(workload),
})

function createScanLength({ minscanlength: min, maxscanlength: max, scanlengthdistribution }: Workload): Json {
  if (min === max) return min
  return { '@int': { min, max, ...(scanlengthdistribution === 'zipfian' && { distribution: 'zipfian' }) } }
}

/** One operation of two calls, for one key: YCSB times it as a whole, and both calls. */
function createReadModifyWrite(workload: Workload): JsonObject {
  const key = { '@var': 'key' }
  return {
    kind: 'steps',
    let: { key: keyDrawn(workload) },
    steps: [named('read', createRead(workload, key)), named('update', createUpdate(workload, key))],
  }
}
