import { type Path } from '../json.ts'
import { getOperation, type StepsSpec } from '../operations/index.ts'
import { type Issues } from '../language/issues.ts'
import { type PhaseSpec } from '../spec/phase-schema.ts'
import { type SpecRow } from '../spec/read-rows.ts'
import { type Spec } from '../spec/schema.ts'
import { type Report } from '../values/scope.ts'
import { checkAddresses } from './check-addresses.ts'
import { checkChangeStreams } from './check-change-streams.ts'
import { checkWriteConcerns } from './check-write-concerns.ts'
import { nameOf } from './names.ts'
import { calledIn } from './phase-operations.ts'
import { tryCalls } from './try-calls.ts'

/** What only the whole of a row can show: names, addresses, and whether every value can be made. Row 0 and one call of each operation are made. */
export function checkRow(row: SpecRow, issues: Issues): void {
  const { spec, source } = row
  const report: Report = (path, reason, atKey) => issues.add({ path: source(path, atKey), reason, atKey })
  checkNames(spec, report)
  checkChangeStreams(spec, report)
  checkWriteConcerns(spec, report)
  checkAddresses(row, report)
  tryCalls(spec, { seed: spec.seed, report })
}

function checkNames({ phases, data }: Spec, report: Report): void {
  unique(
    data.map(({ collection }) => collection),
    (i) => report(['data', i, 'collection'], 'this collection stands in "data" twice'),
  )
  unique(
    phases.map(({ name }) => name),
    (i) => report(['phases', i, 'name'], 'another phase has this name'),
  )
  for (const [p, phase] of phases.entries()) {
    unique(phase.operations.map(nameOf), (i, name) =>
      report(['phases', p, 'operations', i], `another operation of this phase is called "${name}"; give one a "name"`),
    )
    for (const [i, operation] of phase.operations.entries()) {
      if (phases.some(({ name }) => name === nameOf(operation)))
        report(
          ['phases', p, 'operations', i],
          `"${nameOf(operation)}" is the name of a phase; give the operation another "name"`,
        )
      if (operation.kind === 'steps') checkSteps(operation, ['phases', p, 'operations', i], report)
    }
    checkShares(phase, ['phases', p], report)
    checkStop(phase, ['phases', p], report)
  }
}

function checkSteps({ steps, let: given = {} }: StepsSpec, path: Path, report: Report): void {
  unique(steps.map(nameOf), (i, name) =>
    report([...path, 'steps', i], `another step is called "${name}"; give one a "name"`),
  )
  for (const [i, step] of steps.entries())
    if (Object.hasOwn(given, nameOf(step)))
      report([...path, 'steps', i], `"${nameOf(step)}" is a name in "let"; give the step another "name"`)
}

function unique(names: readonly string[], repeated: (index: number, name: string) => void): void {
  for (const [i, name] of names.entries()) if (names.indexOf(name) !== i) repeated(i, name)
}

function checkShares(phase: PhaseSpec, path: Path, report: Report): void {
  const called = calledIn(phase)
  const isShared = called.some(({ spec }) => spec.share !== undefined)
  for (const { spec, index } of called)
    if (isShared && spec.share === undefined)
      report([...path, 'operations', index], 'other operations of this phase have a "share": give this one too')
}

const boundFor = (kind: string): string =>
  Object.hasOwn(getOperation(kind).spec.shape, 'limit')
    ? 'so every call needs a bound: give this operation a "limit"'
    : `and nothing bounds those of a call of ${kind}: stop after "operations" or "seconds"`

function checkStop(phase: PhaseSpec, path: Path, report: Report): void {
  if (phase.stopAfter?.documents === undefined) return
  for (const { spec: operation, index: i } of calledIn(phase)) {
    if (operation.kind === 'steps')
      report([...path, 'operations', i], 'the phase stops after a number of documents, and steps have no such number')
    else if (getOperation(operation.kind).documentsPerCall(operation as never) === undefined)
      report([...path, 'operations', i], `the phase stops after a number of documents, ${boundFor(operation.kind)}`)
  }
}
