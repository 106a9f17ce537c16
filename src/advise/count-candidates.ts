import { type Db } from 'mongodb'
import { Problem } from '../core/errors.ts'
import { sum } from '../metrics/statistics.ts'
import { type CollectionProfile } from '../sources/init/collection/collection-profile.ts'
import { requireFitting } from '../sources/init/comparison/spec-of-comparison.ts'
import { type CallGroup } from '../sources/init/profile/call-groups.ts'
import { buildHidden, type BuiltCandidates, refuseOthers } from './build-hidden.ts'
import { type Candidate, countIndexes, extendsIndex, formatKey, identify } from './candidate.ts'
import { type Counted, type CountedShape, type Option } from './choose.ts'
import { explainShape, type ExplainedWork, withIndexes } from './count-work.ts'
import { type Asking, listFields } from './demands.ts'
import { listUsable, toCandidate } from './idle-indexes.ts'
import { type Place } from './place.ts'
import { readFilter } from './predicates.ts'
import { readFields } from './propose.ts'
import { propose, withSharedBeginnings } from './propose.ts'
import { type Question } from './workload.ts'
import { countEntryWork } from './write-cost.ts'

/** A collection on the copy, and the operations that ask something of it. */
export type CollectionWork = {
  readonly profile: CollectionProfile
  readonly shapes: readonly Asking[]
  /** All operations on it, including inserts, which ask for nothing. */
  readonly groups: readonly CallGroup[]
  readonly values: 'known' | 'hidden'
  /** Indexes that were decided on earlier: they come first, whatever else is proposed. */
  readonly accepted: readonly Candidate[]
  /** Undefined: a program sent the operations. */
  readonly question?: Question | undefined
}

export type CountedAsking = CountedShape & { readonly asking: Asking; readonly withOption: Map<Option, number> }

/** Candidates for a collection, counted on a copy that has them, hidden. */
export type CountedCollection = {
  readonly counted: Omit<Counted, 'shapes'> & { readonly shapes: readonly CountedAsking[] }
  /** Accepted indexes that the collection lacks. */
  readonly accepted: readonly Candidate[]
  readonly built: BuiltCandidates
  /** Work with the indexes of today. */
  readonly explained: Explained
  /** Operations that no index helps, and what was not counted, each with its reason. */
  readonly notes: readonly string[]
}

export type CountingControl = {
  readonly signal: AbortSignal
  /** Called with what is under way, and the part of it that is done. */
  readonly onProgress: (text: string, done: number) => void
}

/** Proposes indexes for the operations on a collection where none are asked about, builds each, and counts the work with it. */
export async function countCandidates(
  place: Trials,
  work: CollectionWork,
  control: CountingControl,
): Promise<CountedCollection> {
  const { db } = place
  const { profile, shapes, groups, question } = work
  const { collection, indexes } = profile
  refuseOthers(profile)
  const asked = question?.indexes.filter((one) => one.collection === collection) ?? []
  for (const { key } of asked) requireFitting(key, profile)
  for (const one of [...asked, ...work.accepted]) if (place.data === 'server') requireHarmless(one)
  const existing = listUsable(indexes).map((index) => toCandidate(collection, index))
  const proposed =
    asked.length > 0 ? { options: asked.map((one) => [one]), accepted: asked, left: 0 } : proposeNew(work, existing)
  const candidates = [...new Set(proposed.options.flat())]
  control.onProgress(`building ${countIndexes(candidates.length)} on ${collection}`, 0)
  const built = await buildHidden(place, profile, candidates, control.signal)
  for (const one of asked) if (built.refused.has(one)) throw notBuilt(one, built.refused.get(one))
  const explained = await explainAll(db, shapes)
  const options = proposed.options.filter((option) => option.every((one) => built.names.has(one)))
  const counted = {
    shapes: await countEach(db, explained, { options, built }, control),
    options,
    cost: (candidate: Candidate) => sum(groups.map((group) => countEntryWork(group, candidate))),
  }
  const accepted = proposed.accepted.filter((one) => built.names.has(one))
  return { counted, accepted, built, explained, notes: listNotes(work, explained, { built, left: proposed.left }) }
}

/** The parts of a place that building and counting indexes needs. */
export type Trials = Pick<Place, 'db' | 'data' | 'recordChange'>

/** @throws {Problem} where an index would harm other programs. */
function requireHarmless({ options }: Candidate): void {
  if (options['unique'] !== true) return
  throw new Problem('refused', 'A unique index would refuse writes of other programs, even while it is hidden', {
    hint: 'Try it on a copy: mongodump, then --data dump/.',
  })
}

const notBuilt = ({ key }: Candidate, reason = ''): Problem =>
  new Problem('refused', `${formatKey(key)} cannot be built: ${reason}`, { hint: 'Nothing of it is left.' })

type Proposed = {
  readonly options: readonly Option[]
  /** Accepted indexes, where no index of today does their work. */
  readonly accepted: readonly Candidate[]
  /** Number of candidates that are too many to build. */
  readonly left: number
}

/** Proposes options whose work no index of today does. Options for the most frequent operations come first. */
export function proposeNew(
  { profile, shapes, values, accepted }: CollectionWork,
  existing: readonly Candidate[],
): Proposed {
  const fields = readFields(profile)
  const proposed = shapes.flatMap(({ group, demands }) =>
    demands
      .filter(({ collection }) => collection === profile.collection)
      .flatMap((demand) =>
        propose({ ...demand, constants: values === 'known' ? findConstants(group) : new Map() }, fields),
      ),
  )
  const isNew = (candidate: Candidate): boolean => !existing.some((index) => extendsIndex(index, candidate))
  const all = withSharedBeginnings(proposed.flat()).filter(isNew)
  const known = new Map(all.map((one) => [identify(one), one]))
  const first = accepted.filter(isNew).map((one) => known.get(identify(one)) ?? one)
  const ordered = [...new Set([...first, ...all])]
  const candidates = ordered.slice(0, Math.max(0, Math.min(maxCandidates, maxIndexes - profile.indexes.length)))
  const together = proposed
    .map((option) => candidates.filter((one) => option.some((other) => identify(other) === identify(one))))
    .filter((option) => option.length > 1)
  return {
    options: [...candidates.map((one) => [one]), ...together],
    accepted: first,
    left: ordered.length - candidates.length,
  }
}

/** Maximum number of candidates of a collection, and of its indexes. */
const maxCandidates = 30
const maxIndexes = 64

/** Operations in which a value has to be the same before it counts as a constant. */
const minExamples = 20

/** Fields of which all operations of a shape ask for the same value. */
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

/** Has the server explain shapes with the indexes that are shown. */
export async function explainAll(db: Db, shapes: readonly Asking[]): Promise<Explained> {
  const explained = new Map<Asking, ExplainedWork>()
  for (const shape of shapes) explained.set(shape, await explainShape(db, shape.group))
  return explained
}

/** Work of a shape; where it is not known it is no reason for anything. */
export function readCount(explained: Explained, shape: Asking): number {
  const found = explained.get(shape)
  return found !== undefined && 'work' in found ? found.work : 0
}

type Options = { readonly options: readonly Option[]; readonly built: BuiltCandidates }

/** Counts the work of calls with each option beside the indexes of today, where it may help them. */
async function countEach(
  db: Db,
  explained: Explained,
  { options, built }: Options,
  { signal, onProgress }: CountingControl,
): Promise<readonly CountedAsking[]> {
  const counted = [...explained].flatMap(([asking, found]): readonly CountedAsking[] =>
    'work' in found ? [{ asking, frequency: asking.group.count, today: found.work, withOption: new Map() }] : [],
  )
  for (const [i, option] of options.entries()) {
    if (signal.aborted) throw stopped()
    const collection = option[0]?.collection ?? ''
    onProgress(`counting on ${collection}: ${i + 1} of ${countIndexes(options.length)}`, i / options.length)
    const show = option.flatMap((candidate) => built.names.get(candidate) ?? [])
    const helped = counted.filter(({ asking }) => option.every((candidate) => mayHelp(candidate, asking)))
    await withIndexes(db, collection, { show }, async () => {
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

/** Whether operations name the field with which an index begins, or it is of a kind that does not show. */
export function mayHelp({ collection, key }: Candidate, { demands }: Pick<Asking, 'demands'>): boolean {
  const [first = '', direction] = key[0] ?? []
  const isSpecial = typeof direction === 'string' || first.includes('$**')
  return demands.some((demand) => demand.collection === collection && (isSpecial || listFields(demand).has(first)))
}

function listNotes(
  { profile: { collection }, shapes }: CollectionWork,
  explained: Explained,
  { built: { refused }, left }: { readonly built: BuiltCandidates; readonly left: number },
): readonly string[] {
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
    ...[...refused].map(([{ key }, reason]) => `${formatKey(key)} was not built: ${reason}.`),
    ...(left === 0 ? [] : [`For less frequent operations, ${countIndexes(left)} more could be proposed: not counted.`]),
    ...new Set(useless),
  ]
}
