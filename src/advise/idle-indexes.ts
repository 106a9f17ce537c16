import { type FoundIndex } from '../sources/init/collection/collection-profile.ts'
import { type Candidate, extendsIndex, formatKey, type IndexKey } from './candidate.ts'

/** An index that could go, and why. */
export type IdleIndex = { readonly name: string; readonly because: string }

/** Options with which an index does more than find documents. */
const duties: readonly string[] = ['unique', 'expireAfterSeconds', 'clustered', 'prepareUnique']

/** Whether an index must stay whatever the calls do: it keeps a rule, or its kind is one of a different use. */
export const isProtected = (index: FoundIndex): boolean =>
  Object.keys(index.key).join() === '_id' ||
  duties.some((duty) => index[duty] !== undefined && index[duty] !== false) ||
  Object.values(index.key).some((direction) => typeof direction === 'string') ||
  Object.keys(index.key).some((field) => field.includes('$**'))

/** Lists the indexes that calls may use today. */
export const listUsable = (indexes: readonly FoundIndex[]): readonly FoundIndex[] =>
  indexes.filter(({ hidden }) => hidden !== true)

/** An index of today, as if it were a candidate. */
export function toCandidate(collection: string, { key, ...found }: FoundIndex): Candidate {
  const { partialFilterExpression, collation, sparse } = found
  const options = {
    ...(partialFilterExpression !== undefined && { partialFilterExpression }),
    ...(collation !== undefined && { collation }),
    // No candidate is sparse, so that none is taken for one.
    ...(sparse === true && { sparse }),
  } as Candidate['options']
  const fields = Object.entries(key).map(([field, direction]) => [field, Number(direction) < 0 ? -1 : 1] as const)
  return { collection, key: fields as IndexKey, interchangeable: 0, share: 1, options }
}

export type IdleSearch = {
  readonly collection: string
  /** Indexes of today that may go. */
  readonly indexes: readonly FoundIndex[]
  /** Indexes that stay or come: what may take the place of others. */
  readonly others: readonly Candidate[]
  /** Whether some call examines more when these are hidden. */
  readonly isNeeded: (hidden: readonly string[]) => Promise<boolean>
}

/** Finds indexes without which no call examines more, each beside those found before it. */
export async function findIdle({ collection, indexes, others, isNeeded }: IdleSearch): Promise<readonly IdleIndex[]> {
  const idle: IdleIndex[] = []
  for (const index of indexes) {
    const { name } = index
    if (await isNeeded([...idle.map((one) => one.name), name])) continue
    const own = toCandidate(collection, index)
    const longer = others.find(
      (other) => JSON.stringify(other.key) !== JSON.stringify(own.key) && extendsIndex(other, own),
    )
    const because =
      longer === undefined
        ? 'no call of this traffic examines more without it'
        : `${formatKey(longer.key)} begins with it, and no call examines more without it`
    idle.push({ name, because })
  }
  return idle
}
