import { type Kind } from './kinds.ts'
import { type Scalars, type Shape } from './shape.ts'

/** A path in a document: its shape, and the steps to one value there, through the first elements of arrays. */
export type FieldPath = {
  readonly shape: Shape
  readonly steps: readonly string[]
  /** Whether some documents have no value or null there. */
  readonly isOptional: boolean
}

/** A field that is missing in less than 2 % counts as always present: specs are easier to read. */
const isAlwaysPresent = (field: Shape, owners: number): boolean => owners - field.count < 0.02 * owners

/** How many of `owners` documents lack a field. */
export const missingFrom = (field: Shape, owners: number): number =>
  isAlwaysPresent(field, owners) ? 0 : owners - field.count

/**
 * Finds the place that a path of an index or a filter refers to. Undefined if no document of the sample has it.
 * @param whole Whether a list at the end is meant as a whole, such as coordinates, and not its first element.
 */
export function findFieldPath(root: Shape, path: string, whole = false): FieldPath | undefined {
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
    isOptional ||= next.nulls > 0 || !isAlwaysPresent(next, shape.count)
    shape = next
    steps.push(step)
  }
  if (!whole) enterList()
  return { shape, steps, isOptional }
}

/** The most frequent kind at a place. */
export function mainKind({ scalars, object, array }: Shape): Kind | 'object' | 'array' | undefined {
  const counts: (readonly [Kind | 'object' | 'array', number])[] = [
    ...[...withoutMixedNumbers(scalars)].map(([kind, { count }]) => [kind, count] as const),
    ['object', object?.count ?? 0],
    ['array', array?.count ?? 0],
  ]
  const [kind, count] = counts.toSorted((a, b) => b[1] - a[1])[0] ?? [undefined, 0]
  return count > 0 ? kind : undefined
}

/** The shape at the path of an update; "0" is any element of an array. */
export function shapeAt(root: Shape, path: string): Shape | undefined {
  return path.split('.').reduce<Shape | undefined>((at, step) => {
    if (step === '0' && at?.array) return at.array.element
    return at?.object?.fields.get(step) ?? at?.array?.element.object?.fields.get(step)
  }, root)
}

const integers: ReadonlySet<Kind> = new Set(['int', 'long'])
/** More digits are not rounding. */
const maxDecimals = 6

/** Counts the integers among doubles as doubles: a program in JavaScript stores 5 as an int and 5.5 as a double. */
export function withoutMixedNumbers(scalars: ReadonlyMap<Kind, Scalars>): ReadonlyMap<Kind, Scalars> {
  const doubles = scalars.get('double')
  const others = [...scalars].filter(([kind]) => integers.has(kind)).map(([, each]) => each)
  if (doubles === undefined || others.length === 0) return scalars
  const rest = [...scalars].filter(([kind]) => kind !== 'double' && !integers.has(kind))
  return new Map([...rest, ['double', [doubles, ...others].reduce(together)]])
}

function together(a: Scalars, b: Scalars): Scalars {
  const seen = new Map(a.seen)
  for (const [identity, { value, count }] of b.seen)
    seen.set(identity, { value, count: count + (seen.get(identity)?.count ?? 0) })
  const ends = [a.min, a.max, b.min, b.max].filter((end) => end !== undefined).map(Number)
  const decimals = [...seen.keys()].map((text) => (text.includes('e') ? Infinity : (text.split('.')[1]?.length ?? 0)))
  const most = decimals.reduce((x, y) => Math.max(x, y), 0)
  return {
    ...a,
    count: a.count + b.count,
    min: ends.length > 0 ? Math.min(...ends) : undefined,
    max: ends.length > 0 ? Math.max(...ends) : undefined,
    allWhole: a.allWhole && b.allWhole,
    seen,
    ...(most <= maxDecimals ? { decimals: most } : {}),
  }
}
