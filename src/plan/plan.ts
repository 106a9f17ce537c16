import { type Call, type EngineOperation } from '../engines/engine.ts'

/** Where a phase ends. At least one is given; the first that is reached ends it. */
export type StopAfter = {
  readonly operations?: number | undefined
  /** Documents asked for, over all calls: the last call asks for what is left, never for more. */
  readonly documents?: number | undefined
  readonly seconds?: number | undefined
}

export type Concerns = {
  readonly writeConcern: Readonly<Record<string, unknown>>
  readonly readConcern: Readonly<Record<string, unknown>>
  readonly readPreference: Readonly<Record<string, unknown>>
}

export type OperationPlan = EngineOperation & {
  readonly kind: string
  /** Whether its calls carry documents to the server (their bytes then count as loaded). */
  readonly carriesDocuments: boolean
}

/**
 * The calls of one pass (warm-up or measured), in order. Call number n is a pure function of (seed, phase, pass, n),
 * whoever takes it and whenever.
 */
export type CallSource = {
  /**
   * Builds the next call.
   * @param documentsLeft How many documents it may ask for at most.
   */
  readonly next: (documentsLeft: number) => PlannedCall
  /** Order-independent digest of the calls taken so far. */
  readonly digest: () => string
}

export type PlannedCall = Call & {
  /** How many documents this call asks for: what it takes off a budget of documents. */
  readonly documents: number
}

export type PhasePlan = Concerns & {
  readonly name: string
  readonly measured: boolean
  readonly settle: boolean
  readonly workers: number
  readonly warmup: { readonly seconds?: number | undefined; readonly operations?: number | undefined } | undefined
  readonly stopAfter: StopAfter
  /** A call that has not been answered by then has an unknown outcome. */
  readonly deadlineMs: number
  readonly operations: readonly OperationPlan[]
  readonly calls: (pass: 'warm-up' | 'measured') => CallSource
}
