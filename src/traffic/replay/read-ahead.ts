/** Items that are read before they are asked for, and their bytes, at most. */
const maxAhead = 2048
const maxAheadBytes = 16 * 1024 * 1024

/**
 * Reads on while its reader does something else, so that what takes long to read delays nothing: up to 2048 items, or 16 MiB of them. One is read for each
 * that is taken: reading many at once would delay others.
 * @param sizeOf Bytes of an item.
 */
export async function* readAhead<Item>(
  items: AsyncIterable<Item>,
  sizeOf: (item: Item) => number,
): AsyncGenerator<Item, void, undefined> {
  const ahead: Item[] = []
  let [next, bytes] = [0, 0]
  let isOver = false
  let failure: { readonly thrown: unknown } | undefined
  let wakeReader = (): void => {}
  let wakeSource = (): void => {}

  async function readOn(): Promise<void> {
    try {
      for await (const item of items) {
        ahead.push(item)
        bytes += sizeOf(item)
        wakeReader()
        while (!isOver && (ahead.length - next >= maxAhead || bytes >= maxAheadBytes))
          await new Promise<void>((resolve) => void (wakeSource = resolve))
        if (isOver) return
      }
    } catch (thrown) {
      failure = { thrown }
    }
    isOver = true
    wakeReader()
  }

  const reading = readOn()
  try {
    for (;;) {
      for (; next < ahead.length; wakeSource()) {
        const item = ahead[next++] as Item
        bytes -= sizeOf(item)
        if (next >= maxAhead) {
          ahead.splice(0, next)
          next = 0
        }
        yield item
      }
      if (isOver) break
      await new Promise<void>((resolve) => void (wakeReader = resolve))
    }
    if (failure !== undefined) throw failure.thrown
  } finally {
    isOver = true
    wakeSource()
    await reading
  }
}
