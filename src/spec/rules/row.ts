import { type Path } from '../../core/json.ts'
import { type Issue, type Issues } from '../../language/issues.ts'
import { type DrawBudget } from '../../language/values/draw-context.ts'
import { type Report } from '../../language/values/scope.ts'
import { getOperation, type StepsSpec, type TransactionSpec } from '../operations/index.ts'
import { resolveStopAfter } from '../plan/compile-load.ts'
import { getOperationName } from '../plan/names.ts'
import { calledIn } from '../plan/phase-operations.ts'
import { type Overrides } from '../schema/overrides.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { addRowIssue, isWhole, type SpecRow } from '../schema/read-rows.ts'
import { type Spec } from '../schema/schema.ts'
import { validateAddresses } from './addresses.ts'
import { validateChangeStreams } from './change-streams.ts'
import { validateChecks } from './checks.ts'
import { validateEngines } from './engines.ts'
import { validateFaults, faultsOnExisting } from './faults.ts'
import { validateFunctions } from './functions.ts'
import { validatePrecision } from './precision.ts'
import { validateTransactions } from './transactions.ts'
import { tryCalls } from './try-calls.ts'
import { validateWriteConcerns } from './write-concerns.ts'

type Rule = {
  /** Parts that must be whole: where something in them was omitted, what the rule finds may be a consequence. */
  readonly reads: readonly (keyof Spec)[]
  readonly check: (spec: Spec, report: Report, overrides: Overrides) => void
}

const rules: readonly Rule[] = [
  { reads: [], check: validateNames },
  { reads: ['target', 'phases'], check: validateChangeStreams },
  { reads: ['target'], check: validateTransactions },
  { reads: ['target'], check: (spec, report, { engine }) => validateEngines(spec, engine, report) },
  { reads: [], check: (spec, report, { functions }) => validateFunctions(spec, functions, report) },
  { reads: ['target'], check: validateWriteConcerns },
  { reads: ['target'], check: validateFaults },
  { reads: [], check: validatePrecision },
  { reads: ['target', 'data', 'phases'], check: validateChecks },
]

/**
 * Validates a row as a whole: names, addresses, and whether all values can be drawn. Draws the first document and one call of
 * each operation.
 * @returns Number of data sets and phases that were not tried completely: see `tryCalls`.
 */
export function validateRow(row: SpecRow, overrides: Overrides, budget: DrawBudget, issues: Issues): number {
  const { spec, source } = row
  const add = (issue: Issue): void => addRowIssue(row, issue, issues)
  const report: Report = (path, reason, atKey) => add({ path: source(path, atKey), reason, atKey })
  for (const { reads, check } of rules) if (isWhole(row, reads)) check(spec, report, overrides)
  if (!overrides.allowStepDown)
    for (const path of faultsOnExisting(spec)) add({ path: source(path), reason: stepDownIsRefused, refused: true })
  validateAddresses(row, overrides.columns ?? {}, report)
  return isWhole(row, ['data']) ? tryCalls(spec, { seed: spec.seed, report, budget }) : 0
}

const stepDownIsRefused =
  'an existing server may step down only if the command line allows it; if that is what you want, add --allow-step-down'

function validateNames({ phases, data }: Spec, report: Report): void {
  unique(
    data.map(({ collection }) => collection),
    (i) => report(['data', i, 'collection'], 'this collection is in "data" twice'),
  )
  unique(
    phases.map(({ name }) => name),
    (i) => report(['phases', i, 'name'], 'another phase has this name'),
  )
  for (const [p, phase] of phases.entries()) {
    unique(phase.operations.map(getOperationName), (i, name) =>
      report(['phases', p, 'operations', i], `another operation of this phase is called "${name}"; give one a "name"`),
    )
    for (const [i, operation] of phase.operations.entries()) {
      if (phases.some(({ name }) => name === getOperationName(operation)))
        report(
          ['phases', p, 'operations', i],
          `"${getOperationName(operation)}" is the name of a phase; give the operation another "name"`,
        )
      if ('steps' in operation) validateSteps(operation, ['phases', p, 'operations', i], report)
    }
    validateShares(phase, ['phases', p], report)
    validateStop(phase, ['phases', p], report)
  }
}

function validateSteps({ steps, let: given = {} }: StepsSpec | TransactionSpec, path: Path, report: Report): void {
  unique(steps.map(getOperationName), (i, name) =>
    report([...path, 'steps', i], `another step is called "${name}"; give one a "name"`),
  )
  for (const [i, step] of steps.entries())
    if (Object.hasOwn(given, getOperationName(step)))
      report([...path, 'steps', i], `"${getOperationName(step)}" is a name in "let"; give the step another "name"`)
}

function unique(names: readonly string[], repeated: (index: number, name: string) => void): void {
  const seen = new Set<string>()
  for (const [i, name] of names.entries()) {
    if (seen.has(name)) repeated(i, name)
    seen.add(name)
  }
}

function validateShares(phase: PhaseSpec, path: Path, report: Report): void {
  const called = calledIn(phase)
  const isShared = called.some(({ spec }) => spec.share !== undefined)
  for (const { spec, index } of called)
    if (isShared && spec.share === undefined)
      report([...path, 'operations', index], 'other operations of this phase have a "share": give this one too')
}

const several = { steps: 'steps have', transaction: 'a transaction has' } as const

const boundFor = (kind: string): string =>
  Object.hasOwn(getOperation(kind).spec.shape, 'limit')
    ? 'so every call needs a bound: give this operation a "limit"'
    : `and nothing bounds those of a call of ${kind}: stop after "operations" or "seconds"`

function validateStop(phase: PhaseSpec, path: Path, report: Report): void {
  if (resolveStopAfter(phase).documents === undefined) return
  for (const { spec: operation, index: i } of calledIn(phase)) {
    if ('steps' in operation)
      report(
        [...path, 'operations', i],
        `the phase stops after a number of documents, and ${several[operation.kind]} no such number`,
      )
    else if (getOperation(operation.kind).documentsPerCall(operation as never) === undefined)
      report([...path, 'operations', i], `the phase stops after a number of documents, ${boundFor(operation.kind)}`)
  }
}
