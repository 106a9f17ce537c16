import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { guardedKeys } from '../../language/values/keys.ts'
import { findCommonWriteConcern } from './calls.ts'
import { measuredOperation } from './operations.ts'
import {
  type RecordedCollection,
  type RecordedSetup,
  type RecordedTest,
  type RecordedWrite,
  type SetupOfThreads,
  Unsupported,
} from './recorded.ts'
import { workersParameter } from './templates.ts'
import { withDoubles } from './to-json.ts'

/** A test as a spec, with the files of data that the spec names. */
export type TestSpec = {
  /** Without `$schema`, which depends on where the file goes. */
  readonly spec: JsonObject
  /** Lines of Extended JSON by the name of their file, relative to the spec. Tests with the same documents name the same file. */
  readonly files: ReadonlyMap<string, readonly string[]>
  /** Operators of the test that the command line must allow as well. */
  readonly allow: readonly string[]
}

/** Maximum number of writes that a bulk write may list. */
const maxWrites = 1000

/** The time for which the official runner measures by default, in seconds. */
const defaultSeconds = 5

const workers = { '@param': workersParameter }

/**
 * Writes a recorded test as a spec.
 * @param name The name of the spec.
 * @param source Where the test stands, for the description.
 * @param threads Numbers of workers to measure with.
 * @throws {Unsupported} with what the language of specs does not have.
 */
export function testSpec(test: RecordedTest, name: string, source: string, threads: readonly number[]): TestSpec {
  const files = new Map<string, readonly string[]>()
  const measured = measuredOperation(test.ops, test.collection)
  const data = test.setups.flatMap((setup) => createDataSets(test, setup, files))
  const phases = [
    ...test.setups.flatMap((setup) => writePhases('pre', setup.pre.writes, createThreadsCondition(test, setup))),
    {
      name: 'benchRun',
      load: { kind: 'closed', workers },
      stopAfter: { seconds: { '@param': 'seconds' } },
      operations: [measured],
      ...findCommonWriteConcern(test.ops),
    },
    ...writePhases('post', collectPostWrites(test.post), {}),
  ]
  const allow = guardedKeys.filter((key) => hasKey([data as Json, phases], key))
  const [first = 1] = threads
  const spec: JsonObject = {
    name,
    title: test.name,
    description: `The test case ${test.name} of ${source}, imported by \`mongo-perf import mongo-perf\`.${leftOut(test)}`,
    ...(allow.length > 0 && { allow }),
    ...createTarget(test),
    parameters: { [workersParameter]: first, seconds: defaultSeconds },
    profiles: { smoke: { seconds: 1 } },
    ...(threads.length > 1 && { variants: { [workersParameter]: threads } }),
    data,
    engine: 'wire',
    phases,
    report: { tables: [createOpsTable(measured)] },
  }
  return { spec, files, allow }
}

/** Describes the documents that the shell does not insert either. */
function leftOut({ setups }: RecordedTest): string {
  const count = Math.max(...setups.map(({ pre }) => pre.duplicates))
  return count === 0 ? '' : ` Left out, as the shell does: ${count} inserted under an _id that was there already.`
}

/** Parameters of the server that `pre` sets are given to the server when it starts. */
function createTarget({ setups }: RecordedTest): JsonObject {
  const setParameters = Object.assign({}, ...setups.map(({ pre }) => pre.serverParameters)) as JsonObject
  return Object.keys(setParameters).length > 0 ? { target: { kind: 'standalone', server: { setParameters } } } : {}
}

/** Adds a condition to a set-up that holds for only some numbers of workers. */
const createThreadsCondition = ({ setups }: RecordedTest, { threads }: SetupOfThreads): JsonObject =>
  setups.length > 1 ? { when: { '@in': [workers, threads] } } : {}

function createDataSets(
  test: RecordedTest,
  setup: SetupOfThreads,
  files: Map<string, readonly string[]>,
): readonly JsonObject[] {
  const { collections } = setup.pre
  // The official runner creates the collection of a test whose `pre` does not.
  const own: readonly RecordedCollection[] = collections.some(({ name }) => name === test.collection)
    ? []
    : [{ name: test.collection, options: {}, lines: [], indexes: [], indexedFirst: false }]
  return [...own, ...collections]
    .toSorted((one, other) => Number(isView(one)) - Number(isView(other)))
    .map((collection) => createRecordedDataSet(collection, createThreadsCondition(test, setup), files))
}

const isView = ({ options }: RecordedCollection): boolean => options['viewOn'] !== undefined

function createRecordedDataSet(
  collection: RecordedCollection,
  condition: JsonObject,
  files: Map<string, readonly string[]>,
): JsonObject {
  const { name, options, lines, indexes, indexedFirst } = collection
  const file = fileName(lines)
  if (lines.length > 0) files.set(file, lines)
  return {
    ...condition,
    collection: name,
    ...(lines.length > 0 && { file }),
    ...(indexes.length > 0 && { indexes }),
    ...(indexes.length > 0 && indexedFirst && lines.length > 0 && { indexBuild: 'before' }),
    ...(Object.keys(options).length > 0 && { options }),
  }
}

/** Named after its content, so that tests with the same documents share a file. */
function fileName(lines: readonly string[]): string {
  const hash = createHash('sha256')
  for (const line of lines) hash.update(`${line}\n`)
  return `data/${hash.digest('hex').slice(0, 16)}.ndjson`
}

/** Phases that are not measured and make writes, in their order. */
function writePhases(prefix: string, writes: readonly RecordedWrite[], condition: JsonObject): readonly JsonObject[] {
  return groupAdjacentWrites(writes).map((group, i) =>
    Object.assign({ name: `${prefix}${i + 1}` }, condition, {
      measured: false,
      stopAfter: { operations: 1 },
      operations: [
        {
          kind: 'bulkWrite',
          collection: group[0]?.collection ?? '',
          operations: group.map(({ model }) => withDoubles(model)),
        },
      ],
    }),
  )
}

/** Neighbours that write to one collection, as many as one call may make. */
function groupAdjacentWrites(writes: readonly RecordedWrite[]): readonly (readonly RecordedWrite[])[] {
  const groups: RecordedWrite[][] = []
  for (const write of writes) {
    const last = groups.at(-1)
    if (last && last[0]?.collection === write.collection && last.length < maxWrites) last.push(write)
    else groups.push([write])
  }
  return groups
}

/** Collects the writes of `post`. Collections that it drops go with the server that the run started. */
function collectPostWrites({ collections, writes }: RecordedSetup): readonly RecordedWrite[] {
  const inserts = collections.flatMap(({ name, lines, indexes, options }) => {
    if (indexes.length > 0) throw new Unsupported('an index that post creates')
    if (Object.keys(options).length > 0) throw new Unsupported('a collection that post creates')
    return lines.map((line) => ({
      collection: name,
      model: { insertOne: { document: JSON.parse(line) as Json } },
    }))
  })
  return [...inserts, ...writes]
}

/** benchRun counts every operation of its list, where a spec times their round as one and counts rounds that succeed. */
function createOpsTable({ steps }: JsonObject): JsonObject {
  const ops = isList(steps)
    ? { '@add': steps.map(({ kind, name = kind }) => ({ '@metric': `benchRun.steps.${String(name)}.opsPerSecond` })) }
    : { '@metric': 'benchRun.opsPerSecond' }
  return {
    title: 'Throughput, as benchRun counts it',
    columns: [
      { parameter: workersParameter, title: 'Workers' },
      { value: ops, title: 'Operations/s', digits: 0 },
      'benchRun.p50Ms',
      'benchRun.p99Ms',
      'errors',
    ],
  }
}

const isList = (json: Json | undefined): json is readonly JsonObject[] => Array.isArray(json)

const hasKey = (json: Json, key: string): boolean =>
  typeof json === 'object' &&
  json !== null &&
  ((isObject(json) && Object.hasOwn(json, key)) ||
    (Object.values(json) as readonly Json[]).some((item) => hasKey(item, key)))
