/** Operations of one iteration with small documents. */
export const manyTimes = 10_000
/** Operations of one iteration with large documents. */
export const fewTimes = 10

export const copies = <Item extends object>(count: number, item: Item): Item[] =>
  Array.from({ length: count }, () => ({ ...item }))

/** Files under way at a time in the parallel tasks; the specification leaves the number to the language. */
const filesAtOnce = 8

/** Does something with every item, with several under way at a time. Rejects with the first failure. */
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
