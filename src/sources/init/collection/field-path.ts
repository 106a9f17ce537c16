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
  const start: FieldPath = { shape: root, steps: [], isOptional: false }
  const found = path.split('.').reduce<FieldPath | undefined>((at, step) => at && enterField(at, step), start)
  return found && !whole ? enterList(found) : found
}

function enterField(at: FieldPath, step: string): FieldPath | undefined {
  const position = /^\d+$/.test(step) ? at.shape.array?.element : undefined
  const { shape, steps, isOptional } = position ? at : enterList(at)
  const next = position ?? shape.object?.fields.get(step)
  if (!next) return undefined
  const isSometimes = next.nulls > 0 || !isAlwaysPresent(next, shape.count)
  return { shape: next, steps: [...steps, step], isOptional: isOptional || isSometimes }
}

function enterList(at: FieldPath): FieldPath {
  const { array, count } = at.shape
  return array && array.count * 2 > count ? { ...at, shape: array.element, steps: [...at.steps, '0'] } : at
}

/** Every path with its shape; elements of arrays have the path of the array. */
export function placesIn({ object, array }: Shape, path = ''): readonly (readonly [path: string, shape: Shape])[] {
  const fields = [...(object?.fields ?? [])].map(
    ([name, field]) => [path === '' ? name : `${path}.${name}`, field] as const,
  )
  const inner = array ? [...fields, [path, array.element] as const] : fields
  return inner.flatMap(([at, shape]) => [[at, shape] as const].concat(placesIn(shape, at)))
}

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
    return at && (at.object?.fields.get(step) ?? at.array?.element.object?.fields.get(step))
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
  const decimals = [...seen.keys()].map(countDecimals).reduce((x, y) => Math.max(x, y), 0)
  return {
    ...a,
    count: a.count + b.count,
    min: Math.min(...ends),
    max: Math.max(...ends),
    allWhole: a.allWhole && b.allWhole,
    seen,
    ...(decimals <= maxDecimals && { decimals }),
  }
}

const countDecimals = (text: string): number => (text.includes('e') ? Infinity : (text.split('.')[1]?.length ?? 0))
