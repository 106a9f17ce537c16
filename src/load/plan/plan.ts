import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { type FaultSpec } from '../../servers/faults/index.ts'
import { type Alternation } from '../courses/alternate.ts'
import { type Concerns } from '../engines/concerns.ts'
import { type EngineKind } from '../engines/engine-kinds.ts'
import { type Call, type EngineMethod, type EngineSteps } from '../engines/engine.ts'
import { type Namespace, type Options } from '../engines/intent.ts'
import { type ArrivalTimes, type Arrivals } from './arrival-times.ts'
import { type Share } from './share.ts'

/** Conditions that end a phase. The first that is reached ends it; there is none if the load ends by itself. */
export type StopAfter = {
  readonly operations?: number | undefined
  /** Documents asked for, over all calls: the last call asks for what is left, never for more. */
  readonly documents?: number | undefined
  readonly seconds?: number | undefined
  /** Half width of the 95 % interval of mean throughput, in percent of it, at which a measured pass ends. */
  readonly precisionPercent?: number | undefined
}

/** Passes: any that is not measured has calls of its own. A cool-down is an open load after it has been measured. */
export type Pass = 'warm-up' | 'measured' | 'cool-down'

/** How calls are spread in time. */
export type LoadPlan = ClosedLoadPlan | OpenLoadPlan

/** Every worker waits for its answer before its next call. */
export type ClosedLoadPlan = {
  readonly kind: 'closed'
  /** Most calls per second of all workers together. Default: as many as are answered. */
  readonly maxRatePerSecond?: number | undefined
}

/** Calls go out when they are due. The workers of the phase are those that may wait for an answer at the same time. */
export type OpenLoadPlan = {
  readonly kind: 'open'
  readonly arrivals: Arrivals | 'recorded'
  readonly maxInFlight: number
  /** Mean of the measured pass. */
  readonly ratePerSecond: number
  /** After the measured pass. */
  readonly cooldown: { readonly seconds: number } | undefined
  /** Times when the calls of a share are due. Default: those of the whole phase. */
  readonly times: (pass: Pass, share?: Share) => ArrivalTimes
}

/** A connection pool as applications have it, with the options of the driver. */
export type ConnectionPool = {
  /** To each server. */
  readonly maxPoolSize: number
  /** Connections that are opened to a server at the same time. */
  readonly maxConnecting: number
  /** Milliseconds after which an operation that waits for a connection fails. 0: never. */
  readonly waitQueueTimeoutMS: number
}

/** The pool that the driver has by default. */
export const driverPool: ConnectionPool = { maxPoolSize: 100, maxConnecting: 2, waitQueueTimeoutMS: 0 }

/** The plan of an operation of one call. */
export type MethodPlan = EngineMethod & {
  /** Whether its calls carry documents to the server (their bytes then count as loaded). */
  readonly carriesDocuments: boolean
  /** Most documents that a call asks for. Undefined: nothing bounds them. */
  readonly documentsPerCall?: number | undefined
  /** Documents that every call of a read should find. Undefined: any number. */
  readonly expectDocuments?: number | undefined
  /** True: it finds documents by one value of their data set, which is drawn for each call. */
  readonly keysFromData?: true
  /** Codes of errors that are part of the work. Undefined: none is. */
  readonly expectErrors?: ReadonlySet<string> | undefined
}

/** One timed operation of several calls. */
export type StepsPlan = Omit<EngineSteps, 'steps'> & { readonly kind: string; readonly steps: readonly MethodPlan[] }

export type OperationPlan = MethodPlan | StepsPlan

/** A change stream that watches while the operations of its phase write. */
export type StreamPlan = Namespace & {
  readonly name: string
  readonly kind: string
  readonly pipeline: readonly unknown[]
  readonly options: Options
}

/** Limits on the calls of a pass by count, over all of its units. Time bounds them elsewhere. */
export type CallBudget = Pick<StopAfter, 'operations' | 'documents'> & {
  /** Maximum number of documents that one call asks for, whatever its operation defines. */
  readonly documentsPerCall?: number | undefined
}

/**
 * The calls of one share of a pass, in order. Call number n is a pure function of (seed, phase, pass, n), whoever makes it
 * and whenever.
 */
export type CallSource = {
  /** Why there is no further call. Undefined: there is one. */
  readonly endedBecause: () => 'operations' | 'documents' | undefined
  readonly next: () => PlannedCall
  /** Milliseconds for which a worker pauses after the call of a number: a pure function of it, as the call is. Undefined: workers never pause. */
  readonly pauseMs?: ((call: number) => number) | undefined
  /** A call has ended, whatever its outcome: what comes next may go by that. */
  readonly answered?: ((call: Pick<PlannedCall, 'operation' | 'number'>, ms: number) => void) | undefined
  /** How many calls have been taken so far. */
  readonly drawn: () => number
  /** Order-independent digest of the calls taken so far. */
  readonly digest: () => string
}

/** A call that is ready to be sent. */
export type PlannedCall = Call & {
  /** How many documents this call asks for: what it takes off a budget of documents. */
  readonly documents: number
  /** Its number in the phase, from 0. */
  readonly number: number
}

/** The place of a load among those of its phase. */
export type ParallelPlan = {
  readonly phase: string
  /** When it begins, in seconds after the others. */
  readonly fromSeconds: number
  /** Absent: no load of the phase is on and off in turn. */
  readonly alternation?: Alternation | undefined
}

/** The plan of a phase: all that its load needs. */
export type PhasePlan = Concerns & {
  readonly name: string
  readonly engine: EngineKind
  readonly measured: boolean
  readonly settle: boolean
  readonly load: LoadPlan
  /** Its place among loads that run at the same time. Absent: it is alone. */
  readonly parallel?: ParallelPlan | undefined
  readonly workers: number
  /** Pool through which calls go. Undefined: each worker has a connection of its own. */
  readonly pool?: ConnectionPool | undefined
  /** Threads of the operating system that the workers are spread over, each a unit of load. */
  readonly threads: number
  readonly warmup: { readonly seconds?: number | undefined; readonly operations?: number | undefined } | undefined
  readonly stopAfter: StopAfter
  /** A call that has not been answered by then has an unknown outcome. */
  readonly deadlineMs: number
  /** How many single timings of each operation are kept. */
  readonly keepSamples: number
  readonly claims: { readonly cached: boolean } | undefined
  /** Retries that the driver may make by itself: none, or its defaults. */
  readonly retries: 'none' | 'driver'
  readonly faults: readonly FaultSpec[]
  /** For how long they may keep everything from succeeding. */
  readonly maxOutageMs: number
  /** Whether workers pause between their calls. */
  readonly pauses: boolean
  readonly operations: readonly OperationPlan[]
  readonly streams: readonly StreamPlan[]
  /**
   * @param budget Default: none.
   * @param share Default: the whole phase.
   * @param encodesInto Where arguments are written as BSON while a call is built: they are `EncodedValue`s, until the next
   * call is built. Default: they are values of JavaScript. Steps always have those.
   */
  readonly calls: (pass: Pass, budget?: CallBudget, share?: Share, encodesInto?: BsonWriter) => CallSource
  /**
   * Builds the first calls of one operation again, as if the phase had no other: drawn like those of the measured pass, and
   * no row is taken for them.
   * @param part "exact": with the pipelines that return the right documents. None, where the operation has no such pipeline.
   */
  readonly firstCalls: (operation: number, count: number, part?: 'exact') => readonly PlannedCall[]
}

/** Parts of a phase that its load needs: of a phase of a spec, or of a function that is handed in. */
export type LoadedPhase = Pick<
  PhasePlan,
  | 'name'
  | 'load'
  | 'parallel'
  | 'workers'
  | 'warmup'
  | 'stopAfter'
  | 'deadlineMs'
  | 'keepSamples'
  | 'faults'
  | 'maxOutageMs'
  | 'operations'
  | 'calls'
> & { readonly engine: EngineKind | 'function' }
