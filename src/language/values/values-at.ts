import { isDocument } from './bson-types.ts'

/**
 * All values at a path, as the server understands paths: a step into a list goes into each of its documents, or to the
 * element of that number; a list at the end gives its elements. None where the path does not exist.
 */
export function valuesAt(value: unknown, steps: readonly string[]): readonly unknown[] {
  const [step, ...rest] = steps
  if (step === undefined) return Array.isArray(value) ? value : [value]
  if (Array.isArray(value)) {
    const element: unknown = /^\d+$/.test(step) ? value[Number(step)] : undefined
    const ofDocuments = value.filter(isDocument).flatMap((item) => valuesAt(item, steps))
    return element === undefined ? ofDocuments : [...valuesAt(element, rest), ...ofDocuments]
  }
  return isDocument(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : []
}
