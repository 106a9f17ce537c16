import { type Db } from 'mongodb'
import { Problem } from '../core/errors.ts'
import { sum } from '../metrics/statistics.ts'
import { type CollectionProfile } from '../sources/init/collection/collection-profile.ts'
import { type CallGroup } from '../sources/init/profile/call-groups.ts'
import { type Candidate, extendsIndex, formatKey, identify } from './candidate.ts'
import { choose, type ChooseLimits, computeWork, type Counted, type CountedShape, type Option } from './choose.ts'
import {
  buildHidden,
  type BuiltCandidates,
  explainShape,
  type ExplainedWork,
  readIndexMegabytes,
  withIndexes,
} from './count-work.ts'
import { type Demand, listFields } from './demands.ts'
import { findIdle, type IdleIndex, isProtected, listUsable, toCandidate } from './idle-indexes.ts'
import { readFields } from './known-fields.ts'
import { readFilter } from './predicates.ts'
import { propose, withSharedBeginnings } from './propose.ts'
import { countEntryWork } from './write-cost.ts'

export type AdviceLimits = ChooseLimits & {
  /** Documents of each collection to look at. */
  readonly sample: number
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

/** Calls of one shape, and what they ask of collections. */
export type Asking = { readonly name: string; readonly group: CallGroup; readonly demands: readonly Demand[] }

/** Work for calls of a shape, before and after. */
export type AdvisedShape = {
  readonly name: string
  readonly group: CallGroup
  /** Work of one call today, and with the advice. */
  readonly today: number
  readonly advised: number
}

/** An index to create, and the one on the copy, which is hidden. */
export type AdvisedIndex = Candidate & {
  readonly name: string
  /** Its size on the copy. */
  readonly megabytes: number
}

/** Advice on one collection. */
export type CollectionAdvice = {
  readonly profile: CollectionProfile
  /** Calls that write to it. */
  readonly writes: number
  readonly create: readonly AdvisedIndex[]
  readonly drop: readonly IdleIndex[]
  readonly shapes: readonly AdvisedShape[]
  /** Work of all its calls, with the index entries that they write for the advice. */
  readonly today: number
  readonly advised: number
  /** Calls that no index helps, and calls that were not counted, each with its reason. */
  readonly notes: readonly string[]
}

/** A collection on the copy, and the calls that ask something of it. */
export type CollectionWork = {
  readonly profile: CollectionProfile
  readonly shapes: readonly Asking[]
  /** All calls on it, those that ask for nothing among them. */
  readonly groups: readonly CallGroup[]
  readonly values: 'known' | 'hidden'
}

export type CountedAsking = CountedShape & { readonly asking: Asking; readonly withOption: Map<Option, number> }

/** Candidates for a collection, counted on a copy that has them, hidden. */
export type CountedCollection = {
  readonly counted: Omit<Counted, 'shapes'> & { readonly shapes: readonly CountedAsking[] }
  readonly built: BuiltCandidates
  /** Work with the indexes of today. */
  readonly explained: Explained
}

/** Proposes indexes for the calls of a collection, builds each on a copy, and counts the work with it. */
export async function countCandidates(db: Db, work: CollectionWork, signal: AbortSignal): Promise<CountedCollection> {
  const { profile, shapes, groups } = work
  const { collection, indexes } = profile
  const options = proposeNew(
    work,
    listUsable(indexes).map((index) => toCandidate(collection, index)),
  )
  const built = await buildHidden(db, [...new Set(options.flat())])
  const explained = await explainAll(db, shapes)
  const buildable = options.filter((option) => option.every((one) => built.names.has(one)))
  const counted = {
    shapes: await countEach(db, explained, { options: buildable, built }, signal),
    options: buildable,
    cost: (candidate: Candidate) => sum(groups.map((group) => countEntryWork(group, candidate))),
  }
  return { counted, built, explained }
}

/** Counts candidates for the calls of a collection, chooses some, and looks which of today's indexes could go. */
export async function adviseOnCollection(
  db: Db,
  work: CollectionWork,
  limits: AdviceLimits,
): Promise<CollectionAdvice> {
  const { profile, shapes } = work
  const { collection, indexes } = profile
  const { counted, built, explained } = await countCandidates(db, work, limits.signal)
  const explainWith = (show: readonly string[], hide: readonly string[] = []): Promise<Explained> =>
    withIndexes(db, collection, { show, hide }, () => explainAll(db, shapes))
  const isMore = (without: Explained, than: Explained): boolean =>
    shapes.some((shape) => readCount(without, shape) > readCount(than, shape) * (1 + limits.smallest))
  const chosen = choose(counted, limits).map((candidate) =>
    Object.assign({ name: built.names.get(candidate) ?? '' }, candidate),
  )
  const names = chosen.map(({ name }) => name)
  const withAll = await explainWith(names)
  // Alternatives that were counted together may do with fewer.
  const idle = await findIdle({
    collection,
    indexes: chosen.map(({ name, key }) => ({ name, key: Object.fromEntries(key) })),
    others: [],
    isNeeded: async (hide) => isMore(await explainWith(names.filter((name) => !hide.includes(name))), withAll),
  })
  const create = await keepChosen(
    db,
    chosen.filter(({ name }) => !idle.some((index) => index.name === name)),
    built,
  )
  const show = create.map(({ name }) => name)
  const after = await explainWith(show)
  const existing = listUsable(indexes)
  const drop = await findIdle({
    collection,
    indexes: existing.filter((index) => !isProtected(index)),
    others: [...existing.map((index) => toCandidate(collection, index)), ...create],
    isNeeded: async (hide) => isMore(await explainWith(show, hide), after),
  })
  const advisedShapes = counted.shapes.map(({ asking, today }) => ({
    name: asking.name,
    group: asking.group,
    today,
    advised: readCount(after, asking),
  }))
  return {
    profile,
    writes: sum(work.groups.map(({ call, count }) => (readKinds.test(call.kind) ? 0 : count))),
    create,
    drop,
    shapes: advisedShapes,
    today: computeWork(counted, []),
    advised: sum([...advisedShapes.map(({ group, advised }) => group.count * advised), ...create.map(counted.cost)]),
    notes: listNotes(work, explained, built),
  }
}

/** Drops the candidates that were not chosen: what is measured later has none of them in its cache. */
async function keepChosen(
  db: Db,
  chosen: readonly (Candidate & { readonly name: string })[],
  { names }: BuiltCandidates,
): Promise<readonly AdvisedIndex[]> {
  for (const [{ collection }, name] of names)
    if (!chosen.some((one) => one.name === name)) await db.collection(collection).dropIndex(name)
  const kept: AdvisedIndex[] = []
  for (const one of chosen) kept.push({ ...one, megabytes: await readIndexMegabytes(db, one.collection, one.name) })
  return kept
}

/** Options that no index of today does the work of, those of the most frequent calls first. */
export function proposeNew(
  { profile, shapes, values }: CollectionWork,
  existing: readonly Candidate[],
): readonly Option[] {
  const fields = readFields(profile)
  const proposed = shapes.flatMap(({ group, demands }) =>
    demands
      .filter(({ collection }) => collection === profile.collection)
      .flatMap((demand) =>
        propose({ ...demand, constants: values === 'known' ? findConstants(group) : new Map() }, fields),
      ),
  )
  const isNew = (candidate: Candidate): boolean => !existing.some((index) => extendsIndex(index, candidate))
  const candidates = withSharedBeginnings(proposed.flat()).filter(isNew).slice(0, maxCandidates)
  const together = proposed
    .map((option) => candidates.filter((one) => option.some((other) => identify(other) === identify(one))))
    .filter((option) => option.length > 1)
  return [...candidates.map((one) => [one]), ...together]
}

/** Maximum number of candidates of a collection, which may have 64 indexes. */
const maxCandidates = 30

/** Kinds of calls that change nothing. */
export const readKinds = /^(?:find|findOne|aggregate|countDocuments|estimatedDocumentCount|distinct)$/

/** Calls in which a value has to be the same before it counts as a constant. */
const minExamples = 20

/** Fields of which all calls of a shape ask for the same value. */
export function findConstants({ examples }: CallGroup): ReadonlyMap<string, unknown> {
  const [first] = examples
  if (first?.filter === undefined || examples.length < minExamples) return new Map()
  return new Map(
    Object.entries(first.filter).filter(([field, value]) =>
      examples.every(({ filter }) => JSON.stringify(filter?.[field]) === JSON.stringify(value)),
    ),
  )
}

export type Explained = ReadonlyMap<Asking, ExplainedWork>

async function explainAll(db: Db, shapes: readonly Asking[]): Promise<Explained> {
  const explained = new Map<Asking, ExplainedWork>()
  for (const shape of shapes) explained.set(shape, await explainShape(db, shape.group))
  return explained
}

/** Work of a shape; where it is not known it is no reason for anything. */
function readCount(explained: Explained, shape: Asking): number {
  const found = explained.get(shape)
  return found !== undefined && 'work' in found ? found.work : 0
}

type Options = { readonly options: readonly Option[]; readonly built: BuiltCandidates }

/** Counts the work of calls with each option beside the indexes of today, where it may help them. */
async function countEach(
  db: Db,
  explained: Explained,
  { options, built }: Options,
  signal: AbortSignal,
): Promise<readonly CountedAsking[]> {
  const counted = [...explained].flatMap(([asking, found]): readonly CountedAsking[] =>
    'work' in found ? [{ asking, frequency: asking.group.count, today: found.work, withOption: new Map() }] : [],
  )
  for (const option of options) {
    if (signal.aborted) throw stopped()
    const show = option.flatMap((candidate) => built.names.get(candidate) ?? [])
    const helped = counted.filter(({ asking }) => option.every((candidate) => mayHelp(candidate, asking)))
    await withIndexes(db, option[0]?.collection ?? '', { show }, async () => {
      for (const { asking, withOption } of helped) {
        const found = await explainShape(db, asking.group)
        if ('work' in found) withOption.set(option, found.work)
      }
    })
  }
  return counted
}

const stopped = (): Problem =>
  new Problem('aborted', 'Stopped before all indexes were counted', { hint: 'Run it again.' })

/** Whether calls name the field with which an index begins. */
const mayHelp = ({ collection, key }: Candidate, { demands }: Asking): boolean =>
  demands.some((demand) => demand.collection === collection && listFields(demand).has(key[0]?.[0] ?? ''))

function listNotes(
  { profile: { collection }, shapes }: CollectionWork,
  explained: Explained,
  { refused }: BuiltCandidates,
) {
  const useless = shapes.flatMap(({ name, demands }) =>
    demands
      .filter((demand) => demand.collection === collection)
      .flatMap(({ filter }) => readFilter(filter).flatMap(({ unusable }) => unusable))
      .map((reason) => `${name}: ${reason}.`),
  )
  return [
    ...[...explained].flatMap(([{ name }, found]) =>
      'unknown' in found ? [`${name} was not counted: ${found.unknown}.`] : [],
    ),
    ...[...refused].map(([{ key }, reason]) => `The server does not build ${formatKey(key)}: ${reason}.`),
    ...new Set(useless),
  ]
}
