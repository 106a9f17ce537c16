import { describe, expect, test } from 'vitest'
import { loadSpecText } from '../../../src/spec/load-spec.ts'
import { printSpec } from '../../../src/spec/parse/print-spec.ts'
import { importWorkload } from '../../../src/spec/ycsb/import-workload.ts'
import { plansOf } from '../../fakes/a-plan.ts'
import { fail } from '../../fakes/fail.ts'

const base = {
  workload: 'site.ycsb.workloads.TimeSeriesWorkload',
  recordcount: '64',
  operationcount: '100',
  fieldcount: '2',
  fieldlength: '2',
  tagcount: '3',
  tagcardinality: '1,2,4',
  tagkeylength: '2',
  tagvaluelength: '1',
  insertstart: '1483228800',
  delayedseries: '0',
  updateproportion: '0',
}

type Properties = Readonly<Record<string, string>>

async function imported(properties: Properties = {}, options: Parameters<typeof importWorkload>[1] = {}) {
  const text = Object.entries({ ...base, ...properties })
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
  const { spec, remarks } = await importWorkload({ file: 'tsworkload', text }, options)
  const row = loadSpecText(printSpec(spec), 'x.json', {}).rows[0] ?? fail('no row')
  return { row, remarks, written: spec }
}

async function documentsOf(properties: Properties, ...rows: readonly number[]): Promise<unknown[]> {
  const { dataSets } = plansOf((await imported(properties)).row)
  return rows.map((row) => {
    const { YCSBV: _, ...others } = dataSets[0]?.documentOf?.(row).document ?? fail('no document')
    return others
  })
}

const argsOf = async (properties: Properties) => {
  const [plan = fail('no phase')] = plansOf((await imported(properties)).row).plans
  return plan.calls('measured').next().args
}

const optionsOf = async (timestampinterval: string) => (await imported({ timestampinterval })).row.spec.data[0]

const at = (minutes: number): Date => new Date((1_483_228_800 + minutes * 60) * 1000)

test('all series have a measurement at one time, the last tag fastest, and then all at the next', async () => {
  const first = { AA: 'A', AB: 'A' }
  expect(await documentsOf({}, 0, 1, 4, 8, 16, 63)).toEqual([
    { YCSBTS: at(0), series: { key: 'AA', ...first, AC: 'A' } },
    { YCSBTS: at(0), series: { key: 'AA', ...first, AC: 'B' } },
    { YCSBTS: at(0), series: { key: 'AA', AA: 'A', AB: 'B', AC: 'A' } },
    { YCSBTS: at(0), series: { key: 'AB', ...first, AC: 'A' } },
    { YCSBTS: at(1), series: { key: 'AA', ...first, AC: 'A' } },
    { YCSBTS: at(3), series: { key: 'AB', AA: 'A', AB: 'B', AC: 'D' } },
  ])
})

test('delayed series are behind by some intervals, each by its own', async () => {
  const times = (await documentsOf({ delayedseries: '0.25', delayedintervals: '3' }, 48, 49, 50, 51, 52)).map(
    (document) => (document as { readonly YCSBTS: Date }).YCSBTS,
  )
  expect(times).toEqual([at(3), at(2), at(1), at(3), at(3)])
})

test('the collection is a time series with an index, by the interval', async () => {
  expect(await optionsOf('60')).toMatchObject({
    collection: 'usertable',
    rows: 64,
    options: { timeseries: { timeField: 'YCSBTS', metaField: 'series', granularity: 'minutes' } },
    indexes: [{ key: { 'series.key': 1, YCSBTS: 1 } }],
  })
  expect((await optionsOf('59'))?.options?.timeseries).toMatchObject({ granularity: 'seconds' })
  expect((await optionsOf('3600'))?.options?.timeseries).toMatchObject({ granularity: 'hours' })
})

describe('a query', () => {
  const read = { readproportion: '1' }
  const scan = { readproportion: '0', scanproportion: '1' }

  test('reads one measurement of one series at one time', async () => {
    const { filter } = await argsOf(read)
    expect(Object.keys(filter as object)).toEqual(['series.key', 'series.AA', 'series.AB', 'series.AC', 'YCSBTS'])
    const { YCSBTS: time } = filter as { readonly YCSBTS: Date }
    expect([at(0), at(1), at(2), at(3)]).toContainEqual(time)
  })

  test('spans a time, and a scan ends at its length', async () => {
    const { filter, options } = await argsOf({ ...scan, querytimespan: '120', maxscanlength: '1' })
    const { YCSBTS: span } = filter as { readonly YCSBTS: { readonly $gte: Date; readonly $lte: Date } }
    expect(span.$lte.getTime() - span.$gte.getTime()).toBe(120_000)
    expect(options).toEqual({ sort: { YCSBTS: 1 }, limit: 1 })
  })

  test('sums up by time, by tags, and by both', async () => {
    const stagesOf = async (properties: Properties) => {
      const { pipeline } = await argsOf({ ...read, querytimespan: '120', ...properties })
      return (pipeline as readonly { readonly $group?: unknown; readonly $match?: object }[])
        .slice(1, -1)
        .map(({ $group }) => $group)
    }
    const sampled = { downsamplingfunction: 'average', downsamplinginterval: '3600' }
    const grouped = { groupbyfunction: 'SUM', groupbykeys: '0,0,1' }
    const hour = { $dateTrunc: { date: '$YCSBTS', unit: 'second', binSize: 3600 } }
    const byHour = { _id: { series: '$series', at: hour }, value: { $avg: '$YCSBV' } }
    expect(await stagesOf(sampled)).toEqual([byHour])
    expect(await stagesOf(grouped)).toEqual([{ _id: { AC: '$series.AC', at: '$YCSBTS' }, value: { $sum: '$YCSBV' } }])
    expect(await stagesOf({ ...sampled, ...grouped })).toEqual([
      byHour,
      { _id: { AC: '$_id.series.AC', at: '$_id.at' }, value: { $sum: '$value' } },
    ])
    const { pipeline } = await argsOf({ ...read, ...grouped })
    expect(Object.keys((pipeline as readonly { $match: object }[])[0]?.$match ?? {})).not.toContain('series.AC')
  })
})

test('what is not as YCSB has it is remarked, and what changes nothing is left out', async () => {
  const { insertstart: _, ...others } = base
  const text = Object.entries({
    ...others,
    insertproportion: '0.5',
    delayedSeries: '0.1',
    tagpairdelimiter: '=',
    zeropadding: '4',
    randomtimeseriesorder: 'true',
  })
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
  const { remarks } = await importWorkload({ file: 'tsworkload', text })
  expect(remarks.join('\n')).toSay('ycsb-series-remarks')
})

test('the other properties are refused by name', async () => {
  const wrong = {
    sparsity: '0.5',
    updateproportion: '0.05',
    insertcount: '10',
    groupbyfunction: 'median',
    randomwritetimestamporder: 'true',
    requestdistribution: 'latest',
    timestampunits: 'NANOSECONDS',
    'mongodb.upsert': 'true',
    tagcardinality: '1,x',
  }
  await expect(imported(wrong)).rejects.toSay('ycsb-series-refused')
  await expect(imported({ recordcount: '15', groupbyfunction: 'sum', downsamplingfunction: 'avg' })).rejects.toSay(
    'ycsb-series-contradictions',
  )
  await expect(imported({}, { existing: true })).rejects.toSay('ycsb-series-existing')
})
