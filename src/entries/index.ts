import { withHints } from '../core/errors.ts'
import { type FunctionOn } from '../load/engines/operation-functions.ts'
import { type Result } from '../results/schema.ts'
import { type RunOptions } from '../run/run-spec.ts'
import { type LoadedSpec } from '../spec/load-spec.ts'
import { type Overrides } from '../spec/parse/overrides.ts'
import { type SpecInput } from '../spec/spec-input.ts'
import { type AbOptions } from '../verdicts/ab/ab.ts'
import { type AbOutcome, type AbProgress } from '../verdicts/ab/run-rounds.ts'

// What validates and runs specs is loaded when it is called: zod, the driver and the targets take longer to load than all the rest.

/**
 * Runs a spec and returns its result as plain data. Prints nothing, does not exit, and leaves no server running.
 * @param spec A spec made with `defineSpec`, or the path of a file.
 * @throws {Problem} when the spec is invalid, a server is not available, or safety forbids it. Failed operations and violated checks do not throw: they are in the result, see `violatedChecks`.
 */
export async function run<On = FunctionOn>(spec: string | SpecInput, options: RunOptions<On> = {}): Promise<Result> {
  const { runSpec } = await import('../run/run-spec.ts')
  return await withHints(runSpec)(spec, options)
}

/**
 * Answers whether B is slower than A: runs both sides in turn, each run in a process of its own, and compares them round by round. Prints
 * nothing, and leaves no server running.
 * @throws {Problem} when a side is invalid or cannot run, or when the sides differ in more than what they are given.
 */
export async function ab(spec: string | SpecInput, options: AbOptions): Promise<AbOutcome> {
  const { ab: runBoth } = await import('../verdicts/ab/ab.ts')
  return await withHints(runBoth)(spec, options)
}

/**
 * Reads and validates a spec: the path of a file, or a spec made with `defineSpec`. Contacts no server.
 * @throws {Problem} with all issues of the spec, each as `file:line:column: path: reason`.
 */
export async function loadSpec(spec: string | SpecInput, overrides: Overrides = {}): Promise<LoadedSpec> {
  const { loadSpec: load } = await import('../spec/spec-text.ts')
  return await withHints(load)(spec, overrides)
}

export { defineSpec } from '../spec/define-spec.ts'
export type {
  Check,
  DataSet,
  Expression,
  Fault,
  Load,
  Operation,
  Phase,
  SpecInput,
  Target,
  Value,
} from '../spec/spec-input.ts'
export { InvalidSpec, type LocatedIssue } from '../spec/invalid-spec.ts'
export * from './report.ts'
export * from './results.ts'
export type { SideOptions } from '../verdicts/ab/sides.ts'
export type { ApplicationDriver } from '../load/engines/driver/load-driver.ts'
export type { FunctionOn, FunctionValues, OperationFunction } from '../load/engines/operation-functions.ts'
export type { LiveEvent, LiveSecond } from '../run/live/live-events.ts'
export type { PartOf } from '../load/part-sink.ts'
export type { PhasePart } from '../load/measure/phase-part.ts'
export type { OnProgress, Position, ProgressEvent as RunEvent, Sink } from '../run/run-events.ts'
export type { AbOptions, AbOutcome, AbProgress, LoadedSpec, Overrides, RunOptions }
