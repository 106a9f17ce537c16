import { z } from 'zod'
import { type Stream } from '../../../core/random.ts'
import { type Counter, createCounter } from '../../values/scope.ts'
import { type Distribution, type GrowingPicker, type Picker } from './distribution.ts'
import { exponential } from './exponential.ts'
import { gaussian } from './gaussian.ts'
import { hotspot } from './hotspot.ts'
import { latest } from './latest.ts'
import { reverse } from './reverse.ts'
import { scrambledZipfian } from './scrambled-zipfian.ts'
import { sequential } from './sequential.ts'
import { uniform } from './uniform.ts'
import { zipfian } from './zipfian.ts'

/** All distributions. A new one is one file and one entry here. */
export const distributions = [
  sequential,
  reverse,
  uniform,
  zipfian,
  scrambledZipfian,
  latest,
  exponential,
  hotspot,
  gaussian,
] as const satisfies readonly Distribution[]

const [first, ...others] = distributions
const kinds: readonly [string, ...string[]] = [first.kind, ...others.map(({ kind }) => kind)]

/** Schema of a distribution: its name alone, or an object with its arguments. */
export const distributionSpec = z
  .union([
    z.enum(kinds).transform((kind) => ({ kind })),
    z.discriminatedUnion('kind', [first.spec, ...others.map(({ spec }) => spec)]),
  ])
  .meta({ title: 'Distribution' })

export type DistributionSpec = z.output<typeof distributionSpec>

export function createDistributionPicker(
  given: DistributionSpec,
  count: number,
  stream: Stream,
  counter: () => Counter = createCounter,
): Picker {
  const found = find(given)
  return found.create(count, stream, parseArguments(found, given), counter)
}

/** Creates a picker that follows a growing range. Undefined where the distribution keeps to the initial one. */
export function createGrowingPicker(given: DistributionSpec, count: number, stream: Stream): GrowingPicker | undefined {
  const found = find(given)
  return found.createGrowing?.(count, stream, parseArguments(found, given))
}

function find(given: DistributionSpec): Distribution {
  const found: Distribution | undefined = distributions.find(({ kind }) => kind === given.kind)
  if (!found) throw new Error(`No distribution of kind "${given.kind}"`)
  return found
}

/** Parses again, to fill in the defaults of a name without arguments; parsed arguments stay as they are. */
const parseArguments = ({ spec }: Distribution, given: DistributionSpec): never => spec.parse(given) as never
