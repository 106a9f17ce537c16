import { BSON, type Collection, type Document } from 'mongodb'
import { placeKey, Stream } from '../../core/random.ts'

/** Larger collections are not read in the order of their `_id`s: it would take longer than many a phase. */
export const maxOrdered = 1_000_000

/** How they were chosen: not at all (all were taken), the seed over the order of the `_id`s, or the server at random. */
export type Choice = 'all' | 'seed' | 'server'

/** The documents chosen from a collection, as BSON, and how they were chosen. */
export type Chosen = { readonly choice: Choice; readonly documents: readonly Uint8Array[] }

/**
 * Chooses documents of a collection. Up to a million of them, the same `_id`s and the same seed give the same documents.
 * @param size How many documents, at most.
 */
export async function chooseDocuments(
  collection: Collection<Uint8Array>,
  projection: Document,
  size: number,
  seed: number,
): Promise<Chosen> {
  const inOrder = (filter: Document): Promise<readonly Uint8Array[]> =>
    collection.find(filter, { projection, sort: { _id: 1 }, limit: size }).toArray()
  const count = await collection.estimatedDocumentCount()
  if (count <= size) return { choice: 'all', documents: await inOrder({}) }
  if (count > maxOrdered) {
    const drawn = collection.aggregate<Uint8Array>([{ $sample: { size } }, { $project: projection }])
    return { choice: 'server', documents: await drawn.toArray() }
  }
  const ids = collection.find({}, { projection: { _id: 1 }, sort: { _id: 1 }, allowDiskUse: true })
  const chosen = await chooseFrom(ids, size, new Stream(placeKey(seed, `sample.${collection.collectionName}`)))
  // The types of ids must stay what they are.
  const wanted = chosen.map((bytes) => BSON.deserialize(bytes, { promoteValues: false })['_id'] as unknown)
  return { choice: 'seed', documents: await inOrder({ _id: { $in: wanted } }) }
}

/** Chooses uniformly, by one look at each: algorithm R (Vitter, "Random sampling with a reservoir", 1985). */
export async function chooseFrom(
  all: AsyncIterable<Uint8Array>,
  size: number,
  stream: Stream,
): Promise<readonly Uint8Array[]> {
  const chosen: Uint8Array[] = []
  let seen = 0
  for await (const one of all) {
    const at = seen < size ? seen : stream.at(seen).below(seen + 1)
    // A copy: what the driver hands out is part of a whole batch.
    if (at < size) chosen[at] = one.slice()
    seen += 1
  }
  return chosen
}
