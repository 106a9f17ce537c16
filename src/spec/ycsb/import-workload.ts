import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { type Json, type JsonObject } from '../../core/json.ts'
import { type ImportOptions, makeSpec } from './make-spec.ts'
import { parseProperties, type Property } from './parse-properties.ts'
import { readConnection } from './read-url.ts'
import { getBatchSize, readWorkload, type Workload } from './workload.ts'

/** A spec, and what in it is not as YCSB does it. */
export type Imported = { readonly spec: JsonObject; readonly remarks: readonly string[] }

/** A property file of YCSB. */
export type WorkloadFile = { readonly file: string; readonly text: string }

/**
 * Makes a spec of a workload of YCSB. Nothing passes silently: each property is used, left out with a remark, or refused.
 * @param others Further property files; what they have replaces what the ones before have.
 * @param properties Replace what the files have.
 * @param ignored Names of properties to leave out.
 * @throws {Problem} "spec-invalid" with all properties that cannot be imported; "spec-unreadable" for a histogram.
 */
export async function importWorkload(
  { file, text }: WorkloadFile,
  {
    others = [],
    properties = [],
    ignored,
    ...options
  }: ImportOptions & {
    readonly others?: readonly WorkloadFile[]
    readonly properties?: readonly Property[]
    readonly ignored?: readonly string[] | undefined
  } = {},
): Promise<Imported> {
  const fromFiles = [{ file, text }, ...others].flatMap((one) => parseProperties(one.text, one.file))
  const { workload, remarks } = readWorkload([...fromFiles, ...properties], file, ignored)
  if (workload.series && options.existing)
    throw new Problem('usage', 'YCSB loads no time series into MongoDB, so none can be there already', {
      hint: 'Leave out --existing: the spec loads its own.',
    })
  const name = basename(file).replace(/\.properties$/, '')
  const value = await createFieldValue(workload, file)
  const connection = readConnection(workload)
  const spec = makeSpec({ name, workload, connection, value }, options)
  return { spec, remarks: [...remarks, ...differences(workload, options), ...connection.remarks] }
}

async function createFieldValue(workload: Workload, file: string): Promise<Json> {
  const { fieldlengthdistribution: kind, fieldlength: max, minfieldlength: min } = workload
  switch (kind) {
    case 'constant':
      return { '@binary': { size: max } }
    case 'uniform':
      return { '@binary': { size: { min, max } } }
    case 'zipfian':
      return { '@binary': { size: { min, max, distribution: kind } } }
    case 'histogram':
      return await readHistogram(resolve(dirname(file), workload.fieldlengthhistogram))
  }
}

async function readHistogram(file: string): Promise<Json> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Problem('spec-unreadable', `The histogram ${file} cannot be read (${error.code ?? error.message})`, {
      hint: 'Name it in "fieldlengthhistogram", relative to the property file.',
      cause: error,
    })
  })
  const values = histogramValues(text)
  if (values !== undefined) return values
  throw new Problem('spec-unreadable', `${file} is not a histogram of YCSB`, {
    hint: 'Its first line is "BlockSize", a tab and a size in bytes; the others are a bucket, a tab and a count, with buckets from 0 on and not all counts 0.',
  })
}

/** Remarks on what is measured in another way. */
function differences(workload: Workload, { throttled = false, existing = false }: ImportOptions): readonly string[] {
  const { target, dotransactions, threadcount, series, insertproportion } = workload
  const writes = insertproportion + workload.updateproportion + workload.readmodifywriteproportion
  const remarks: readonly (readonly [isSo: boolean, remark: string])[] = [
    [dotransactions, '2 s of warm-up come before the timed window; YCSB has none ("warmup" of the phase)'],
    [
      target > 0 && !throttled,
      `target=${target} is the rate of an open loop: response times count from when an operation was due, and threadcount=${threadcount} does not bound the operations in flight; --throttled holds the threads back instead, as YCSB does`,
    ],
    [
      workload['mongodb.url'] !== undefined,
      'mongodb.url: its address is not copied; give the server with --uri or MONGO_PERF_URI',
    ],
    [
      workload['mongodb.batchsize'] !== undefined,
      'mongodb.batchsize is taken for batchsize, as in the documentation of the binding; its code reads only batchsize',
    ],
    [
      series !== undefined && series.insertstart === undefined,
      'measurements begin at 2026-01-01T00:00:00Z; YCSB begins at the current time where "insertstart" is missing',
    ],
    [
      series !== undefined && dotransactions && insertproportion > 0,
      'inserts of the run go on where the load ended; YCSB begins at "insertstart" again',
    ],
    [getBatchSize(workload) > 1 && dotransactions, 'batchsize is left out: the documents are loaded in batches anyway'],
    [
      existing && writes > 0,
      'the spec writes to a collection that mongo-perf did not create: run it with --allow-writes',
    ],
  ]
  return remarks.flatMap(([isSo, remark]) => (isSo ? remark : []))
}

/**
 * Values whose lengths follow a histogram file of YCSB: "BlockSize", a tab and the size in bytes; then lines of a bucket, a
 * tab and its count. Bucket i has values of i + 1 blocks. As YCSB's `HistogramGenerator` draws them, numbers below the sum of
 * all counts: a bucket takes those up to the sum of the counts that it ends, itself included, and what is left has the length
 * of the bucket before the last.
 * @returns undefined where the text is no such file, or has nothing to draw.
 */
function histogramValues(text: string): Json | undefined {
  const [first = '', ...lines] = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const blockSize = Number(/^BlockSize\t(\d+)\s*$/.exec(first)?.[1])
  const counts = lines.map((line, i) => Number(new RegExp(`^${i}\\t(\\d+)\\s*$`).exec(line)?.[1]))
  const area = counts.reduce((sum, count) => sum + count, 0)
  if (![blockSize, ...counts].every(Number.isSafeInteger) || area === 0) return undefined
  const weights: number[] = []
  let taken = 0
  let sum = 0
  for (const count of counts.slice(0, -1)) {
    sum += count
    const end = Math.min(sum + 1, area)
    weights.push(end - taken)
    taken = end
  }
  if (weights.length === 0) return { '@binary': { size: 0 } }
  weights[weights.length - 1] = (weights.at(-1) ?? 0) + area - taken
  return {
    '@choice': {
      values: weights.map((_, i) => ({ '@binary': { size: (i + 1) * blockSize } })),
      weights,
    },
  }
}
