import { type Kind } from './kinds.ts'
import { type Shape } from './shape.ts'

/** A place of a document: its shape, and the way to one value there, through first elements of lists. */
export type Place = {
  readonly shape: Shape
  readonly steps: readonly string[]
  /** Whether documents may have no value there, or null. */
  readonly isOptional: boolean
}

/** A field that hardly ever is missing counts as always there: specs are easier to read. */
const isAlwaysThere = (field: Shape, owners: number): boolean => owners - field.count < 0.02 * owners

/** How many of so many documents are without a field. */
export const missingFrom = (field: Shape, owners: number): number =>
  isAlwaysThere(field, owners) ? 0 : owners - field.count

/**
 * The place that a path of an index or a filter means. Undefined where no document of the sample has it.
 * @param whole Whether a list at the end is meant itself, not its first element: coordinates.
 */
export function findPlace(root: Shape, path: string, whole = false): Place | undefined {
  let shape = root
  let isOptional = false
  const steps: string[] = []
  const enterList = (): void => {
    if (!shape.array || shape.array.count * 2 <= shape.count) return
    shape = shape.array.element
    steps.push('0')
  }
  for (const step of path.split('.')) {
    const position = shape.array && /^\d+$/.test(step) ? shape.array.element : undefined
    if (!position) enterList()
    const next: Shape | undefined = position ?? shape.object?.fields.get(step)
    if (!next) return undefined
    isOptional ||= next.nulls > 0 || !isAlwaysThere(next, shape.count)
    shape = next
    steps.push(step)
  }
  if (!whole) enterList()
  return { shape, steps, isOptional }
}

/** The kind that most values at a place have. */
export function mainKind({ scalars, object, array }: Shape): Kind | 'object' | 'array' | undefined {
  const counts: (readonly [Kind | 'object' | 'array', number])[] = [
    ...[...scalars].map(([kind, { count }]) => [kind, count] as const),
    ['object', object?.count ?? 0],
    ['array', array?.count ?? 0],
  ]
  const [kind, count] = counts.toSorted((a, b) => b[1] - a[1])[0] ?? [undefined, 0]
  return count > 0 ? kind : undefined
}

/** The shape of what stands at the path of an update; "0" is any element of a list. */
export function shapeAt(root: Shape, path: string): Shape | undefined {
  return path.split('.').reduce<Shape | undefined>((at, step) => {
    if (step === '0' && at?.array) return at.array.element
    return at?.object?.fields.get(step) ?? at?.array?.element.object?.fields.get(step)
  }, root)
}
