/** Distinct lower-case file names from titles, safe on every file system. */
export function fileNames(titles: readonly string[], ending: 'png' | 'csv'): readonly string[] {
  return distinctNames(titles, ending === 'png' ? 'chart' : 'table').map((name) => `${name}.${ending}`)
}

/**
 * Names from lower-case letters, digits and hyphens of titles; the second of two equal names ends in "-2".
 * @param fallback Name for a title without ASCII letters and digits.
 * @param others Names that are taken.
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

/** Keeps only ASCII letters and digits, without accents. */
function slug(title: string): string {
  return title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '')
}
