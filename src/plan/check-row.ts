import { type Path } from '../json.ts'
import { checkAddress } from '../report/address.ts'
import { checkReport } from '../report/check-report.ts'
import { getOperation } from '../operations/index.ts'
import { type Issues } from '../spec/issues.ts'
import { type PhaseSpec } from '../spec/phase-schema.ts'
import { type SpecRow } from '../spec/read-rows.ts'
import { type Spec } from '../spec/schema.ts'
import { parseThreshold } from '../spec/thresholds.ts'
import { compilePhase, nameOf } from './compile-phase.ts'
import { type CompileContext, createDataSet } from './data-set.ts'
import { type PhasePlan } from './plan.ts'

type Report = (path: Path, reason: string) => void

/** What only the whole of a row can show: names, addresses, and whether every value can be made. Row 0 and one call of each operation are made. */
export function checkRow(row: SpecRow, issues: Issues): void {
  const { spec, source } = row
  const report: Report = (path, reason) => issues.add({ path: source(path), reason })
  checkNames(spec, report)
  checkAddresses(row, report)
  checkCalls(spec, { seed: spec.seed, report })
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
    unique(phase.operations.map(nameOf), (i) =>
      report(
        ['phases', p, 'operations', i],
        `another operation of this phase is called "${nameOf(phase.operations[i] as never)}"; give one a "name"`,
      ),
    )
    for (const [i, operation] of phase.operations.entries()) {
      if (phases.some(({ name }) => name === nameOf(operation)))
        report(
          ['phases', p, 'operations', i],
          `"${nameOf(operation)}" is the name of a phase; give the operation another "name"`,
        )
    }
    checkStop(phase, ['phases', p], report)
  }
}

function unique(names: readonly string[], repeated: (index: number) => void): void {
  for (const [i, name] of names.entries()) if (names.indexOf(name) !== i) repeated(i)
}

function checkStop(phase: PhaseSpec, path: Path, report: Report): void {
  if (phase.stopAfter.documents === undefined) return
  for (const [i, operation] of phase.operations.entries()) {
    if (getOperation(operation.kind).documentsPerCall(operation as never) === undefined)
      report(
        [...path, 'operations', i],
        'the phase stops after a number of documents, so every call needs a bound: give this operation a "limit"',
      )
  }
}

function checkAddresses({ spec, parameters }: SpecRow, report: Report): void {
  const shape = {
    phases: spec.phases
      .filter(({ measured }) => measured)
      .map(({ name, operations }) => ({ name, operations: operations.map(nameOf) })),
  }
  const fault = (path: Path, { reason, nearest }: { readonly reason: string; readonly nearest: string | null }): void =>
    report(path, `${reason}${nearest === null ? '' : `; did you mean "${nearest}"?`}`)
  for (const found of checkReport(spec.report, shape, [...parameters.keys()])) fault(['report', ...found.path], found)
  for (const [i, text] of spec.thresholds.entries()) {
    const found = checkAddress(parseThreshold(text)?.address ?? '', shape)
    if (found) fault(['thresholds', i], found)
  }
}

function checkCalls({ data, phases }: Spec, context: CompileContext): void {
  const dataSets = data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  for (const [i, dataSet] of dataSets.entries()) {
    if (dataSet.spec.rows > 0 && !dataSet.documentOf)
      context.report(['data', i, 'rows'], 'there are rows to load, but no "document" that says what they are')
    checkDocument(dataSet.documentOf?.(0), ['data', i, 'document'], context)
  }
  for (const [i, phase] of phases.entries()) tryCalls(compilePhase(phase, ['phases', i], dataSets, context))
}

/** Largest document that the server takes. */
const largestDocument = 16 * 1024 * 1024

function checkDocument(
  built: { readonly document: unknown; readonly bytes: number } | undefined,
  path: Path,
  { report }: CompileContext,
): void {
  if (!built) return
  if (typeof built.document !== 'object' || built.document === null || Array.isArray(built.document))
    report(path, 'a document is an object')
  else if (built.bytes > largestDocument)
    report(path, `row 0 has ${built.bytes} bytes of BSON; the server takes at most ${largestDocument}`)
}

/** Makes calls until each operation has had its turn; a hundred draws miss one only when its weight is tiny. */
function tryCalls(plan: PhasePlan): void {
  const calls = plan.calls('measured')
  const seen = new Set<number>()
  for (let tries = 0; tries < 100 && seen.size < plan.operations.length; tries++) seen.add(calls.next(1).operation)
}
