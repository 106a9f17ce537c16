import { upperBounds } from '../generators/choice.ts'
import { type BuildArguments } from '../operations/operation.ts'
import { mixIn, placeKey, Stream } from '../random.ts'
import { newMoment } from '../values/moment.ts'
import { type BuildSteps } from './compile-steps.ts'
import { type CallSource } from './plan.ts'

/** Builds the calls of one operation. */
export type CallBuilder = MethodBuilder | StepsBuilder

type MethodBuilder = {
  readonly kind: 'method'
  readonly weight: number
  /** Most documents that a call asks for; undefined when nothing bounds them. */
  readonly documentsPerCall: number | undefined
  /** Whether the bytes of a call are those of documents; a filter's do not count. */
  readonly carriesDocuments: boolean
  readonly build: BuildArguments
}

type StepsBuilder = { readonly kind: 'steps'; readonly weight: number; readonly build: BuildSteps }

/**
 * The calls of one pass. Call number n is drawn from (seed, place, n): which operation it is, and every value in it.
 * @param place Phase and pass.
 */
export function createCallSource(builders: readonly CallBuilder[], seed: number, place: string): CallSource {
  const bounds = upperBounds(builders.map(({ weight }) => weight))
  const choices = new Stream(placeKey(seed, `${place}#operation`))
  const [start] = placeKey(seed, place)
  const moment = newMoment()
  let next = 0
  let low = 0
  let high = 0

  function choose(n: number): number {
    if (builders.length === 1) return 0
    const drawn = choices.at(n).float()
    let chosen = 0
    while (drawn >= (bounds[chosen] ?? 1)) chosen++
    return chosen
  }

  return {
    next(documentsLeft) {
      const n = next++
      const operation = choose(n)
      const builder = builders[operation] as CallBuilder
      moment.n = n
      moment.bytes = 0
      moment.hash = mixIn(mixIn(start, n), operation)
      const isMethod = builder.kind === 'method'
      const documents = isMethod ? Math.min(builder.documentsPerCall ?? 0, documentsLeft) : 0
      const args = isMethod ? builder.build(moment, documents) : noArguments
      const steps = isMethod ? undefined : builder.build(moment)
      // Sums do not depend on the order; two of them make an accident unlikely.
      low = (low + moment.hash) >>> 0
      high = (high + mixIn(moment.hash, 0x6d2b79f5)) >>> 0
      const bytes = isMethod && builder.carriesDocuments ? moment.bytes : 0
      return { operation, args, bytes, documents, number: n, steps }
    },
    digest: () => `${hex(high)}${hex(low)}-${next}`,
  }
}

const noArguments: readonly unknown[] = []

const hex = (word: number): string => word.toString(16).padStart(8, '0')
