import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EJSON } from 'bson'
import { type Db } from 'mongodb'
import { Problem } from '../core/errors.ts'
import { type JsonObject } from '../core/json.ts'
import { sum } from '../metrics/statistics.ts'
import { type ComparedFigure } from '../report/comparison/comparison.ts'
import { nothingRecorded } from '../report/comparison/limits.ts'
import { type CollectionProfile } from '../sources/init/collection/collection-profile.ts'
import { literal } from '../sources/init/collection/kinds.ts'
import { describeExtent, specOfIndexWrites } from '../sources/init/comparison/spec-of-index-writes.ts'
import { mixReport, timedPhase } from '../sources/init/draft.ts'
import { distinctNames, specName } from '../sources/init/names.ts'
import { createNotes } from '../sources/init/notes.ts'
import { type CallGroup } from '../sources/init/profile/call-groups.ts'
import { planQuery } from '../sources/init/query/parameterize-query.ts'
import { printSpec } from '../spec/parse/print-spec.ts'
import { ab, type AbOptions } from '../verdicts/ab/ab.ts'
import { type AdvisedIndex, type AdvisedShape, type CollectionAdvice } from './advise-on-collection.ts'
import { type Advice } from './advise.ts'
import { formatKey } from './candidate.ts'
import { findConstants, mayHelp } from './count-candidates.ts'
import { showIndexes } from './count-work.ts'
import { isRead } from './demands.ts'
import { type Question, type Workload } from './workload.ts'

/** The advice, compared with today. */
export type MeasuredAdvice = {
  /** Ratios of the median latency of reads, by shape. */
  readonly p50: ReadonlyMap<CallGroup, ComparedFigure>
  /** CPU of the server per operation of all of them. Undefined: not known. */
  readonly cpu: ComparedFigure | undefined
  /** CPU of the server per read that an index alone helps, against the rest of the advice. Empty: the advice is one index. */
  readonly alone: ReadonlyMap<AdvisedIndex, ComparedFigure>
  /** CPU of the server per made-up write, by collection. */
  readonly writes: ReadonlyMap<string, ComparedFigure>
  /** Limits on the verdicts of reads, the most important one first. */
  readonly limits: readonly string[]
  /** Shapes that were not measured, each with its reason. */
  readonly notes: readonly string[]
}

export type MeasureOptions = Pick<AbOptions, 'signal' | 'onProgress' | 'env' | 'allowRemote'> & {
  readonly budgetSeconds: number
  /** The server with the data: a secret. */
  readonly uri: string
  /** A server that mongo-perf started, for made-up writes. */
  readonly writesUri: string
  readonly question: Question | undefined
  readonly values: Workload['values']
  /** The folder for the results of both sides. */
  readonly out: string
}

const phase = 'mix'
const parameters = { workers: 4, seconds: 10, warmupSeconds: 1, index: 'without' }
const serverCpu = 'serverCpuUsPerOperation'

/**
 * Measures what the advice brings the reads whose work changes, and those that could use an index to drop, in alternating stretches: new indexes
 * hidden and those to drop shown, as today, and the reverse. Then each new index alone, beside today's and the other new ones, as it was counted:
 * the reads that it helps, with it and without. Then what the advice costs made-up writes like the documents of a collection, in a database with it and one without.
 */
export async function measureAdvice(db: Db, { collections }: Advice, options: MeasureOptions): Promise<MeasuredAdvice> {
  const changed = collections.filter(({ create, drop }) => create.length + drop.length > 0)
  const isOne = sum(changed.map(({ create, drop }) => create.length + drop.length)) === 1
  const helpful = isOne
    ? []
    : changed.flatMap((one) => one.create.map((index) => ({ index, shapes: listHelped(index, one) })))
  const single = helpful.filter(({ shapes }) => shapes.length > 0)
  // One who asks about queries alone wants to know what their index costs.
  const written = changed.filter(({ writes }) => writes > 0 || options.question !== undefined)
  // All reads are of several shapes, each with its own interval.
  const share = options.budgetSeconds / (2 + single.length + written.length)
  const profiles = new Map(collections.map(({ profile }) => [profile.collection, profile]))
  const ofReads = await measureReads(
    db,
    {
      name: 'reads',
      title: 'What the advice brings',
      // Joins are operations on more than one collection.
      shapes: [...new Map(changed.flatMap(listReads).map((shape) => [shape.group, shape])).values()],
      profiles,
      async show(isShown) {
        for (const { profile, create, drop } of changed) {
          await showIndexes(db, profile.collection, listNames(create), isShown)
          await showIndexes(db, profile.collection, listNames(drop), !isShown)
        }
      },
    },
    { ...options, budgetSeconds: 2 * share },
  )
  for (const { profile, create, drop } of changed)
    await showIndexes(db, profile.collection, listNames([...create, ...drop]), true)
  const alone = new Map<AdvisedIndex, ComparedFigure>()
  for (const [i, { index, shapes }] of single.entries()) {
    if (options.signal?.aborted === true) break
    const { collection, key, name } = index
    const show = (isShown: boolean): Promise<void> => showIndexes(db, collection, [name], isShown)
    const title = `What ${formatKey(key)} brings`
    const reads = { name: `reads-of-index-${i + 1}`, title, shapes, profiles, show }
    const { cpu } = await measureReads(db, reads, { ...options, budgetSeconds: share })
    if (cpu !== undefined) alone.set(index, cpu)
    await show(true)
  }
  const writes = new Map<string, ComparedFigure>()
  const notes = [...ofReads.notes]
  for (const advice of written) {
    if (options.signal?.aborted === true) break
    const { figure, extent } = await measureWrites(advice, { ...options, budgetSeconds: share })
    if (figure !== undefined) writes.set(advice.profile.collection, figure)
    notes.push(...extent)
  }
  return { ...ofReads, alone, writes, notes }
}

/** Compares a spec with its parameter `index` "without" and "with". */
async function compareSides(
  name: string,
  spec: JsonObject,
  options: MeasureOptions & Pick<AbOptions, 'measures' | 'beforeTurn'>,
) {
  const { uri, out, writesUri: _, question: __, values: ___, ...others } = options
  const folder = join(out, name)
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'spec.json')
  await writeFile(file, printSpec(spec))
  const { comparison } = await ab(file, {
    ...others,
    out: folder,
    a: { set: { index: 'without' } },
    b: { set: { index: 'with' } },
    uris: { MONGO_PERF_URI: uri },
  })
  const { figures = [], limits = [] } = comparison ?? {}
  return {
    find: (measure: string): ComparedFigure | undefined => figures.find((figure) => figure.measure === measure),
    limits: limits.filter((limit) => limit !== nothingRecorded).map(nameSides),
  }
}

/** Words of `ab` about its sides, and those of an advice. */
const words: readonly (readonly [words: RegExp, ours: string])[] = [
  [/\(A\)| in A\b/g, ' (today)'],
  [/\(B\)| in B\b/g, ' (with the advice)'],
  [/\bA and B\b/g, 'both'],
  [/\bA has\b/g, 'Today has'],
  [/\bB has\b/g, 'the advice has'],
]

/** Names the sides of a limit: "today" and "with the advice". */
export const nameSides = (limit: string): string =>
  words.reduce((text, [of, ours]) => text.replaceAll(of, ours), limit).replaceAll('  ', ' ')

type Profiles = ReadonlyMap<string, CollectionProfile>

/** Reads to measure, and what they are measured with and without. */
type Reads = {
  readonly name: string
  readonly title: string
  readonly shapes: readonly AdvisedShape[]
  readonly profiles: Profiles
  readonly show: (isShown: boolean) => Promise<void>
}

async function measureReads(
  db: Db,
  { name: folder, title, shapes, profiles, show }: Reads,
  options: MeasureOptions,
): Promise<Omit<MeasuredAdvice, 'writes' | 'alone'>> {
  const { operations, names, notes } = planOperations(profiles, shapes, options)
  if (operations.length === 0) return { p50: new Map(), cpu: undefined, limits: [], notes }
  const used = [...new Set(operations.map(({ collection }) => String(collection)))]
  const spec = {
    name: `advise-${folder}`,
    title,
    target: { kind: 'existing', uriFrom: 'MONGO_PERF_URI' },
    parameters,
    data: used.map((collection) => ({ existing: `${db.databaseName}.${collection}` })),
    description: [{ '@concat': ['This side is ', { '@param': 'index' }, ' it.'] }],
    phases: [timedPhase(phase, operations)],
    report: mixReport,
  }
  const { find, limits } = await compareSides(folder, spec, {
    ...options,
    measures: [...[...names.values()].map((name) => `${name}.p50Ms`), `${phase}.${serverCpu}`],
    beforeTurn: (side) => show(side === 'b'),
  })
  const p50 = new Map<CallGroup, ComparedFigure>()
  for (const [group, name] of names) {
    const figure = find(`${name}.p50Ms`)
    if (figure !== undefined) p50.set(group, figure)
  }
  return { p50, cpu: find(`${phase}.${serverCpu}`), limits, notes }
}

const listNames = (indexes: readonly { readonly name: string }[]): readonly string[] => indexes.map(({ name }) => name)

/** Documents that are made up at most, so that most of the time is left to measure. */
const maxDocuments = 50_000

async function measureWrites({ profile, create, drop }: CollectionAdvice, options: MeasureOptions) {
  const { collection } = profile
  const documents = Math.max(1, Math.min(profile.documents, maxDocuments))
  const added = create.map(({ key, options: given }) => ({
    key: Object.fromEntries(key),
    ...(EJSON.serialize(given, { relaxed: false }) as JsonObject),
  }))
  const spec = specOfIndexWrites(
    profile,
    { added, removed: listNames(drop) },
    {
      name: specName(`advise-${collection}-writes`),
      title: `${collection}: what the advice costs`,
      documents,
    },
  )
  const { find } = await compareSides(`writes-${specName(collection)}`, spec, {
    ...options,
    uri: options.writesUri,
    measures: [`write.${serverCpu}`],
  })
  return { figure: find(`write.${serverCpu}`), extent: describeExtent(profile, documents) }
}

/** Reads whose work changes, or that could use an index to drop. Writes would change the data for the other side. */
const listReads = ({ shapes, drop }: CollectionAdvice): readonly AdvisedShape[] =>
  shapes.filter(
    (shape) =>
      isRead(shape.group.call) && (shape.today !== shape.advised || drop.some(({ index }) => mayHelp(index, shape))),
  )

/** Reads that do more work without an index. */
const listHelped = ({ helped }: AdvisedIndex, { shapes }: CollectionAdvice): readonly AdvisedShape[] =>
  shapes.filter(({ group }) => isRead(group.call) && helped.has(group))

/** Filters and pipelines of recorded operations: values drawn from the data may be those that no one asks for, such as a tag that all documents have. */
export function chooseRecorded({ call, examples }: CallGroup): JsonObject {
  const part = call.pipeline === undefined ? 'filter' : 'pipeline'
  if (call[part] === undefined) return {}
  return { [part]: { '@choice': { values: examples.map((one) => literal(one[part])) } } }
}

/** Plans an operation for each shape, with values from the recording or the collection, and names it after its shape. */
function planOperations(
  profiles: Profiles,
  shapes: readonly AdvisedShape[],
  { question, values }: Pick<MeasureOptions, 'question' | 'values'>,
) {
  const hasValues = values === 'known' && question === undefined
  const free = distinctNames([phase])
  const operations: JsonObject[] = []
  const names = new Map<CallGroup, string>()
  const notes: string[] = []
  const replaced = createNotes()
  // A rare shape needs enough samples for its median, and for its part of the CPU not to depend on how often it came.
  const least = Math.ceil(sum(shapes.map(({ group }) => group.count)) / shapes.length)
  for (const { name: shape, group } of shapes) {
    const { call, count } = group
    const profile = profiles.get(call.collection)
    if (profile === undefined) continue
    try {
      const keep = question?.keep ?? new Set(findConstants(group).keys())
      const planned = planQuery({ call, keep }, profile, { keepValues: true, isExisting: true, notes: replaced })
      const name = free(planned.name)
      operations.push({
        name,
        weight: Math.max(count, least),
        collection: call.collection,
        ...planned.operationOn(undefined),
        ...(hasValues ? chooseRecorded(group) : {}),
      })
      names.set(group, name)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      notes.push(`${shape} was not measured: ${error.message}.`)
    }
  }
  return { operations, names, notes: question === undefined ? notes : [...notes, ...replaced.lines()] }
}
