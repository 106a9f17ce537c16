import { Problem, type ProblemCode } from '../errors.ts'
import { type Share } from '../plan/share.ts'
import { type DataSetSpec } from '../schema/data-schema.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type EvidenceRequest } from './evidence.ts'
import { type StopReason } from './limits.ts'
import { type RunRequest, type UnitPart, type UnitRun } from './load-unit.ts'
import { type PackedSamples } from './packed-samples.ts'

/** What a thread makes its unit of load from: all of it can be copied. */
export type ThreadWork = {
  /** A secret: appears in no message. */
  readonly uri: string
  readonly database: string
  readonly seed: number
  readonly data: readonly DataSetSpec[]
  readonly phase: PhaseSpec
  readonly share: Share
  /** For each data set, the first row number that may be given out. */
  readonly firstRows: readonly number[]
  readonly samples: readonly PackedSamples[]
  readonly evidence: readonly EvidenceRequest[]
  /** The module of the functions that the phase calls. Undefined: it calls none. */
  readonly functionsFrom: string | undefined
  /** Of the main thread's clock; see thread-clock.ts. */
  readonly clockOriginMs: number
  /** In shared memory: when the process's own clock shows it, no further call goes out. Absent: calls go out until the unit is stopped. */
  readonly mayRunUntil?: Float64Array
}

/** What a thread is asked, one after the other; it answers each. */
export type Request =
  | { readonly kind: 'connect'; readonly workers: number }
  | { readonly kind: 'run'; readonly request: RunRequest }
  | { readonly kind: 'close' }

/** What it has to act on at once, whatever it is doing. */
export type Notice = { readonly kind: 'stop'; readonly reason: StopReason } | { readonly kind: 'abandon' }

/** The reply of a thread to a request. */
export type Answer = {
  readonly kind: 'answer'
  /** Of a run. */
  readonly ran?: readonly UnitRun[]
}

/** What a thread sends. */
export type Message =
  | Answer
  | { readonly kind: 'part'; readonly part: UnitPart }
  /** Its event loop turns. */
  | { readonly kind: 'beat' }
  | { readonly kind: 'failed'; readonly error: PackedError }

/** Errors lose their class on the way from one thread to another. */
export type PackedError = {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly problem: { readonly code: ProblemCode; readonly hint: string } | undefined
}

/** Packs an error so that it can cross a thread boundary. */
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

/** Restores an error that `packError` packed. */
export function unpackError({ name, message, stack, problem }: PackedError): Error {
  if (problem) return new Problem(problem.code, message, { hint: problem.hint })
  return Object.assign(new Error(message), { name, stack })
}
