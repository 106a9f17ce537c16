/** Lower-case names from titles, safe on every file system, no two alike. */
export function fileNames(titles: readonly string[], ending: 'png' | 'csv'): readonly string[] {
  return distinctNames(titles, ending === 'png' ? 'chart' : 'table').map((name) => `${name}.${ending}`)
}

/**
 * Small letters, digits and hyphens of titles; the second of two alike ends in "-2".
 * @param fallback For a title without a letter or digit of ASCII.
 * @param others Names that are taken already.
 */
export function distinctNames(
  titles: readonly string[],
  fallback: string,
  others: readonly string[] = [],
): readonly string[] {
  const taken = new Set<string>(others)
  const attempts = [...titles, ...others].map((_, index) => `-${index + 2}`)
  return titles.map((title) => {
    const name = slug(title) || fallback
    const free = ['', ...attempts].map((end) => name + end).find((one) => !taken.has(one)) ?? name
    taken.add(free)
    return free
  })
}

/** Only letters and digits of ASCII; accents are taken off. */
function slug(title: string): string {
  return title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '')
}
