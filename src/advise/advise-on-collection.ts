import { groupDigits } from '../core/quantities.ts'
import { readableNumber } from '../metrics/format.ts'
import { sum } from '../metrics/statistics.ts'
import { type CollectionProfile } from '../sources/init/collection/collection-profile.ts'
import { type CallGroup } from '../sources/init/profile/call-groups.ts'
import { type BuiltCandidates } from './build-hidden.ts'
import { type Candidate, extendsIndex, identify } from './candidate.ts'
import { choose, type ChooseLimits, computeWork, type Counted, type Work } from './choose.ts'
import {
  type CollectionWork,
  countCandidates,
  type CountingControl,
  explainAll,
  type Explained,
  readCount,
  type Trials,
} from './count-candidates.ts'
import { readIndexMegabytes, withIndexes } from './count-work.ts'
import { type Asking, isRead } from './demands.ts'
import { findIdle, type JudgedIndex, listUsable, toCandidate, whyProtected } from './idle-indexes.ts'

export type AdviceLimits = ChooseLimits & CountingControl

/** Operations of one shape, with the work of each today and with the advice. */
export type AdvisedShape = Asking & { readonly today: Work; readonly advised: Work }

/** Work that an index saves reads, and that it costs writes: of all operations on its collection. */
type Worth = { readonly saves: Work; readonly costs: Work }

/** An index to create, and the one on the copy, which is hidden. It saves what the others do not without it. */
export type AdvisedIndex = Candidate &
  Worth & {
    readonly name: string
    /** Its size on the copy. */
    readonly megabytes: number
    /** Operations that do more work without it. */
    readonly helped: ReadonlySet<CallGroup>
  }

/** An index that was counted and not chosen: it saves so much beside those that were. */
export type RejectedIndex = Candidate & Worth

/** An index of today to drop. */
export type IdleIndex = JudgedIndex & {
  /** Its size on the copy. */
  readonly megabytes: number
  /** Work that writes do for it. */
  readonly costs: Work
}

/** Advice on one collection, with one entry for each index. */
export type CollectionAdvice = {
  readonly profile: CollectionProfile
  /** Operations that write to it. */
  readonly writes: number
  readonly create: readonly AdvisedIndex[]
  readonly drop: readonly IdleIndex[]
  readonly keep: readonly JudgedIndex[]
  /** Ordered by how much they would save. */
  readonly notWorth: readonly RejectedIndex[]
  readonly shapes: readonly AdvisedShape[]
  /** Work of all its operations, with the entries that they write to the indexes that come or go. */
  readonly today: Work
  readonly advised: Work
  /** Operations that no index helps, and what was not counted, each with its reason. */
  readonly notes: readonly string[]
}

/** Counts candidates for the operations on a collection, chooses some, and looks which of today's indexes could go. */
export async function adviseOnCollection(
  place: Trials,
  work: CollectionWork,
  limits: AdviceLimits,
): Promise<CollectionAdvice> {
  const { db } = place
  const { profile, shapes } = work
  const { collection } = profile
  const { counted, accepted, built, explained, notes } = await countCandidates(place, work, limits)
  const explainWith = (show: readonly string[], hide: readonly string[] = []): Promise<Explained> =>
    withIndexes(db, collection, { show, hide }, () => explainAll(db, shapes))
  const compareWith = (than: Explained) => async (without: Promise<Explained>) =>
    findSlowed(shapes, { without: await without, than }, limits.smallest)
  const chosen = await leaveIdle(choose(counted, limits, accepted), { names: built.names, explainWith, compareWith })
  const names = chosen.map((one) => built.names.get(one) ?? '')
  const after = await explainWith(names)
  const existing = listUsable(profile.indexes)
  // Indexes of the user are hidden on a copy alone, and one query says nothing about the others of a program.
  const free = existing.filter((index) => whyProtected(index) === undefined)
  const isJudged = (place.data === 'dump' || place.data === 'spec') && work.question === undefined
  const judged = await findIdle({
    collection,
    indexes: isJudged ? free : [],
    others: [...existing.map((index) => toCandidate(collection, index)), ...chosen],
    whyNeeded: (hide) => compareWith(after)(explainWith(names, hide)),
  })
  const create: AdvisedIndex[] = []
  for (const [i, one] of chosen.entries()) {
    const name = names[i] ?? ''
    const without = chosen.length === 1 ? explained : await explainWith(names.filter((other) => other !== name))
    const megabytes = await readIndexMegabytes(db, collection, name)
    const saves = sumWork(shapes, without) - sumWork(shapes, after)
    const helped = shapes.filter((shape) => readCount(without, shape) > readCount(after, shape))
    create.push({
      ...one,
      name,
      megabytes,
      helped: new Set(helped.map(({ group }) => group)),
      saves,
      costs: counted.cost(one),
    })
  }
  await dropOthers(chosen, built)
  const drop: IdleIndex[] = []
  for (const one of judged.idle)
    drop.push({ ...one, megabytes: await readIndexMegabytes(db, collection, one.name), costs: counted.cost(one.index) })
  const dropped = sum(drop.map(({ costs }) => costs))
  return {
    profile,
    writes: sum(work.groups.map(({ call, count }) => (isRead(call) ? 0 : count))),
    create,
    drop,
    keep: isJudged ? [...listProtected(profile), ...judged.needed] : [],
    notWorth: listRejected(counted, { chosen, accepted }),
    shapes: counted.shapes.map(({ asking, today }) => ({ ...asking, today, advised: readCount(after, asking) })),
    today: computeWork(counted, []) + dropped,
    advised: sumWork(shapes, after) + sum(create.map(({ costs }) => costs)),
    notes: isJudged || free.length === 0 ? notes : [...notes, unjudged],
  }
}

const sumWork = (shapes: readonly Asking[], explained: Explained): Work =>
  sum(shapes.map((shape) => shape.group.count * readCount(explained, shape)))

/** Says which operation does most more work than with other indexes. Undefined: none does. */
function findSlowed(
  shapes: readonly Asking[],
  { without, than }: { readonly without: Explained; readonly than: Explained },
  smallest: number,
): string | undefined {
  const [most] = shapes
    .map((shape) => ({ shape, more: readCount(without, shape), less: readCount(than, shape) }))
    .filter(({ more, less }) => more > less * (1 + smallest))
    .toSorted(
      (one, other) =>
        other.shape.group.count * (other.more - other.less) - one.shape.group.count * (one.more - one.less),
    )
  if (most === undefined) return undefined
  const [more, less] = [most.more, most.less].map(readableNumber)
  return `without it, ${most.shape.name} does ${groupDigits(more ?? '')} of work instead of ${groupDigits(less ?? '')}`
}

type Explaining = Pick<BuiltCandidates, 'names'> & {
  readonly explainWith: (show: readonly string[]) => Promise<Explained>
  readonly compareWith: (than: Explained) => (without: Promise<Explained>) => Promise<string | undefined>
}

/** Leaves out what the rest does without: alternatives that were counted together may do with fewer. */
async function leaveIdle(
  chosen: readonly Candidate[],
  { names: all, explainWith, compareWith }: Explaining,
): Promise<readonly Candidate[]> {
  const named = new Map(chosen.map((one) => [all.get(one) ?? '', one]))
  const names = [...named.keys()]
  const withAll = await explainWith(names)
  const { idle } = await findIdle({
    collection: chosen[0]?.collection ?? '',
    indexes: [...named].map(([name, { key }]) => ({ name, key: Object.fromEntries(key) })),
    others: [],
    whyNeeded: (hide) => compareWith(withAll)(explainWith(names.filter((name) => !hide.includes(name)))),
  })
  return chosen.filter((one) => !idle.some(({ name }) => named.get(name) === one))
}

/** Drops the candidates that were not chosen: what is measured later has none of them in its cache. */
async function dropOthers(chosen: readonly Candidate[], { names, drop }: BuiltCandidates): Promise<void> {
  for (const [one, name] of names) if (!chosen.includes(one)) await drop(name)
}

const unjudged =
  'Whether an index of today could go was not counted: that takes recorded operations, and a copy (--data).'

/** Lists the indexes that must stay, without the `_id` index, which every collection has. */
const listProtected = ({ collection, indexes }: CollectionProfile): readonly JudgedIndex[] =>
  listUsable(indexes).flatMap((found) => {
    const because = whyProtected(found)
    const isOfId = Object.keys(found.key).join() === '_id'
    return because === undefined || isOfId ? [] : [{ name: found.name, index: toCandidate(collection, found), because }]
  })

type Decided = { readonly chosen: readonly Candidate[]; readonly accepted: readonly Candidate[] }

/** Lists what would still save reads something beside what was chosen, and what was decided on earlier and is not worth it any more. */
function listRejected(counted: Counted, { chosen, accepted }: Decided): readonly RejectedIndex[] {
  const { cost } = counted
  const work = computeWork(counted, chosen)
  const isVariant = (one: Candidate): boolean =>
    chosen.some((other) => extendsIndex(one, other) || extendsIndex(other, one))
  return [...new Set(counted.options.flat())]
    .filter((one) => !chosen.includes(one) && (accepted.includes(one) || !isVariant(one)))
    .map((one) => {
      const costs = cost(one)
      return Object.assign({ saves: work + costs - computeWork(counted, [...chosen, one]), costs }, one)
    })
    .filter((one) => one.saves > 0 || accepted.some((other) => identify(other) === identify(one)))
    .toSorted((one, other) => other.saves - one.saves)
}
