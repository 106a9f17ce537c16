/** Lower-case names from titles, safe on every file system, no two alike. */
export function fileNames(titles: readonly string[]): readonly string[] {
  const slugs = titles.map((title, index) => slug(title) || `chart-${index + 1}`)
  return slugs.map((name, index) => {
    const before = slugs.slice(0, index).filter((other) => other === name).length
    return `${name}${before === 0 ? '' : `-${before + 1}`}.png`
  })
}

/** Only letters and digits of ASCII; accents are taken off. */
export function slug(title: string): string {
  return title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '')
}
