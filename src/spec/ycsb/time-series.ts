import { z } from 'zod'
import { createCaseInsensitiveEnum, decimal, flag, only, refused, whole } from './url.ts'

/** An operation that a time series of MongoDB has not, or that the workload never makes. */
const none = (reason: string) => decimal.refine((share) => share === 0, `must be 0: ${reason}`)

const numbers = (min: number, max: number) =>
  z
    .string()
    .regex(/^\s*\d+(\s*,\s*\d+)*\s*$/, 'must be whole numbers with commas between them')
    .transform((text) => text.split(',').map(Number))
    .pipe(z.array(z.int().min(min).max(max)))

/** How values are summed up. Empty or undefined: they are not. */
const summary = createCaseInsensitiveEnum(['', 'sum', 'min', 'max', 'avg', 'average', 'count'])
  .transform((name) => (name === '' ? undefined : name))
  .optional()

/** The properties that TimeSeriesWorkload of YCSB 0.17 has alone, or reads in another way, with its defaults. */
export const seriesProperties = {
  workload: z.string(),
  fieldcount: whole(1, 10_000).prefault('10'),
  fieldlength: whole(1, 100).prefault('100'),
  fieldlengthdistribution: only('constant', 'all keys of series have one length').optional(),
  insertstart: whole(0, 8_640_000_000_000).optional(),
  insertcount: refused('is not imported for a time series: load all of it').optional(),
  requestdistribution: z.enum(['uniform', 'sequential', 'zipfian', 'hotspot']).prefault('uniform'),
  updateproportion: none(
    'measurements of a time series cannot be updated; where the file sets nothing, YCSB updates with 0.05',
  ).prefault('0.05'),
  readmodifywriteproportion: none('a time series has no such operation').prefault('0'),
  'mongodb.upsert': flag
    .refine((upserts) => !upserts, 'must be false: a time series takes no upserts')
    .prefault('false'),
  timestampkey: z.string().prefault('YCSBTS'),
  valuekey: z.string().prefault('YCSBV'),
  timestampunits: createCaseInsensitiveEnum(['SECONDS', 'MILLISECONDS']).prefault('SECONDS'),
  timestampinterval: whole(1, 1_000_000_000).prefault('60'),
  tagcount: whole(1, 100).prefault('4'),
  tagcardinality: numbers(1, 10_000).prefault('1, 2, 4, 8'),
  tagkeylength: whole(1, 100).prefault('8'),
  tagvaluelength: whole(1, 100).prefault('8'),
  valuetype: createCaseInsensitiveEnum(['floats', 'integers', 'mixednumbers']).prefault('floats'),
  sparsity: none('each series has a value at each time').prefault('0'),
  delayedseries: decimal.pipe(z.number().max(1)).prefault('0.10'),
  delayedintervals: whole(1, 1_000_000).prefault('5'),
  randomwritetimestamporder: only('false', 'measurements come in the order of time').optional(),
  querytimespan: whole(0, 1_000_000_000).prefault('0'),
  queryrandomtimespan: flag.prefault('false'),
  groupbyfunction: summary,
  groupbykeys: numbers(0, 1).optional(),
  downsamplingfunction: summary,
  downsamplinginterval: whole(1, 1_000_000_000).optional(),
}

/** A time series of YCSB: its properties, with their defaults. */
export type TimeSeries = z.output<z.ZodObject<typeof seriesProperties>>

/** Properties that change nothing in a time series, and why they are left out. */
export const withoutEffectOnSeries: readonly (readonly [name: RegExp, reason: string])[] = [
  [
    /^(minfieldlength|fieldlengthhistogram|fieldnameprefix|readallfields|readallfieldsbyname|writeallfields|insertorder|zeropadding|minscanlength|exponential\..+)$/,
    'TimeSeriesWorkload does not read it',
  ],
  [
    /^(tagpairdelimiter|deletedelimiter|querytimespandelimiter|groupbykey|downsamplingkey)$/,
    'queries are sent as MongoDB takes them, not in texts',
  ],
  [/^delayed(Series|Intervals)$/, 'YCSB reads it in small letters alone'],
  [/^randomtimeseriesorder$/, 'it shuffles the names of series, which are written in the same order'],
]

/** The number of values of each tag: what is missing is 1, and what is too much is not read. */
export const getCardinalities = ({ tagcount, tagcardinality }: TimeSeries): readonly number[] =>
  Array.from({ length: tagcount }, (_, tag) => tagcardinality[tag] ?? 1)

/** How many series there are. */
export const countSeries = (series: TimeSeries): number =>
  getCardinalities(series).reduce((count, values) => count * values, series.fieldcount)
