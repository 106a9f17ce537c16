import { type BuildArguments } from '../operations/operation.ts'
import { mixIn, placeKey } from '../random.ts'
import { createDrawContext } from '../values/draw-context.ts'
import { type CallOrder, type Counted, createCallOrder } from './call-order.ts'
import { createChooser, type Proportion } from './choose-operation.ts'
import { type BuildSteps } from './compile-steps.ts'
import { type CallSource } from './plan.ts'

/** Builds the calls of one operation. */
export type CallBuilder = MethodBuilder | StepsBuilder

type AnyBuilder = Proportion & { readonly counted: Counted }

type MethodBuilder = AnyBuilder & {
  readonly kind: 'method'
  /** Most documents that a call asks for; undefined when nothing bounds them. */
  readonly documentsPerCall: number | undefined
  /** Whether the bytes of a call are those of documents; a filter's do not count. */
  readonly carriesDocuments: boolean
  readonly build: BuildArguments
}

type StepsBuilder = AnyBuilder & { readonly kind: 'steps'; readonly build: BuildSteps }

/**
 * The calls of one pass. Call number n is drawn from (seed, place, n): which operation it is (unless shares of time say so),
 * and every value in it.
 * @param place Phase and pass.
 * @param ended Is given the number of a call that counted something, once it has ended.
 */
export function createCallSource(
  builders: readonly CallBuilder[],
  seed: number,
  place: string,
  order: CallOrder = createCallOrder(),
  ended: (call: number) => void = () => {},
): CallSource {
  const { choose, drawNumber, answered } = createChooser(builders, seed, place, order.counter)
  const [start] = placeKey(seed, place)
  const moment = createDrawContext()
  let calls = 0
  let low = 0
  let high = 0

  return {
    next(documentsLeft) {
      const number = order.takeNumber()
      const operation = choose(number)
      const n = drawNumber(operation, number)
      const builder = builders[operation] as CallBuilder
      const isMethod = builder.kind === 'method'
      const documents = isMethod ? Math.min(builder.documentsPerCall ?? 0, documentsLeft) : 0
      order.chosen(documents, builder.counted)
      moment.n = n
      moment.call = number
      moment.bytes = 0
      moment.hash = mixIn(mixIn(start, n), operation)
      const args = isMethod ? builder.build(moment, documents) : noArguments
      const { steps, aborts } = isMethod ? noSteps : builder.build(moment)
      calls += 1
      // Sums do not depend on the order; two of them make an accident unlikely.
      low = (low + moment.hash) >>> 0
      high = (high + mixIn(moment.hash, 0x6d2b79f5)) >>> 0
      const bytes = isMethod && builder.carriesDocuments ? moment.bytes : 0
      return { operation, args, bytes, documents, number, steps, aborts }
    },
    answered({ operation, number }, ms) {
      answered?.(operation, ms)
      if (builders[operation]?.counted.kind !== 'nothing') ended(number)
    },
    digest: () => `${hex(high)}${hex(low)}-${calls}`,
  }
}

/** The digest of all calls that several sources of one pass gave out, from the digest of each. */
export function sumOfDigests(digests: readonly string[]): string {
  let [high, low, calls] = [0, 0, 0]
  for (const digest of digests) {
    high = (high + Number.parseInt(digest.slice(0, 8), 16)) >>> 0
    low = (low + Number.parseInt(digest.slice(8, 16), 16)) >>> 0
    calls += Number(digest.slice(17))
  }
  return `${hex(high)}${hex(low)}-${calls}`
}

const noArguments: readonly unknown[] = []
const noSteps: ReturnType<BuildSteps> = {}

const hex = (word: number): string => word.toString(16).padStart(8, '0')
