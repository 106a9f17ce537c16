import { type Json } from '../json.ts'
import { deepestSpec } from './parse-json.ts'

/** A short text can stand for very much: parameters that hold one another twice, lists of lists. */
export const mostValues = 1_000_000

/** Whether a folded value is small and flat enough to be worked on. */
export function isWithinBounds(node: Json): boolean {
  let left = mostValues
  const visit = (value: Json, depth: number): boolean => {
    if (left-- <= 0 || depth > deepestSpec) return false
    if (value === null || typeof value !== 'object') return true
    return Object.values(value).every((item) => visit(item, depth + 1))
  }
  return visit(node, 0)
}
