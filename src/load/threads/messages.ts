import { Problem, type ProblemCode } from '../../core/errors.ts'
import { type RunRequest, type UnitPart, type UnitRun } from '../load-unit.ts'
import { type StopReason } from '../loops/limits.ts'

/** Request to a thread, sent one after the other; it answers each. */
export type Request =
  | { readonly kind: 'connect'; readonly workers: number }
  | { readonly kind: 'run'; readonly request: RunRequest }
  | { readonly kind: 'close' }

/** Notice that a thread has to act on at once, whatever it is doing. */
export type Notice = { readonly kind: 'stop'; readonly reason: StopReason } | { readonly kind: 'abandon' }

/** The reply of a thread to a request. */
export type Answer = { readonly kind: 'answer'; readonly ran?: readonly UnitRun[] }

/** Message from a thread. */
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
