import { Problem, type ProblemCode } from '../errors.ts'
import { type StopAfter } from '../plan/plan.ts'
import { type ThreadHealth } from '../results/schema/client.ts'
import { type Pass } from '../schedule/progress.ts'
import { type DataSetSpec } from '../schema/data-schema.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type CallBatch } from './call-batch.ts'
import { type PackedSamples } from './packed-samples.ts'
import { type PassMemory } from './shared-pass.ts'
import { type RowsMemory } from './shared-rows.ts'

/** What a thread is made with. */
export type ThreadWork = {
  /** A secret: appears in no message. */
  readonly uri: string
  readonly database: string
  readonly seed: number
  readonly data: readonly DataSetSpec[]
  readonly phase: PhaseSpec
  /** How many workers of the phase this thread has. */
  readonly workers: number
  /** Which of the threads this one is, from 0. */
  readonly thread: number
  readonly rows: RowsMemory
  readonly samples: readonly PackedSamples[]
  /** Of the main thread's clock; see thread-clock.ts. */
  readonly clockOriginMs: number
}

/** Asked of a thread, one after the other. */
export type Request =
  /** Compile the phase, and open the connections. */
  | { readonly kind: 'open' }
  /** Compile the calls of a pass. */
  | { readonly kind: 'prepare'; readonly pass: Pass; readonly stopAfter: StopAfter; readonly memory: PassMemory }
  /** Make the calls. Batches come before the answer. */
  | { readonly kind: 'run' }
  | { readonly kind: 'close' }

export type Answer = {
  readonly kind: 'answer'
  /** Of what was run. */
  readonly ran?: RanPass
}

export type RanPass = { readonly digest: string; readonly health: ThreadHealth }

/** What a thread says. */
export type Message =
  | Answer
  | { readonly kind: 'calls'; readonly batch: CallBatch }
  | { readonly kind: 'failed'; readonly error: PackedError }

/** Errors lose their class on the way from one thread to another. */
export type PackedError = {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly problem: { readonly code: ProblemCode; readonly hint: string } | undefined
}

export function packError(thrown: unknown): PackedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { name, message, stack } = error
  return {
    name,
    message,
    stack,
    problem: error instanceof Problem ? { code: error.code, hint: error.hint } : undefined,
  }
}

export function unpackError({ name, message, stack, problem }: PackedError): Error {
  if (problem) return new Problem(problem.code, message, { hint: problem.hint })
  return Object.assign(new Error(message), { name, stack })
}
