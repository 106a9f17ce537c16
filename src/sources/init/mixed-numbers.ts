import { type Kind } from './kinds.ts'
import { type Scalars } from './shape.ts'

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
