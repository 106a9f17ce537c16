/** Groups items by a text, in the order of first appearance. */
export function groupBy<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const text = textOf(item)
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [item])
    else group.push(item)
  }
  return groups
}
