import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { collectFindings } from '../../language/reasons.ts'
import { type Property } from './parse-properties.ts'
import { countSeries, seriesProperties, type TimeSeries, withoutEffectOnSeries } from './time-series.ts'
import { connectionUrl, decimal, flag, createCaseInsensitiveEnum, only, refused, whole } from './url.ts'

const maxBytes = 16_000_000

const batchSize = whole(1, 100_000).optional()

/** The properties of CoreWorkload, of the client and of the MongoDB binding that change the work, with YCSB's defaults. */
const schema = z.strictObject({
  workload: z
    .string()
    .regex(
      /^(site\.ycsb|com\.yahoo\.ycsb)\.workloads\.CoreWorkload$/,
      'must be CoreWorkload or TimeSeriesWorkload of site.ycsb.workloads: no other workload is imported',
    )
    .optional(),
  table: z.string().prefault('usertable'),
  recordcount: whole(1),
  operationcount: whole(0).prefault('0'),
  insertstart: whole(0).prefault('0'),
  insertcount: whole(1).optional(),
  dotransactions: flag.prefault('true'),
  threadcount: whole(1, 10_000).prefault('1'),
  target: whole(0, 100_000).prefault('0'),
  maxexecutiontime: whole(0, 7 * 24 * 3600).prefault('0'),
  fieldcount: whole(1, 10_000).prefault('10'),
  fieldnameprefix: z.string().prefault('field'),
  fieldlength: whole(0, maxBytes).prefault('100'),
  minfieldlength: whole(0, maxBytes).prefault('1'),
  fieldlengthdistribution: z.enum(['constant', 'uniform', 'zipfian', 'histogram']).prefault('constant'),
  fieldlengthhistogram: z.string().prefault('hist.txt'),
  readallfields: flag.prefault('true'),
  readallfieldsbyname: flag.prefault('false'),
  writeallfields: flag.prefault('false'),
  readproportion: decimal.prefault('0.95'),
  updateproportion: decimal.prefault('0.05'),
  insertproportion: decimal.prefault('0'),
  scanproportion: decimal.prefault('0'),
  readmodifywriteproportion: decimal.prefault('0'),
  requestdistribution: z
    .enum(['uniform', 'zipfian', 'latest', 'hotspot', 'exponential', 'sequential'])
    .prefault('uniform'),
  hotspotdatafraction: decimal.pipe(z.number().positive().max(1)).prefault('0.2'),
  hotspotopnfraction: decimal.pipe(z.number().max(1)).prefault('0.8'),
  'exponential.percentile': decimal.pipe(z.number().min(1).max(99.99)).prefault('95'),
  'exponential.frac': decimal.pipe(z.number().min(0.0001).max(1)).prefault('0.8571428571'),
  minscanlength: whole(1, 1_000_000).prefault('1'),
  maxscanlength: whole(1, 1_000_000).prefault('1000'),
  scanlengthdistribution: z.enum(['uniform', 'zipfian']).prefault('uniform'),
  insertorder: z.enum(['hashed', 'ordered']).prefault('hashed'),
  zeropadding: whole(0, 1000).prefault('1'),
  dataintegrity: only('false', 'values are random, and are not compared when they are read').optional(),
  core_workload_insertion_retry_limit: only('0', 'a failed insert counts as failed, and is not sent again').optional(),
  'mongodb.url': connectionUrl.optional(),
  'mongodb.database': refused('is not read by YCSB: the database is the one that mongodb.url names').optional(),
  'mongodb.upsert': flag.prefault('false'),
  'mongodb.writeConcern': createCaseInsensitiveEnum([
    'errors_ignored',
    'unacknowledged',
    'acknowledged',
    'journaled',
    'replica_acknowledged',
    'majority',
  ]).optional(),
  'mongodb.readPreference': createCaseInsensitiveEnum([
    'primary',
    'primary_preferred',
    'secondary',
    'secondary_preferred',
    'nearest',
  ]).optional(),
  batchsize: batchSize,
  'mongodb.batchsize': batchSize,
})

/** A workload of YCSB: its properties, with their defaults. */
export type Workload = z.output<typeof schema> & {
  /** Undefined: it is CoreWorkload. */
  readonly series?: TimeSeries | undefined
}

const isSeries = (workload = ''): boolean =>
  /^(site\.ycsb|com\.yahoo\.ycsb)\.workloads\.TimeSeriesWorkload$/.test(workload)

const printed = '`report --format json` prints the figures of a result'
const measured = 'mongo-perf measures in its own way'

/** Properties that change no operation, by their names or by the beginning of their names, and why they are left out. */
const withoutEffect: readonly (readonly [name: RegExp, reason: string])[] = [
  [/^(exporter|exportfile)$/, printed],
  [/^(measurementtype|measurement\..+|hdrhistogram\..+|histogram\.buckets|timeseries\.granularity)$/, measured],
  [
    /^(reportlatencyforeacherror|latencytrackederrors)$/,
    'the result has the latency of failed operations, and every error by its code',
  ],
  [/^(status|status\.interval|label)$/, 'mongo-perf shows the progress of every run'],
  [/^(db|columnfamily)$/, 'the database is always MongoDB'],
  [/^(htrace\..+|spin\.sleep)$/, 'it is about the client of YCSB'],
  [/^core_workload_insertion_retry_interval$/, 'nothing is sent again'],
  [/^mongodb\.(maxconnections|threadsAllowedToBlockForConnectionMultiplier)$/, 'every worker has a connection'],
]

/**
 * Reads properties; of several with one name the last counts.
 * @param ignored Names of properties to leave out, whatever they are.
 * @throws {Problem} "spec-invalid" with all properties that are unknown, wrong or refused; "usage" for an ignored one that is not there.
 */
export function readWorkload(
  properties: readonly Property[],
  file: string,
  ignored: readonly string[] = [],
): { readonly workload: Workload; readonly remarks: readonly string[] } {
  const last = new Map(properties.map((property) => [property.name, property]))
  const missing = ignored.find((name) => !last.has(name))
  if (missing !== undefined)
    throw new Problem('usage', `--ignore ${missing}: the workload has no such property`, {
      hint: `It has ${[...last.keys()].join(', ')}.`,
    })
  const ofSeries = !ignored.includes('workload') && isSeries(last.get('workload')?.value)
  const reasonToLeaveOut = (name: string): string | undefined =>
    ignored.includes(name)
      ? 'as --ignore has it'
      : [...withoutEffect, ...(ofSeries ? withoutEffectOnSeries : [])].find(([pattern]) => pattern.test(name))?.[1]
  const remarks = [...last.keys()].flatMap((name) => {
    const reason = reasonToLeaveOut(name)
    return reason === undefined ? [] : [`${name} is left out: ${reason}`]
  })
  const texts = [...last].filter(([name]) => reasonToLeaveOut(name) === undefined)
  const { data, findings } = collectFindings(
    ofSeries ? schema.extend(seriesProperties) : schema,
    Object.fromEntries(texts.map(([name, { value }]) => [name, value])),
  )
  if (findings.length > 0)
    throw refusedProperties(
      findings.map(({ path: [name, ...within], reason }) => ({
        name: String(name),
        reason: [...within.slice(-1), reason].join(': '),
      })),
      last,
      file,
    )
  // The beginning of a series is a time, and no number of a record.
  const read = data as Workload
  const workload = ofSeries ? { ...read, insertstart: 0, series: data as TimeSeries } : read
  const contradictions = contradictionsIn(workload)
  if (contradictions.length > 0) throw refusedProperties(contradictions, last, file)
  return { workload, remarks }
}

type PropertyFinding = { readonly name: string; readonly reason: string }

function refusedProperties(
  findings: readonly PropertyFinding[],
  properties: ReadonlyMap<string, Property>,
  file: string,
): Problem {
  const lines = findings.map(({ name, reason }) => {
    const place = properties.get(name)?.place ?? file
    return `${place}: ${reason.startsWith('unknown key') ? reason.replace('key', 'property') : `${name}: ${reason}`}`
  })
  return new Problem('spec-invalid', lines.join('\n'), {
    hint: `${lines.length === 1 ? 'One property' : `${lines.length} properties`} cannot be imported; nothing was started. docs/ycsb.md lists all that can. "mongo-perf import ycsb FILE -p name=value" sets others, and --ignore NAME leaves one out.`,
  })
}

/** Finds what no single property shows. */
function contradictionsIn(workload: Workload): readonly PropertyFinding[] {
  return rules.flatMap(({ name, reason, isBroken }) => (isBroken(workload) ? [{ name, reason }] : []))
}

/** Records that the load phase makes: part of the table, where `insertcount` says so. */
const loadedRecords = ({ recordcount, insertstart, insertcount }: Workload): number =>
  insertcount ?? recordcount - insertstart

const isPartial = (workload: Workload): boolean => workload.insertstart + loadedRecords(workload) < workload.recordcount

const goesByNewest = ({ requestdistribution }: Workload): boolean =>
  requestdistribution === 'latest' || requestdistribution === 'exponential'

type Rule = PropertyFinding & { readonly isBroken: (workload: Workload) => boolean }

const rules: readonly Rule[] = [
  {
    name: 'insertstart',
    reason: 'must be below "recordcount"',
    isBroken: ({ insertstart, recordcount }) => insertstart >= recordcount,
  },
  {
    name: 'insertcount',
    reason: 'is too large: "insertstart" and "insertcount" together must be at most "recordcount"',
    isBroken: (workload) =>
      workload.insertcount !== undefined && workload.insertstart + workload.insertcount > workload.recordcount,
  },
  {
    name: 'insertcount',
    reason: 'loads a part of the records; operations that insert, "latest" and "exponential" need all of them',
    isBroken: (workload) =>
      workload.dotransactions && isPartial(workload) && (workload.insertproportion > 0 || goesByNewest(workload)),
  },
  {
    name: 'insertstart',
    reason: '"latest" and "exponential" draw records before it, which are not loaded',
    isBroken: (workload) => workload.dotransactions && workload.insertstart > 0 && goesByNewest(workload),
  },
  {
    name: 'operationcount',
    reason: 'is missing; without it, "maxexecutiontime" must end the run',
    isBroken: ({ dotransactions, operationcount, maxexecutiontime }) =>
      dotransactions && operationcount === 0 && maxexecutiontime === 0,
  },
  {
    name: 'readproportion',
    reason: 'all proportions are 0',
    isBroken: (workload) =>
      workload.dotransactions &&
      Object.values(getOperationProportions(workload)).every((proportion) => proportion === 0),
  },
  {
    name: 'minfieldlength',
    reason: 'is above "fieldlength"',
    isBroken: ({ fieldlengthdistribution: kind, minfieldlength, fieldlength }) =>
      (kind === 'uniform' || kind === 'zipfian') && minfieldlength > fieldlength,
  },
  {
    name: 'minscanlength',
    reason: 'is above "maxscanlength"',
    isBroken: ({ minscanlength, maxscanlength }) => minscanlength > maxscanlength,
  },
  {
    name: 'recordcount',
    reason:
      'is below the number of series, "fieldcount" times all of "tagcardinality": give each a measurement at least',
    isBroken: ({ series, recordcount }) => series !== undefined && recordcount < countSeries(series),
  },
  {
    name: 'groupbykeys',
    reason: 'must have a 0 or a 1 for each of "tagcount" tags, beside "groupbyfunction"',
    isBroken: ({ series }) => series?.groupbyfunction !== undefined && series.groupbykeys?.length !== series.tagcount,
  },
  {
    name: 'downsamplinginterval',
    reason: 'is missing beside "downsamplingfunction"',
    isBroken: ({ series }) => series?.downsamplingfunction !== undefined && series.downsamplinginterval === undefined,
  },
  {
    name: 'batchsize',
    reason:
      'is not imported for inserts among other operations: YCSB counts each that it only puts into a list as an operation',
    isBroken: (workload) => workload.dotransactions && workload.insertproportion > 0 && getBatchSize(workload) > 1,
  },
  {
    name: 'mongodb.upsert',
    reason: 'is not imported beside a "batchsize" above 1: a batch of a spec only inserts; leave out one of the two',
    isBroken: (workload) => !workload.dotransactions && workload['mongodb.upsert'] && getBatchSize(workload) > 1,
  },
]

/** The binding reads `batchsize`; its documentation has `mongodb.batchsize`. */
export const getBatchSize = (workload: Workload): number => workload.batchsize ?? workload['mongodb.batchsize'] ?? 1

/** How often each operation is chosen, by its name in the spec. */
export const getOperationProportions = (workload: Workload) => ({
  read: workload.readproportion,
  update: workload.updateproportion,
  insert: workload.insertproportion,
  scan: workload.scanproportion,
  readModifyWrite: workload.readmodifywriteproportion,
})
