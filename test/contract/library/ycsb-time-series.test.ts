import { expect, test } from 'vitest'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { importWorkload } from '../../../src/spec/ycsb/import-workload.ts'
import { fail } from '../../fakes/fail.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

const small = [
  'workload=site.ycsb.workloads.TimeSeriesWorkload',
  'recordcount=400',
  'operationcount=120',
  'threadcount=2',
  'fieldcount=2',
  'fieldlength=4',
  'tagcount=2',
  'tagcardinality=1,2',
  'delayedseries=0',
  'readproportion=0.5',
  'scanproportion=0.3',
  'updateproportion=0',
  'insertproportion=0.2',
]

async function operationsOf(name: string, engine: 'driver' | 'wire', properties: readonly string[]) {
  const { spec } = await importWorkload({ file: name, text: [...small, ...properties].join('\n') })
  const { variants } = await run({ ...spec, engine } as unknown as SpecInput, { uri: server.uri })
  const { operations, digest } = variants[0]?.phases[0] ?? fail('no phase')
  expect(operations.map(({ failed, unknown }) => failed + unknown)).toEqual(operations.map(() => 0))
  return { digest, found: Object.fromEntries(operations.map((one) => [one.name, [one.ok, one.documents]])) }
}

test('both engines find what was loaded: a measurement a read, and up to the scan length a scan', async () => {
  const [one, other] = [await operationsOf('ts-a', 'driver', []), await operationsOf('ts-a', 'wire', [])]
  expect(one).toEqual(other)
  const { read: [reads, readDocuments] = [], scan: [scans, scanned] = [] } = one.found
  expect([readDocuments, scanned]).toEqual([reads, scans])
})

test('time spans, downsampling and groups return what they come to', async () => {
  // 20 intervals of a minute by tens of minutes, of two tag values: 1 to 3 buckets each. Without inserts, as their number depends on how long the warm-up takes.
  const summed = [
    'readproportion=0.7',
    'insertproportion=0',
    'querytimespan=1200',
    'downsamplingfunction=avg',
    'downsamplinginterval=600',
    'groupbyfunction=sum',
    'groupbykeys=0,1',
  ]
  const [one, other] = [await operationsOf('ts-b', 'driver', summed), await operationsOf('ts-b', 'wire', summed)]
  expect(one).toEqual(other)
  const { read: [reads = 0, documents = 0] = [] } = one.found
  expect((documents ?? 0) / (reads ?? 1)).toBeGreaterThan(1)
})
