import { type Json, type JsonObject } from '../../core/json.ts'
import { countSeries, getCardinalities, type TimeSeries } from './time-series.ts'

const parameter = (name: string): Json => ({ '@param': name })
const variable = (name: string): Json => ({ '@var': name })
const quotient = (number: Json, by: number): Json => ({ '@floor': { '@divide': [number, by] } })

/** The beginning where a property file gives none: a spec makes the same documents whenever it runs. */
const defaultStartMs = Date.UTC(2026, 0, 1)

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The names that YCSB counts up: AA, AB, to zz. */
const createNames = (count: number, length: number): readonly string[] =>
  Array.from({ length: count }, (_, number) =>
    Array.from(
      { length },
      (__, place) => letters[Math.floor(number / letters.length ** (length - 1 - place)) % letters.length],
    ).join(''),
  )

const tagKeys = ({ tagcount, tagkeylength }: TimeSeries): readonly string[] => createNames(tagcount, tagkeylength)

const inMs = ({ timestampunits }: TimeSeries, units: number): number =>
  timestampunits === 'SECONDS' ? units * 1000 : units

/** The names of keys and of the values of tags. */
export const createSeriesParameters = (series: TimeSeries): JsonObject => ({
  keys: createNames(series.fieldcount, series.fieldlength),
  tagvalues: createNames(Math.max(...getCardinalities(series)), series.tagvaluelength),
})

/** A date by the number of its interval from the first one on. */
const createDate = (series: TimeSeries, interval: Json): Json => ({
  '@add': [
    {
      $date: new Date(
        series.insertstart === undefined ? defaultStartMs : inMs(series, series.insertstart),
      ).toISOString(),
    },
    { '@multiply': [inMs(series, series.timestampinterval), interval] },
  ],
})

const nameAt = (list: string, number: Json): Json => ({ '@arrayElemAt': [parameter(list), number] })

/** The tags of a series, each with one of the names of its values. */
const createTags = (series: TimeSeries, numberOf: (tag: number, values: number) => Json): JsonObject =>
  Object.fromEntries(
    getCardinalities(series).map((of, tag) => [
      tagKeys(series)[tag],
      nameAt('tagvalues', of === 1 ? 0 : numberOf(tag, of)),
    ]),
  )

/** The coarsest unit that an interval is not below, in which the server sorts measurements into buckets. */
const findGranularity = (ms: number): string => (ms < 60_000 ? 'seconds' : ms < 3_600_000 ? 'minutes' : 'hours')

const values = {
  floats: { '@double': { min: 0, max: 100_000 } },
  integers: { '@int': { min: -(2 ** 31), max: 2 ** 31 - 1 } },
  mixednumbers: {
    '@choice': { values: [{ '@int': { min: -(2 ** 31), max: 2 ** 31 - 1 } }, { '@double': { min: 0, max: 100_000 } }] },
  },
} as const satisfies Readonly<Record<TimeSeries['valuetype'], Json>>

/** Measurement by measurement as one thread of YCSB writes them: all series at one time, then all at the next. */
export function createSeriesData(series: TimeSeries): JsonObject {
  const { timestampkey, valuekey, timestampinterval, delayedseries, delayedintervals, valuetype } = series
  const count = countSeries(series)
  const cardinalities = getCardinalities(series)
  const productFrom = (tag: number): number => cardinalities.slice(tag).reduce((product, one) => product * one, 1)
  const delay: Json = {
    '@cond': [
      { '@lt': [variable('number'), delayedseries * count] },
      { '@mod': [variable('number'), delayedintervals] },
      0,
    ],
  }
  return {
    options: {
      timeseries: {
        timeField: timestampkey,
        metaField: 'series',
        granularity: findGranularity(inMs(series, timestampinterval)),
      },
    },
    let: { number: { '@mod': [{ '@row': {} }, count] }, interval: quotient({ '@row': {} }, count) },
    document: {
      [timestampkey]: createDate(
        series,
        delayedseries === 0 ? variable('interval') : { '@subtract': [variable('interval'), delay] },
      ),
      series: {
        key: nameAt('keys', quotient(variable('number'), productFrom(0))),
        ...createTags(series, (tag, of) => ({ '@mod': [quotient(variable('number'), productFrom(tag + 1)), of] })),
      },
      [valuekey]: values[valuetype],
    },
    indexes: [{ key: { 'series.key': 1, [timestampkey]: 1 } }],
  }
}

/** A read or a scan: of measurements, or of what they come to. */
export function createSeriesQuery(series: TimeSeries, key: Json, limit?: Json): JsonObject {
  const { timestampkey, timestampinterval, querytimespan, queryrandomtimespan, groupbyfunction, groupbykeys } = series
  const lastInterval: Json = { '@subtract': [quotient(parameter('recordcount'), countSeries(series)), 1] }
  const from = createDate(series, { '@int': { min: 0, max: lastInterval } })
  const intervals = Math.max(1, Math.floor(querytimespan / timestampinterval))
  const span: Json = queryrandomtimespan
    ? { '@multiply': [inMs(series, timestampinterval), { '@int': { min: 0, max: intervals - 1 } }] }
    : inMs(series, querytimespan)
  const grouped = tagKeys(series).filter((_, tag) => groupbyfunction !== undefined && groupbykeys?.[tag] === 1)
  const tags = createTags(series, (_, of) => ({ '@int': { min: 0, max: of - 1 } }))
  const match: JsonObject = {
    'series.key': nameAt('keys', key),
    ...Object.fromEntries(
      Object.entries(tags).flatMap(([tag, name]) => (grouped.includes(tag) ? [] : [[`series.${tag}`, name]])),
    ),
    [timestampkey]: querytimespan === 0 ? from : { $gte: variable('from'), $lte: { '@add': [variable('from'), span] } },
  }
  const stages = createSummary(series, grouped)
  const head = querytimespan === 0 ? {} : { let: { from } }
  if (stages.length > 0) {
    const ordered = [{ $match: match }, ...stages, { $sort: { '_id.at': 1 } }]
    return { kind: 'aggregate', ...head, pipeline: limit === undefined ? ordered : [...ordered, { $limit: limit }] }
  }
  return {
    kind: 'find',
    ...head,
    filter: match,
    ...(limit !== undefined && { sort: { [timestampkey]: 1 }, limit }),
    // A measurement that is delayed is at another time.
    ...(querytimespan === 0 && series.delayedseries === 0 && { expectDocuments: 1 }),
  }
}

const summed = (by: string, of: string): JsonObject =>
  by === 'count' ? { $sum: 1 } : { [by === 'average' ? '$avg' : `$${by}`]: of }

/** Stages that sum up by the time, by tags, or by the one and then the other. */
function createSummary(series: TimeSeries, grouped: readonly string[]): readonly JsonObject[] {
  const { timestampkey, timestampunits, valuekey, groupbyfunction, downsamplingfunction, downsamplinginterval } = series
  const stages: JsonObject[] = []
  let [inSeries, at, value] = ['$series', `$${timestampkey}`, `$${valuekey}`]
  if (downsamplingfunction !== undefined) {
    const unit = timestampunits === 'SECONDS' ? 'second' : 'millisecond'
    const bucket = { $dateTrunc: { date: at, unit, binSize: downsamplinginterval ?? 1 } }
    stages.push({ $group: { _id: { series: inSeries, at: bucket }, value: summed(downsamplingfunction, value) } })
    ;[inSeries, at, value] = ['$_id.series', '$_id.at', '$value']
  }
  if (groupbyfunction !== undefined) {
    const tags = Object.fromEntries(grouped.map((tag) => [tag, `${inSeries}.${tag}`]))
    stages.push({ $group: { _id: { ...tags, at }, value: summed(groupbyfunction, value) } })
  }
  return stages
}
