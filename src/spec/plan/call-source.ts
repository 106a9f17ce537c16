import { mixIn, placeKey } from '../../core/random.ts'
import { createDrawContext, type Draw } from '../../language/values/draw-context.ts'
import { noArguments } from '../../load/engines/intent.ts'
import { digestText } from '../../load/plan/digest.ts'
import { type CallBudget, type CallSource } from '../../load/plan/plan.ts'
import { computeSharePart, type Share } from '../../load/plan/share.ts'
import { headroomBytes } from '../../protocol/bson/encoded.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { type BuildArguments } from '../operations/operation.ts'
import { type Chooser, type Proportion } from './choose-operation.ts'
import { type BuildSteps } from './compile-steps.ts'
import { type DataSet } from './data-set.ts'

/**
 * Rows and numbers that building an operation counts: nothing; one row of a collection for each document that it asks
 * for; something that only building it shows; or rows that it takes when replies have come.
 */
export type Counted =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'rows'; readonly of: string }
  | { readonly kind: 'anything' }
  | { readonly kind: 'late rows' }

export type CallBuilder = MethodBuilder | (AnyBuilder & { readonly kind: 'steps'; readonly build: BuildSteps })

type AnyBuilder = Proportion & {
  readonly counted: Counted
  /** Seconds after a call. */
  readonly pause: Draw<number> | undefined
}

type MethodBuilder = AnyBuilder & {
  readonly kind: 'method'
  /** Most documents that a call asks for; undefined when nothing bounds them. */
  readonly documentsPerCall: number | undefined
  /** Whether the bytes of a call are those of documents; a filter's do not count. */
  readonly carriesDocuments: boolean
  readonly build: BuildArguments
}

type SourceOptions = {
  readonly builders: readonly CallBuilder[]
  readonly chooser: Chooser
  readonly seed: number
  /** Phase and pass. */
  readonly place: string
  readonly share: Share
  readonly budget: CallBudget
  /** Data sets of the row, whose numbers calls may take. */
  readonly dataSets: readonly DataSet[]
  /** Writer that the arguments of the calls go to, one call over the other. Undefined: they are values of JavaScript. */
  readonly encodesInto?: BsonWriter | undefined
}

/**
 * The calls of one share of a pass. Call number n is drawn from (seed, place, n): which operation it is (unless shares of
 * time decide), and every value in it. A unit goes through all numbers in their order and builds its own; of the others it
 * counts the documents and rows that they take, so that its own are the same whatever the number of units.
 */
export function createCallSource({
  builders,
  chooser: { choose, drawNumber, answered },
  seed,
  place,
  share,
  budget,
  dataSets,
  encodesInto,
}: SourceOptions): CallSource {
  // Shares of time go by the answers that a unit gets, so what the others choose is not known here.
  const isPredictable = answered === undefined
  const maxOperations = budget.operations ?? Infinity
  const wholeDocuments = budget.documents ?? Infinity
  const maxDocuments = isPredictable ? wholeDocuments : computeSharePart(wholeDocuments, share)
  const maxPerCall = budget.documentsPerCall ?? Infinity
  const countsOthers =
    isPredictable &&
    share.of > 1 &&
    (maxDocuments < Infinity || builders.some(({ counted }) => counted.kind !== 'nothing'))
  const numbersTaken = new Map(dataSets.map(({ spec, numbers }) => [spec.collection, numbers]))
  const [start] = placeKey(seed, place)
  const drawContext = createDrawContext()
  let number = share.index
  /** Numbers below this one have been counted. */
  let counted = 0
  let documentsTaken = 0
  let calls = 0
  let low = 0
  let high = 0

  const documentsOf = (builder: CallBuilder): number =>
    builder.kind === 'method' ? Math.min(builder.documentsPerCall ?? 0, maxPerCall, maxDocuments - documentsTaken) : 0

  function beginCall(operation: number, call: number): void {
    const n = drawNumber(operation, call)
    drawContext.n = n
    drawContext.call = call
    drawContext.bytes = 0
    if (encodesInto) encodesInto.at = headroomBytes
    drawContext.hash = mixIn(mixIn(start, n), operation)
  }

  function countOther(call: number): void {
    const operation = choose(call)
    const builder = builders[operation] as CallBuilder
    const documents = documentsOf(builder)
    documentsTaken += documents
    if (builder.counted.kind === 'rows') numbersTaken.get(builder.counted.of)?.skip(documents)
    if (builder.counted.kind !== 'anything') return
    for (const { numbers } of dataSets) numbers.countOthers(true)
    beginCall(operation, call)
    builder.build(drawContext, documents)
    for (const { numbers } of dataSets) numbers.countOthers(false)
  }

  function reachOwn(): void {
    const until = Math.min(number, maxOperations)
    if (countsOthers) while (counted < until && documentsTaken < maxDocuments) countOther(counted++)
    counted = number
  }

  function pauseMs(call: number): number {
    const { pause } = builders[choose(call)] as CallBuilder
    return 1000 * (pause?.({ ...createDrawContext(), n: call, call }) ?? 0)
  }

  return {
    pauseMs: builders.some(({ pause }) => pause !== undefined) ? pauseMs : undefined,
    endedBecause() {
      if (counted < number) reachOwn()
      if (number >= maxOperations) return 'operations'
      return documentsTaken >= maxDocuments ? 'documents' : undefined
    },
    next() {
      if (counted < number) reachOwn()
      const call = number
      number += share.of
      counted = call + 1
      const operation = choose(call)
      const builder = builders[operation] as CallBuilder
      const documents = documentsOf(builder)
      documentsTaken += documents
      beginCall(operation, call)
      const isMethod = builder.kind === 'method'
      const args = isMethod ? builder.build(drawContext, documents) : noArguments
      const { steps, aborts } = isMethod ? noSteps : builder.build(drawContext)
      calls += 1
      // Sums do not depend on the order; two of them make an accident unlikely.
      low = (low + drawContext.hash) >>> 0
      high = (high + mixIn(drawContext.hash, 0x6d2b79f5)) >>> 0
      const bytes = isMethod && builder.carriesDocuments ? drawContext.bytes : 0
      return { operation, args, bytes, documents, number: call, steps, aborts }
    },
    answered({ operation, number: call }, ms) {
      answered?.(operation, ms)
      if (builders[operation]?.counted.kind !== 'nothing') for (const { numbers } of dataSets) numbers.ended(call)
    },
    drawn: () => calls,
    digest: () => digestText(high, low, calls),
  }
}

const noSteps: ReturnType<BuildSteps> = {}
