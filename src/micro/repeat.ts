/** Operations of one iteration with small documents. */
export const manyTimes = 10_000
/** Operations of one iteration with large documents. */
export const fewTimes = 10

/** Shallow copies of an item. */
export const copies = <Item extends object>(count: number, item: Item): Item[] =>
  Array.from({ length: count }, () => ({ ...item }))

/** Concurrency of the parallel tasks, which the specification leaves open. */
const filesAtOnce = 8

/** Handles all items, several concurrently. Rejects with the first failure. */
export async function severalAtOnce<Item>(
  items: readonly Item[],
  handle: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) await handle(item, index)
  }
  await Promise.all(Array.from({ length: filesAtOnce }, worker))
}
