import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { EJSON } from 'bson'
import { type Document, MongoClient } from 'mongodb'
import { metricNames, metrics } from '../src/results/server-metrics.ts'
import { thisMachine } from '../src/servers/machine.ts'
import { startTarget, targetSpec } from '../src/servers/targets/index.ts'
import { createStartContext } from '../src/servers/targets/start/start-context.ts'
import { type Bench } from './benchmark.ts'

const shipped = new URL('../fixtures/server-samples/', import.meta.url)

const kinds = { standalone: { kind: 'standalone' }, primary: { kind: 'replicaSet', members: 1 } } as const

/** Replies of a real server around a window with a few hundred inserts and finds. */
type Recording = { readonly start: Document; readonly end: Document; readonly diagnosticData: readonly Document[] }

/**
 * Records the windows that tests of server metrics read (`fixtures/server-samples/`), cut down to the fields that they have and to those that a metric
 * names. A new metric needs it once: no value in them was written by hand. Into `--out`, or into the fixtures themselves.
 */
export const serverSamples: Bench = async ({ mongod, print, out }) => {
  const folder = out ?? fileURLToPath(shipped)
  mkdirSync(folder, { recursive: true })
  await using context = createStartContext({
    machine: thisMachine(process.env),
    mongod: await mongod(),
    uri: () => undefined,
    allowRemote: false,
    signal: new AbortController().signal,
    log: () => {},
  })
  for (const [name, target] of Object.entries(kinds)) {
    await using server = await startTarget(targetSpec.parse({ ...target, server: { cacheGB: 0.25 } }), context)
    await using client = new MongoClient(server.uri)
    const file = `6.0.5-${name}.json`
    const before = EJSON.parse(readFileSync(new URL(file, shipped), 'utf8')) as Recording
    const replies = await recordWindow(client)
    writeFileSync(`${folder}/${file}`, `${EJSON.stringify(cutRecording(replies, before), undefined, 1)}\n`)
    print(`${file}: ${replies.diagnosticData.length} looks of the server at itself`)
  }
}

/** Looks of a server at itself before, within and after a window: it has one each second. */
async function recordWindow(client: MongoClient): Promise<Recording> {
  const admin = client.db('admin')
  const documents = client.db('samples').collection<{ readonly _id: number; readonly text: string }>('documents')
  const look = (): Promise<Document> => admin.command({ getDiagnosticData: 1 })
  const ask = (): Promise<Document> => admin.command({ serverStatus: 1 })
  await documents.insertOne({ _id: -1, text: '' })
  await pause(1500)
  const diagnosticData = [await look()]
  const start = await ask()
  for (let second = 0; second < 2; second++) {
    for (let n = 0; n < 150; n++) {
      await documents.insertOne({ _id: 150 * second + n, text: 'x'.repeat(1000) })
      await documents.findOne({ text: 'y' })
    }
    await pause(800)
    diagnosticData.push(await look())
  }
  await pause(300)
  const end = await ask()
  await pause(1200)
  diagnosticData.push(await look())
  return { start, end, diagnosticData }
}

function cutRecording({ start, end, diagnosticData }: Recording, before: Recording): Recording {
  const paths = metricNames.flatMap((metric) => metrics[metric].readings.flatMap((reading) => reading.paths))
  const read = paths.flatMap((path) => /^serverStatus\.([^*]+)$/.exec(path)?.[1] ?? [])
  const status = read.reduce((shape, path) => withPath(shape, path.split('.')), before.start)
  const looks = before.diagnosticData[0] ?? {}
  const shape = { ...looks, data: { ...looks['data'], serverStatus: { ...looks['data'].serverStatus, ...status } } }
  return {
    start: cut(start, status),
    end: cut(end, status),
    diagnosticData: diagnosticData.map((one) => cut(one, shape)),
  }
}

/** Adds a path to the shape of a reply. Steps of a path are joined by dots, and names of the server have none. */
function withPath(shape: Document, [step = '', ...rest]: readonly string[]): Document {
  const inside: unknown = shape[step]
  if (rest.length === 0) return { [step]: true, ...shape }
  return { ...shape, [step]: withPath(typeof inside === 'object' && inside !== null ? inside : {}, rest) }
}

const isPlain = (value: unknown): value is Document => value?.constructor === Object

/** The fields of a reply that a shape has. */
function cut(reply: Document, shape: Document): Document {
  return Object.fromEntries(
    Object.entries(shape).flatMap(([key, inside]) => {
      const value: unknown = reply[key]
      if (value === undefined) return []
      return [[key, isPlain(value) && isPlain(inside) ? cut(value, inside) : value]]
    }),
  )
}
