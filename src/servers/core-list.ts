/** The numbers in a list as the kernel writes it: "0-2,7". */
export const parseCoreList = (text: string): readonly number[] =>
  text
    .trim()
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first = NaN, last = first] = part.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })

/** Numbers as the kernel and `taskset` write them: "0-2,7". */
export function coreListText(cores: readonly number[]): string {
  const runs: { readonly first: number; last: number }[] = []
  for (const core of cores.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run?.last === core - 1) run.last = core
    else runs.push({ first: core, last: core })
  }
  return runs.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(',')
}
