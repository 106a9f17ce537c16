import { type CollectionProfile } from '../sources/init/collection/collection-profile.ts'
import { findFieldPath } from '../sources/init/collection/field-path.ts'
import { type Shape } from '../sources/init/collection/shape.ts'
import { type Candidate, identify, type IndexKey } from './candidate.ts'
import { type Option } from './choose.ts'
import { type Demand } from './demands.ts'
import { type Branch, isNumber, readFilter } from './predicates.ts'

/** Knowledge about the fields of a collection, from a sample. */
export type KnownFields = {
  /** Number of distinct values in the sample. */
  readonly countDistinct: (path: string) => number
  /** The list that a path goes through. Undefined: none. */
  readonly findList: (path: string) => string | undefined
  /** Share of documents with a value. */
  readonly share: (path: string, value: unknown) => number
}

/** Reads the fields of a sample. */
export function readFields({ shape, sampled }: Pick<CollectionProfile, 'shape' | 'sampled'>): KnownFields {
  const listSeen = (path: string): readonly { readonly value: unknown; readonly count: number }[] =>
    [...(findFieldPath(shape, path)?.shape.scalars.values() ?? [])].flatMap(({ seen }) => Array.from(seen.values()))
  return {
    countDistinct: (path) => listSeen(path).length,
    findList: (path) => findListIn(shape, path),
    share: (path, value) =>
      (listSeen(path).find((seen) => String(seen.value) === String(value))?.count ?? 0) / Math.max(1, sampled),
  }
}

function findListIn(root: Shape, path: string): string | undefined {
  const steps = path.split('.')
  let at: Shape | undefined = root
  for (const [i, step] of steps.entries()) {
    at = at.object?.fields.get(step) ?? at.array?.element.object?.fields.get(step)
    if (at === undefined) return undefined
    if (at.array !== undefined) return steps.slice(0, i + 1).join('.')
  }
  return undefined
}

/** Fields of one index, and of one that answers calls by itself: each makes every write dearer. */
const maxFields = 8
const maxCoveredFields = 6

/** A constant of a filter that fewer documents have is worth an index of them alone. */
const maxPartialShare = 0.1

/** A demand, and the fields whose values are the same in all calls of its shape. */
export type ConstantDemand = Demand & { readonly constants: ReadonlyMap<string, unknown> }

type Part = Pick<Candidate, 'key' | 'interchangeable'>

/**
 * Proposes indexes for a demand: first fields with one wanted value, then the order, then ranges. This order reads no key in vain
 * where the order is kept (https://www.mongodb.com/docs/manual/tutorial/equality-sort-range-guideline/). Which of the variants is best depends on the data, so
 * it is counted later: ranges before the order, lists as ranges, with all fields of the answer, or only of the documents with a constant. The
 * alternatives of an `$or` have an index each, and one option for all of them.
 */
export function propose(demand: ConstantDemand, fields: KnownFields): readonly Option[] {
  const { collection, filter, collation } = demand
  const branches = readFilter(filter)
  const options = collation === undefined ? {} : { collation }
  const keysOf = new Map(branches.map((branch) => [branch, proposeKeys(branch, demand, fields)]))
  const toCandidate = (part: Part): Candidate => Object.assign({ collection, options, share: 1 }, part)
  const alone = branches.flatMap((branch) => [
    ...(keysOf.get(branch) ?? []).map(toCandidate),
    ...proposePartial(branch, demand, fields).map(({ condition, ...part }) =>
      Object.assign(toCandidate(part), { options: { ...options, partialFilterExpression: condition } }),
    ),
  ])
  const together = branches.slice(1).flatMap((branch) => (keysOf.get(branch) ?? []).slice(0, 1).map(toCandidate))
  const usable = alone.filter(({ key }) => key.length > 0)
  // The server scans a collection for an alternative without an index, and needs none for the others then.
  const isServed = together.length > 1 && together.every(({ key }) => key.length > 0)
  return [...usable.map((one) => [one]), ...(isServed ? [together] : [])]
}

function proposeKeys(branch: Branch, { sort, covered }: Demand, fields: KnownFields): readonly Part[] {
  const { equal, lists, ranges } = branch
  // The server finds a document by its _id as fast as can be.
  if (equal.includes('_id') || lists.includes('_id')) return []
  const byDistinct = (names: readonly string[]): readonly string[] =>
    names.toSorted((one, other) => fields.countDistinct(other) - fields.countDistinct(one))
  const up = (names: readonly string[]): IndexKey => byDistinct(names).map((name) => [name, 1] as const)
  const fixed = up([...equal, ...lists])
  const order = sort.filter(([field]) => !equal.includes(field))
  const orders: readonly (readonly [fixed: IndexKey, ...rest: IndexKey[]])[] = [
    [fixed, order, up(ranges)],
    ...(order.length > 0 && ranges.length > 0 ? [[fixed, up(ranges)] as const, [fixed, order] as const] : []),
    ...(order.length > 0 && lists.length > 0 ? [[up(equal), order, up([...lists, ...ranges])] as const] : []),
  ]
  const parts = orders.map(([first, ...rest]) => createPart(first, rest.flat(), fields))
  const answered = covered?.map((field) => [field, 1] as const) ?? []
  const covering = parts.slice(0, 1).map((part) => createPart(part.key, answered, fields, part.interchangeable))
  return [...parts, ...covering.filter(({ key }) => answered.length > 0 && key.length <= maxCoveredFields)]
}

/** Joins the parts of a key. A field comes once, and an index may go through one list. */
function createPart(first: IndexKey, rest: IndexKey, { findList }: KnownFields, interchangeable = first.length): Part {
  const key: IndexKey[number][] = []
  let list: string | undefined
  for (const [field, direction] of [...first, ...rest].slice(0, maxFields)) {
    const through = findList(field)
    if (
      isNumber(field) ||
      key.some(([name]) => name === field) ||
      (list !== undefined && through !== undefined && through !== list)
    )
      continue
    list ??= through
    key.push([field, direction])
  }
  const free = new Set(first.slice(0, interchangeable).map(([field]) => field))
  return { key, interchangeable: key.filter(([field]) => free.has(field)).length }
}

/** Indexes of the documents with a constant alone: smaller, and without cost for writes to others. */
function proposePartial(branch: Branch, demand: ConstantDemand, fields: KnownFields) {
  return branch.equal.flatMap((field) => {
    const value = demand.constants.get(field)
    if (value === undefined || value === null || typeof value === 'object') return []
    const share = fields.share(field, value)
    if (share === 0 || share > maxPartialShare) return []
    const others = { ...branch, equal: branch.equal.filter((name) => name !== field) }
    const [part] = proposeKeys(others, { ...demand, covered: null }, fields)
    if (part === undefined) return []
    const key: IndexKey = part.key.length === 0 ? [[field, 1]] : part.key
    return [{ key, interchangeable: part.interchangeable, share, condition: { [field]: value } }]
  })
}

/**
 * Adds variants in which the fields of a shorter index come first, so that one index serves both: only for fields of which calls ask for one
 * value.
 */
export function withSharedBeginnings(candidates: readonly Candidate[]): readonly Candidate[] {
  const shared = candidates.flatMap((longer) =>
    candidates.flatMap((shorter) => {
      const names = shorter.key.map(([field]) => field)
      const first = longer.key.slice(0, longer.interchangeable)
      const isWithin = names.every((name) => first.some(([field]) => field === name))
      if (!isWithin || names.length >= longer.key.length || shorter.collection !== longer.collection) return []
      const others = longer.key.filter(([field]) => !names.includes(field))
      return [{ ...longer, key: [...shorter.key, ...others], interchangeable: longer.interchangeable }]
    }),
  )
  return [...new Map([...candidates, ...shared].map((one) => [identify(one), one])).values()]
}
