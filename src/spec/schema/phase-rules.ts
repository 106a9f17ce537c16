import { type Path } from '../../core/json.ts'
import { type Report } from '../../language/issues.ts'
import { getOperation, getOperationName, type StepsSpec, type TransactionSpec } from '../operations/index.ts'
import { resolveStopAfter } from '../plan/compile-load.ts'
import { calledIn, operationsIn } from '../plan/phase-operations.ts'
import { loadAt } from '../plan/search-steps.ts'
import { type Rule } from '../rules/rule.ts'
import { type PhaseSpec } from './phase-schema.ts'
import { type Spec } from './schema.ts'

const eachPhase =
  (check: (phase: PhaseSpec, path: Path, report: Report) => void): Rule['check'] =>
  ({ phases }, report) =>
    phases.forEach((phase, i) => check(phase, ['phases', i], report))

/** The rules of phases and the names in them. */
export const phaseRules: readonly Rule[] = [
  { name: 'names', reads: [], check: validateNames },
  { name: 'shares', reads: [], check: eachPhase(validateShares) },
  { name: 'pauses', reads: [], check: eachPhase(validatePauses) },
  { name: 'pool', reads: [], check: eachPhase(validatePool) },
  { name: 'stop-after', reads: [], check: eachPhase(validateStop) },
  { name: 'precision', reads: [], check: eachPhase(validatePrecision) },
]

function validateNames({ phases, data }: Spec, report: Report): void {
  unique(
    data.map(({ collection }) => collection),
    (i) => report(['data', i, 'collection'], 'this collection is in "data" twice'),
  )
  unique(
    phases.map(({ name }) => name),
    (i) => report(['phases', i, 'name'], 'another phase has this name'),
  )
  for (const [p, { operations }] of phases.entries())
    unique(operations.map(getOperationName), (i, name) =>
      report(['phases', p, 'operations', i], `another operation of this phase is called "${name}"; give one a "name"`),
    )
  for (const { operation, path } of operationsIn({ phases })) {
    const name = getOperationName(operation)
    if (phases.some((phase) => phase.name === name))
      report(path, `"${name}" is the name of a phase; give the operation another "name"`)
    if ('steps' in operation) validateSteps(operation, path, report)
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

function validatePauses(phase: PhaseSpec, path: Path, report: Report): void {
  const { kind } = phase.load
  const isOpen = loadAt('from', phase).kind === 'open'
  for (const { spec, index } of calledIn(phase)) {
    if (spec.pause === undefined) continue
    const at = [...path, 'operations', index, 'pause']
    if (isOpen)
      report(
        at,
        `operations of a load of kind "${kind}" are sent when they are due, so there is nothing to pause: only workers of a closed load pause`,
      )
    else if (spec.share !== undefined) report(at, 'a "share" is of the time of workers that do not pause: use "weight"')
  }
}

function validatePool({ pool, load: { threads = 1 } }: PhaseSpec, path: Path, report: Report): void {
  if (pool !== undefined && pool.maxPoolSize < threads)
    report([...path, 'pool', 'maxPoolSize'], 'there are more threads than connections: each thread needs one')
}

const several = { steps: 'steps have', transaction: 'a transaction has' } as const

const boundFor = (kind: string): string =>
  Object.hasOwn(getOperation(kind).spec.shape, 'limit')
    ? 'so it needs a bound: give this operation a "limit"'
    : `and nothing bounds the documents of one ${kind}: stop after "operations" or "seconds"`

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

/** A phase that ends by precision has a throughput of its own that can be steady. */
function validatePrecision({ load, faults = [], stopAfter = {} }: PhaseSpec, path: Path, report: Report): void {
  if (stopAfter.precisionPercent === undefined) return
  const at = [...path, 'stopAfter', 'precisionPercent']
  if (load.kind === 'open') report(at, 'an open loop has a fixed rate: remove "precisionPercent"')
  else if (faults.length > 0) report(at, 'throughput during faults has no steady mean: leave it out')
}
