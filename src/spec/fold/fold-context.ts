import { type Json, type Path } from '../../core/json.ts'
import { type Origins } from '../../language/prune.ts'
import { type FoldBudget } from './fold-budget.ts'
import { type Parameters } from './parameters.ts'

export type Written = { readonly node: Json; readonly path: Path }

export type FoldContext = {
  readonly parameters: Parameters
  readonly origins: Origins
  readonly report: (path: Path, reason: string) => void
  /** Nodes that are left as they were written. */
  readonly unfolded?: ReadonlySet<Json>
  /** Shared by all rows. */
  readonly budget: FoldBudget
}

/** Converts a path in a folded tree to the path in the file. */
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
