import { type BuildArguments } from '../operations/operation.ts'
import { mixIn, placeKey } from '../random.ts'
import { newMoment } from '../values/moment.ts'
import { createChooser, type Proportion } from './choose-operation.ts'
import { type BuildSteps } from './compile-steps.ts'
import { type CallSource } from './plan.ts'

/** Builds the calls of one operation. */
export type CallBuilder = MethodBuilder | StepsBuilder

type MethodBuilder = Proportion & {
  readonly kind: 'method'
  /** Most documents that a call asks for; undefined when nothing bounds them. */
  readonly documentsPerCall: number | undefined
  /** Whether the bytes of a call are those of documents; a filter's do not count. */
  readonly carriesDocuments: boolean
  readonly build: BuildArguments
}

type StepsBuilder = Proportion & { readonly kind: 'steps'; readonly build: BuildSteps }

/**
 * The calls of one pass. Call number n is drawn from (seed, place, n): which operation it is (unless shares of time say so),
 * and every value in it.
 * @param place Phase and pass.
 */
export function createCallSource(builders: readonly CallBuilder[], seed: number, place: string): CallSource {
  const { choose, drawNumber, answered } = createChooser(builders, seed, place)
  const [start] = placeKey(seed, place)
  const moment = newMoment()
  let next = 0
  let low = 0
  let high = 0

  return {
    next(documentsLeft) {
      const number = next++
      const operation = choose(number)
      const n = drawNumber(operation, number)
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
      return { operation, args, bytes, documents, number, steps }
    },
    answered,
    digest: () => `${hex(high)}${hex(low)}-${next}`,
  }
}

const noArguments: readonly unknown[] = []

const hex = (word: number): string => word.toString(16).padStart(8, '0')
