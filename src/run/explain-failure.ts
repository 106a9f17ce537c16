import { Problem } from '../core/errors.ts'
import { type Warning } from '../results/schema/warnings.ts'
import { notMeasuredHere } from '../results/warnings/weights.ts'
import { hintForCause, isDriverError } from '../servers/targets/driver-error.ts'
import { hintForMissingRole, rolesToWrite } from '../servers/targets/missing-role.ts'
import { redact, redactQuote } from '../servers/targets/redact.ts'

/** Explains an empty report. */
export const notMeasuredWarnings = (error: unknown): Warning[] =>
  error instanceof Problem && error.code === 'not-measurable-here'
    ? [{ code: notMeasuredHere, message: error.message, advice: error.hint }]
    : []

/** Returns the message of an error without secrets. Those of a problem were redacted when it was created. */
export function formatErrorMessage(error: unknown, secrets: readonly string[]): string {
  if (error instanceof Problem) return redact(error.message, secrets)
  return redactQuote(error instanceof Error ? error.message : String(error), secrets)
}

type DatabaseAddress = { readonly database: string; readonly uri: string | undefined }

/**
 * Converts an error of the driver to a problem, and leaves others as they are.
 * @param text See `formatErrorMessage`.
 */
export function asProblem(error: unknown, text: string, address: DatabaseAddress): unknown {
  if (!isDriverError(error)) return error
  return new Problem('target-unreachable', `The server could not be used: ${text}`, { hint: hintFor(error, address) })
}

function hintFor(error: Error, { uri, database }: DatabaseAddress): string {
  if (error.name === 'MongoWriteConcernError') return missingMembers
  const ofRole = uri === undefined ? undefined : hintForMissingRole(error, { uri, database, roles: rolesToWrite })
  return ofRole ?? hintForCause(error) ?? finishedRows
}

const finishedRows = 'Finished rows are in the result; --resume runs the others.'
const missingMembers =
  'Too few members acknowledged the writes of mongo-perf itself, which wait for a majority. Restart members that are down, or add "w=1" to the URI to wait for one member only.'
