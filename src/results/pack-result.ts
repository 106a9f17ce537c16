import { type Json } from '../core/json.ts'
import { type Result } from './schema.ts'
import { shareValues, unshareValues } from './shared-values.ts'

/** A result in the form of its file: values that rows of a compact result have in common are written once, under `shared`. */
export function packResult(result: Result): { readonly format: string; readonly [field: string]: unknown } {
  if (!result.compact) return { ...result }
  const { value, shared } = shareValues(result.variants as unknown as Json)
  return { ...result, shared, variants: value }
}

/** Reverses `packResult`. A file without `shared` stays as it is. */
export function unpackResult(file: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { shared, ...rest } = file
  return Array.isArray(shared) ? { ...rest, variants: unshareValues(rest['variants'] as Json, shared as Json[]) } : file
}
