import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db } from 'mongodb'
import { Problem } from '../core/errors.ts'
import { type JsonObject } from '../core/json.ts'
import { sum } from '../metrics/statistics.ts'
import { type ComparedFigure } from '../report/comparison/comparison.ts'
import { nothingRecorded } from '../report/comparison/limits.ts'
import { sampleCollection } from '../sources/init/collection/sample-collection.ts'
import { mixReport, timedPhase } from '../sources/init/draft.ts'
import { distinctNames } from '../sources/init/names.ts'
import { createNotes } from '../sources/init/notes.ts'
import { planQuery } from '../sources/init/query/parameterize-query.ts'
import { printSpec } from '../spec/parse/print-spec.ts'
import { ab, type AbOptions } from '../verdicts/ab/ab.ts'
import { type AdvisedShape, type CollectionAdvice, findConstants } from './advise-on-collection.ts'
import { type Advice } from './advise.ts'
import { showIndexes } from './count-work.ts'

/** Reads with the indexes of the advice shown, compared with the same reads with them hidden. */
export type MeasuredAdvice = {
  /** Ratios of the median latency, by the name of the shape. */
  readonly p50: ReadonlyMap<string, ComparedFigure>
  /** CPU of the server per operation of all of them. Undefined: not known. */
  readonly cpu: ComparedFigure | undefined
  /** Limits on the verdicts, the most important one first. */
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
const parameters = { workers: 4, seconds: 10, warmupSeconds: 1, advice: 'without' }

/** Measures the reads for which the advice matters, in alternating stretches: its indexes are shown and hidden in turn. */
export async function measureReads(
  db: Db,
  { collections }: Advice,
  { uri, out, sample, ...options }: MeasureOptions,
): Promise<MeasuredAdvice | undefined> {
  const changed = collections.filter(({ create }) => create.length > 0)
  const shapes = [...new Set(changed.flatMap(listChangedReads))]
  const { operations, names, notes } = await planOperations(db, shapes, sample)
  if (operations.length === 0) return undefined
  const used = [...new Set(operations.map(({ collection }) => String(collection)))]
  const spec = {
    name: 'advise-reads',
    title: `${db.databaseName}: what the indexes bring`,
    target: { kind: 'existing', uriFrom: 'MONGO_PERF_URI' },
    parameters,
    data: used.map((collection) => ({ existing: `${db.databaseName}.${collection}` })),
    description: [{ '@concat': ['This side is ', { '@param': 'advice' }, ' the indexes of the advice.'] }],
    phases: [timedPhase(phase, operations)],
    report: mixReport,
  }
  await mkdir(out, { recursive: true })
  const file = join(out, 'spec.json')
  await writeFile(file, printSpec(spec))
  const { comparison } = await ab(file, {
    ...options,
    out,
    a: { set: { advice: 'without' } },
    b: { set: { advice: 'with' } },
    measures: [...[...names.values()].map((name) => `${name}.p50Ms`), `${phase}.serverCpuUsPerOperation`],
    uris: { MONGO_PERF_URI: uri },
    async beforeTurn(side) {
      for (const { collection, create } of changed)
        await showIndexes(
          db,
          collection,
          create.map(({ name }) => name),
          side === 'b',
        )
    },
  })
  if (comparison === null) return undefined
  const find = (measure: string): ComparedFigure | undefined =>
    comparison.figures.find((figure) => figure.measure === measure)
  return {
    p50: new Map(
      [...names].flatMap(([shape, name]) => {
        const figure = find(`${name}.p50Ms`)
        return figure === undefined ? [] : [[shape, figure] as const]
      }),
    ),
    cpu: find(`${phase}.serverCpuUsPerOperation`),
    limits: comparison.limits.filter((limit) => limit !== nothingRecorded),
    notes,
  }
}

/** Reads whose work changes. Writes would change the data for the other side. */
const listChangedReads = ({ shapes }: CollectionAdvice): readonly AdvisedShape[] =>
  shapes.filter(
    ({ group: { call }, today, advised }) =>
      today !== advised && /^(?:find|findOne|aggregate|countDocuments|distinct)$/.test(call.kind),
  )

/** The operations for shapes, with values drawn from the collections, and their names by those of the shapes. */
async function planOperations(db: Db, shapes: readonly AdvisedShape[], sample: number) {
  const free = distinctNames([phase])
  const operations: JsonObject[] = []
  const names = new Map<string, string>()
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
      names.set(shape, name)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      notes.push(`${shape} was not measured: ${error.message}.`)
    }
  }
  return { operations, names, notes }
}
