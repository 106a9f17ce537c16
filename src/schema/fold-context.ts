import { type Json, type Path } from '../json.ts'
import { type Origins } from '../language/origins.ts'
import { type FoldBudget } from './fold-budget.ts'
import { type Parameters } from './parameters.ts'

/** A folded node, and where it was written. */
export type Written = { readonly node: Json; readonly path: Path }

export type FoldContext = {
  readonly parameters: Parameters
  readonly origins: Origins
  readonly report: (path: Path, reason: string) => void
  /** Left as they were written. */
  readonly unfolded?: ReadonlySet<Json>
  /** What may still be folded, of this row and all others. */
  readonly budget: FoldBudget
}

/** Where something in a folded tree was written. */
export function sourcePath(root: Json, path: Path, origins: Origins): Path {
  let node: unknown = root
  let source: Path = []
  for (const step of path) {
    const inSource = typeof node === 'object' && node !== null ? origins.get(node)?.get(step) : undefined
    source = inSource ?? [...source, step]
    node = typeof node === 'object' && node !== null ? (node as Record<string | number, unknown>)[step] : undefined
  }
  return source
}
