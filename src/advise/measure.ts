import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EJSON } from 'bson'
import { type Db } from 'mongodb'
import { Problem } from '../core/errors.ts'
import { type JsonObject } from '../core/json.ts'
import { sum } from '../metrics/statistics.ts'
import { type ComparedFigure } from '../report/comparison/comparison.ts'
import { nothingRecorded } from '../report/comparison/limits.ts'
import { sampleCollection } from '../sources/init/collection/sample-collection.ts'
import { specOfIndexWrites } from '../sources/init/comparison/specs-of-trial-index.ts'
import { mixReport, timedPhase } from '../sources/init/draft.ts'
import { distinctNames, specName } from '../sources/init/names.ts'
import { createNotes } from '../sources/init/notes.ts'
import { type CallGroup } from '../sources/init/profile/call-groups.ts'
import { planQuery } from '../sources/init/query/parameterize-query.ts'
import { printSpec } from '../spec/parse/print-spec.ts'
import { ab, type AbOptions, defaultBudgetSeconds } from '../verdicts/ab/ab.ts'
import { type AdvisedShape, type CollectionAdvice, findConstants, readKinds } from './advise-on-collection.ts'
import { type Advice } from './advise.ts'
import { showIndexes } from './count-work.ts'

/** Reads with the indexes of the advice shown, compared with the same reads with them hidden. */
export type MeasuredAdvice = {
  /** Ratios of the median latency, by shape. */
  readonly p50: ReadonlyMap<CallGroup, ComparedFigure>
  /** CPU of the server per operation of all of them. Undefined: not known. */
  readonly cpu: ComparedFigure | undefined
  /** CPU of the server per made-up write, by collection. */
  readonly writes: ReadonlyMap<string, ComparedFigure>
  /** Limits on the verdicts of reads, the most important one first. */
  readonly limits: readonly string[]
  /** Shapes that were not measured, each with its reason. */
  readonly notes: readonly string[]
}

export type MeasureOptions = Pick<AbOptions, 'budgetSeconds' | 'signal' | 'onProgress' | 'env'> & {
  /** The server with the copy. */
  readonly uri: string
  /** The folder for the results of both sides. */
  readonly out: string
  readonly sample: number
}

const phase = 'mix'
const parameters = { workers: 4, seconds: 10, warmupSeconds: 1, index: 'without' }
const serverCpu = 'serverCpuUsPerOperation'

/**
 * Measures what the indexes of the advice bring the reads for which they matter, in alternating stretches in which they are shown and hidden,
 * and what they cost made-up writes like the documents of a collection, in a database with them and one without.
 */
export async function measureAdvice(db: Db, { collections }: Advice, options: MeasureOptions): Promise<MeasuredAdvice> {
  const changed = collections.filter(({ create }) => create.length > 0)
  const written = changed.filter(({ writes }) => writes > 0)
  const share = (options.budgetSeconds ?? defaultBudgetSeconds) / (1 + written.length)
  const ofReads = await measureReads(db, changed, { ...options, budgetSeconds: share })
  const writes = new Map<string, ComparedFigure>()
  for (const advice of written) {
    if (options.signal?.aborted === true) break
    const figure = await measureWrites(advice, { ...options, budgetSeconds: share })
    if (figure !== undefined) writes.set(advice.profile.collection, figure)
  }
  return { ...ofReads, writes }
}

/** Compares a spec with its parameter `index` "without" and "with". */
async function compareSides(
  name: string,
  spec: JsonObject,
  { uri, out, ...options }: MeasureOptions & Pick<AbOptions, 'measures' | 'beforeTurn'>,
) {
  const folder = join(out, name)
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'spec.json')
  await writeFile(file, printSpec(spec))
  const { comparison } = await ab(file, {
    ...options,
    out: folder,
    a: { set: { index: 'without' } },
    b: { set: { index: 'with' } },
    uris: { MONGO_PERF_URI: uri },
  })
  const { figures = [], limits = [] } = comparison ?? {}
  return {
    find: (measure: string): ComparedFigure | undefined => figures.find((figure) => figure.measure === measure),
    limits: limits.filter((limit) => limit !== nothingRecorded),
  }
}

async function measureReads(
  db: Db,
  changed: readonly CollectionAdvice[],
  options: MeasureOptions,
): Promise<Omit<MeasuredAdvice, 'writes'>> {
  // Joins are calls of more than one collection.
  const shapes = [...new Map(changed.flatMap(listChangedReads).map((shape) => [shape.group, shape])).values()]
  const { operations, names, notes } = await planOperations(db, shapes, options.sample)
  if (operations.length === 0) return { p50: new Map(), cpu: undefined, limits: [], notes }
  const used = [...new Set(operations.map(({ collection }) => String(collection)))]
  const spec = {
    name: 'advise-reads',
    title: `${db.databaseName}: what the indexes bring`,
    target: { kind: 'existing', uriFrom: 'MONGO_PERF_URI' },
    parameters,
    data: used.map((collection) => ({ existing: `${db.databaseName}.${collection}` })),
    description: [{ '@concat': ['This side is ', { '@param': 'index' }, ' the indexes of the advice.'] }],
    phases: [timedPhase(phase, operations)],
    report: mixReport,
  }
  const { find, limits } = await compareSides('reads', spec, {
    ...options,
    measures: [...[...names.values()].map((name) => `${name}.p50Ms`), `${phase}.${serverCpu}`],
    async beforeTurn(side) {
      for (const { profile, create } of changed)
        await showIndexes(
          db,
          profile.collection,
          create.map(({ name }) => name),
          side === 'b',
        )
    },
  })
  const p50 = new Map<CallGroup, ComparedFigure>()
  for (const [group, name] of names) {
    const figure = find(`${name}.p50Ms`)
    if (figure !== undefined) p50.set(group, figure)
  }
  return { p50, cpu: find(`${phase}.${serverCpu}`), limits, notes }
}

/** Documents that are made up at most, so that most of the time is left to measure. */
const maxDocuments = 50_000

async function measureWrites(
  { profile, create }: CollectionAdvice,
  options: MeasureOptions,
): Promise<ComparedFigure | undefined> {
  const { collection, documents } = profile
  const added = create.map(({ key, options: given }) => ({
    key: Object.fromEntries(key),
    ...(EJSON.serialize(given, { relaxed: false }) as JsonObject),
  }))
  const spec = specOfIndexWrites(profile, added, {
    name: specName(`advise-${collection}-writes`),
    title: `${collection}: what the indexes cost`,
    documents: Math.max(1, Math.min(documents, maxDocuments)),
  })
  const { find } = await compareSides(`writes-${specName(collection)}`, spec, {
    ...options,
    measures: [`write.${serverCpu}`],
  })
  return find(`write.${serverCpu}`)
}

/** Reads whose work changes. Writes would change the data for the other side. */
const listChangedReads = ({ shapes }: CollectionAdvice): readonly AdvisedShape[] =>
  shapes.filter(({ group: { call }, today, advised }) => today !== advised && readKinds.test(call.kind))

/** The operations for shapes, with values drawn from the collections, and their names by those of the shapes. */
async function planOperations(db: Db, shapes: readonly AdvisedShape[], sample: number) {
  const free = distinctNames([phase])
  const operations: JsonObject[] = []
  const names = new Map<CallGroup, string>()
  const notes: string[] = []
  // A rare shape needs enough samples for its median.
  const least = Math.ceil(sum(shapes.map(({ group }) => group.count)) / shapes.length / 4)
  for (const { name: shape, group } of shapes) {
    const { call, count } = group
    try {
      const profile = await sampleCollection(db, call.collection, sample)
      const planned = planQuery({ call, keep: new Set(findConstants(group).keys()) }, profile, {
        keepValues: true,
        isExisting: true,
        notes: createNotes(),
      })
      const name = free(planned.name)
      operations.push({
        name,
        weight: Math.max(count, least),
        collection: call.collection,
        ...planned.operationOn(undefined),
      })
      names.set(group, name)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      notes.push(`${shape} was not measured: ${error.message}.`)
    }
  }
  return { operations, names, notes }
}
