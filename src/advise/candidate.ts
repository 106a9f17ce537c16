import { type Document } from 'bson'

/** Fields of an index in order, each with its direction, or with the kind of an index that the user names. */
export type IndexKey = readonly (readonly [field: string, direction: 1 | -1 | string])[]

/** An index that may be worth creating. */
export type Candidate = {
  readonly collection: string
  readonly key: IndexKey
  /** How many of the first fields could come in any order: calls ask for one value of each. */
  readonly interchangeable: number
  /** Share of the documents that it has, by the sample: 1, or less for a partial index. */
  readonly share: number
  /** Options that the server takes. */
  readonly options: Readonly<Record<string, unknown>> & {
    readonly partialFilterExpression?: Document
    readonly collation?: Document
  }
}

/** Formats a key as the shell shows it: "{ customer: 1, at: -1 }". */
export const formatKey = (key: IndexKey): string =>
  `{ ${key.map(([field, direction]) => `${/^[\w$]+$/.test(field) ? field : JSON.stringify(field)}: ${JSON.stringify(direction)}`).join(', ')} }`

/** An index as a person or a server names it. */
export const nameIndex = (collection: string, key: IndexKey, options: Candidate['options']): Candidate => ({
  collection,
  key,
  interchangeable: 0,
  share: 1,
  options,
})

export const countIndexes = (number: number): string => `${number} ${number === 1 ? 'index' : 'indexes'}`

/** Tells candidates apart: equal for the same index. */
export const identify = ({ collection, key, options }: Pick<Candidate, 'collection' | 'key' | 'options'>): string =>
  JSON.stringify([collection, key, options])

/** Whether an index can do all that another can, because its key begins with the other's, or with the reverse of it. */
export function extendsIndex(longer: Candidate, shorter: Candidate): boolean {
  const { key, options } = shorter
  if (longer.collection !== shorter.collection || longer.key.length < key.length) return false
  if (JSON.stringify(longer.options) !== JSON.stringify(options)) return false
  const turns = key.map(([field, direction], i) => {
    const [other, its] = longer.key[i] ?? ['', 1]
    return field === other ? Number(direction) * Number(its) : 0
  })
  return turns.every((turn) => turn === 1) || turns.every((turn) => turn === -1)
}
