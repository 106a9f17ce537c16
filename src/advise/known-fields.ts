import { type CollectionProfile } from '../sources/init/collection/collection-profile.ts'
import { findFieldPath } from '../sources/init/collection/field-path.ts'
import { type Shape } from '../sources/init/collection/shape.ts'

/** Knowledge about the fields of a collection, from a sample. */
export type KnownFields = {
  /** Number of distinct values in the sample. */
  readonly countDistinct: (path: string) => number
  /** The list that a path goes through. Undefined: none. */
  readonly findList: (path: string) => string | undefined
  /** Share of documents with a value. */
  readonly share: (path: string, value: unknown) => number
}

/** Reads the fields of a sample. */
export function readFields({ shape, sampled }: Pick<CollectionProfile, 'shape' | 'sampled'>): KnownFields {
  const listSeen = (path: string): readonly { readonly value: unknown; readonly count: number }[] =>
    [...(findFieldPath(shape, path)?.shape.scalars.values() ?? [])].flatMap(({ seen }) => Array.from(seen.values()))
  return {
    countDistinct: (path) => listSeen(path).length,
    findList: (path) => findListIn(shape, path),
    share: (path, value) =>
      (listSeen(path).find((seen) => String(seen.value) === String(value))?.count ?? 0) / Math.max(1, sampled),
  }
}

function findListIn(root: Shape, path: string): string | undefined {
  const steps = path.split('.')
  let at: Shape | undefined = root
  for (const [i, step] of steps.entries()) {
    at = at.object?.fields.get(step) ?? at.array?.element.object?.fields.get(step)
    if (at === undefined) return undefined
    if (at.array !== undefined) return steps.slice(0, i + 1).join('.')
  }
  return undefined
}
