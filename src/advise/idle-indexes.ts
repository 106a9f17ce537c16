import { type FoundIndex } from '../sources/init/collection/collection-profile.ts'
import { type Candidate, extendsIndex, formatKey, type IndexKey, nameIndex } from './candidate.ts'

/** An index of today, and why it could go or has to stay. */
export type JudgedIndex = { readonly name: string; readonly index: Candidate; readonly because: string }

/** Options with which an index does more than find documents. */
const duties = new Map([
  ['unique', 'it keeps values unique'],
  ['prepareUnique', 'it keeps values unique'],
  ['expireAfterSeconds', 'it deletes old documents'],
  ['clustered', 'the documents are in its order'],
])

/** Says why an index must stay whatever the operations do: it keeps a rule, or its kind is one of a different use. Undefined: it need not. */
export function whyProtected({ key, ...options }: FoundIndex): string | undefined {
  if (Object.keys(key).join() === '_id') return 'the server needs it'
  const duty = [...duties].find(([name]) => options[name] !== undefined && options[name] !== false)
  if (duty !== undefined) return duty[1]
  const kind = Object.values(key).find((direction) => typeof direction === 'string')
  if (kind !== undefined) return `indexes of its kind, ${String(kind)}, are not judged`
  return Object.keys(key).some((field) => field.includes('$**')) ? 'wildcard indexes are not judged' : undefined
}

/** Lists the indexes that operations may use today. */
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
  return nameIndex(collection, fields as IndexKey, options)
}

export type IdleSearch = {
  readonly collection: string
  /** Indexes that may go. */
  readonly indexes: readonly FoundIndex[]
  /** Indexes that stay or come: what may take the place of others. */
  readonly others: readonly Candidate[]
  /** Says which operation does more work when these are hidden. Undefined: none. */
  readonly whyNeeded: (hidden: readonly string[]) => Promise<string | undefined>
}

/** Indexes without which no operation does more work, and the others. */
export type JudgedIndexes = { readonly idle: readonly JudgedIndex[]; readonly needed: readonly JudgedIndex[] }

/** Finds indexes without which no operation does more work, each in addition to the ones found before it. */
export async function findIdle({ collection, indexes, others, whyNeeded }: IdleSearch): Promise<JudgedIndexes> {
  const idle: JudgedIndex[] = []
  const needed: JudgedIndex[] = []
  for (const found of indexes) {
    const { name } = found
    const index = toCandidate(collection, found)
    const reason = await whyNeeded([...idle.map((one) => one.name), name])
    if (reason !== undefined) {
      needed.push({ name, index, because: reason })
      continue
    }
    const longer = others.find(
      (other) => JSON.stringify(other.key) !== JSON.stringify(index.key) && extendsIndex(other, index),
    )
    const because =
      longer === undefined
        ? 'no operation of this traffic does more work without it'
        : `${formatKey(longer.key)} begins with it, and no operation does more work without it`
    idle.push({ name, index, because })
  }
  return { idle, needed }
}
