import { Problem } from '../core/errors.ts'
import { type Warning } from '../results/schema/warnings.ts'
import { notMeasuredHere } from '../results/warnings/weights.ts'
import {
  hintForCause,
  isDriverError,
  hintForMissingRole,
  rolesToWrite,
} from '../servers/targets/connection/driver-error.ts'
import { redact, redactQuote } from '../servers/targets/connection/redact.ts'
import { type StartContext } from '../servers/targets/target.ts'
import { type SpecRow } from '../spec/fold/read-rows.ts'
import { type LoadedSpec } from '../spec/load-spec.ts'
import { chooseDatabase, type RunEnvironment } from './run-environment.ts'

/** Explains an empty report. */
export const notMeasuredWarnings = (error: unknown): Warning[] =>
  error instanceof Problem && error.code === 'not-measurable-here'
    ? [{ code: notMeasuredHere, message: error.message, advice: error.hint }]
    : []

/** Why a row failed. */
type Failure = {
  /** Without secrets. */
  readonly message: string
  /** Error to throw: for an error of the driver a problem, for another one itself. */
  readonly problem: unknown
}

type FailureContext = {
  readonly environment: Pick<RunEnvironment, 'secrets' | 'turns' | 'ownLoad'>
  readonly spec: Pick<LoadedSpec, 'name'>
  readonly start: Pick<StartContext, 'uri'>
}

export function explainFailure(error: unknown, { spec: row }: SpecRow, context: FailureContext): Failure {
  const { environment, spec, start } = context
  const message = formatErrorMessage(error, environment.secrets)
  if (!isDriverError(error)) return { message, problem: error }
  const database = chooseDatabase(spec.name, environment)
  const uri = row.target.kind === 'existing' ? start.uri(row.target.uriFrom) : undefined
  const hint = hintFor(error, { database, uri })
  return { message, problem: new Problem('target-unreachable', `The server could not be used: ${message}`, { hint }) }
}

/** Formats the message of an error. Messages of problems were redacted when they were created. */
function formatErrorMessage(error: unknown, secrets: readonly string[]): string {
  if (error instanceof Problem) return redact(error.message, secrets)
  return redactQuote(error instanceof Error ? error.message : String(error), secrets)
}

type DatabaseAddress = { readonly database: string; readonly uri: string | undefined }

function hintFor(error: Error, { uri, database }: DatabaseAddress): string {
  if (error.name === 'MongoWriteConcernError') return missingMembers
  const ofRole = uri === undefined ? undefined : hintForMissingRole(error, { uri, database, roles: rolesToWrite })
  return ofRole ?? hintForCause(error) ?? finishedRows
}

const finishedRows = 'Finished rows are in the result; --resume runs the others.'
const missingMembers =
  'Too few members acknowledged the writes of mongo-perf itself, which wait for a majority. Restart members that are down, or add "w=1" to the URI to wait for one member only.'
