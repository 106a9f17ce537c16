import { collectionName } from '../../spec/schema/data-schema.ts'

/** The name of a spec for a namespace: lower-case letters, digits and hyphens. */
export function specName(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50)
  return name === '' ? 'collection' : name
}

/** The name of an operation for an index or a query: characters that are not allowed become underscores. */
export const operationName = (text: string): string => {
  const name = text.replaceAll(/[^\w-]+/g, '_')
  return /^[A-Za-z]/.test(name) ? name : `by_${name}`
}

/** The name of the original collection where a spec allows it, else a similar one. */
export function collectionNameFor(text: string): string {
  if (collectionName.safeParse(text).success) return text
  // Replaces a letter by its code, so that different names stay different.
  const name = `c_${text.replaceAll(/[^\w.-]/gu, (letter) => `_${letter.codePointAt(0)?.toString(16)}`)}`.slice(0, 100)
  return collectionName.safeParse(name).success ? name : 'documents'
}

/** Returns a function that makes names unique by appending a number. */
export function distinctNames(taken: Iterable<string> = []): (name: string) => string {
  const used = new Set(taken)
  return (name) => {
    let free = name
    for (let n = 2; used.has(free); n++) free = `${name}_${n}`
    used.add(free)
    return free
  }
}
