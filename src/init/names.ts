import { collectionName } from '../schema/data-schema.ts'

/** The name of a spec for a namespace: small letters, digits and hyphens. */
export function specName(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50)
  return name === '' ? 'collection' : name
}

/** The name of an operation for an index or a query: what is not allowed in one becomes an underscore. */
export const operationName = (text: string): string => {
  const name = text.replaceAll(/[^\w-]+/g, '_')
  return /^[A-Za-z]/.test(name) ? name : `by_${name}`
}

/** A collection is called as the original where a spec may say so. */
export function collectionNameFor(text: string): string {
  if (collectionName.safeParse(text).success) return text
  // The code of a letter in its place, so that different names stay different.
  const name = `c_${text.replaceAll(/[^\w.-]/gu, (letter) => `_${letter.codePointAt(0)?.toString(16)}`)}`.slice(0, 100)
  return collectionName.safeParse(name).success ? name : 'documents'
}

/** Numbers what would stand there twice. */
export function distinctNames(taken: Iterable<string> = []): (name: string) => string {
  const used = new Set(taken)
  return (name) => {
    let free = name
    for (let n = 2; used.has(free); n++) free = `${name}_${n}`
    used.add(free)
    return free
  }
}
