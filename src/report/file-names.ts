/** Lower-case names from titles, safe on every file system, no two alike. */
export function fileNames(titles: readonly string[], ending: 'png' | 'csv'): readonly string[] {
  const taken = new Set<string>()
  return titles.map((title) => {
    const name = slug(title) || (ending === 'png' ? 'chart' : 'table')
    const free = [name, ...titles.map((_, index) => `${name}-${index + 2}`)].find((one) => !taken.has(one)) ?? name
    taken.add(free)
    return `${free}.${ending}`
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
