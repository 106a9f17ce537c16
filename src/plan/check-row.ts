import { type Path } from '../json.ts'
import { checkAddress } from '../report/address.ts'
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
export function checkRow({ spec, source }: SpecRow, issues: Issues): void {
  const report: Report = (path, reason) => issues.add({ path: source(path), reason })
  checkNames(spec, report)
  checkAddresses(spec, report)
  checkCalls(spec, { seed: spec.seed, report })
}

function checkNames({ phases, data }: Spec, report: Report): void {
  unique(data.map(({ collection }) => collection), (i) => report(['data', i, 'collection'], 'this collection stands in "data" twice'))
  unique(phases.map(({ name }) => name), (i) => report(['phases', i, 'name'], 'another phase has this name'))
  for (const [p, phase] of phases.entries()) {
    unique(phase.operations.map(nameOf), (i) => report(['phases', p, 'operations', i], `another operation of this phase is called "${nameOf(phase.operations[i] as never)}"; give one a "name"`))
    for (const [i, operation] of phase.operations.entries()) {
      if (phases.some(({ name }) => name === nameOf(operation))) report(['phases', p, 'operations', i], `"${nameOf(operation)}" is the name of a phase; give the operation another "name"`)
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
      report([...path, 'operations', i], 'the phase stops after a number of documents, so every call needs a bound: give this operation a "limit"')
  }
}

function checkAddresses({ phases, report: reportSpec, thresholds }: Spec, report: Report): void {
  const shape = { phases: phases.filter(({ measured }) => measured).map(({ name, operations }) => ({ name, operations: operations.map(nameOf) })) }
  const check = (address: string, path: Path, rows: 'variants' | 'runs' | 'operations' | 'once' = 'variants'): void => {
    const fault = checkAddress(address, shape, rows)
    if (fault) report(path, `${fault.reason}${fault.nearest === null ? '' : `; did you mean "${fault.nearest}"?`}`)
  }
  for (const [t, table] of (reportSpec.tables ?? []).entries()) {
    for (const [c, column] of table.columns.entries()) {
      const path = ['report', 'tables', t, 'columns', c]
      if (typeof column === 'string') check(column, path, table.rows)
      else if ('metric' in column) check(column.metric, [...path, 'metric'], table.rows)
    }
  }
  for (const [c, chart] of (reportSpec.charts ?? []).entries()) {
    const rows = 'rows' in chart && chart.rows !== undefined ? chart.rows : chart.series?.some((part) => 'row' in part && part.row === 'operation') ? 'operations' : 'variants'
    if ('y' in chart) for (const [i, address] of chart.y.entries()) check(address, ['report', 'charts', c, 'y', i], rows)
  }
  for (const [i, text] of thresholds.entries()) check(parseThreshold(text)?.address ?? '', ['thresholds', i])
}

function checkCalls({ data, phases }: Spec, context: CompileContext): void {
  const dataSets = data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  for (const [i, dataSet] of dataSets.entries()) {
    if (dataSet.spec.rows > 0 && !dataSet.documentOf) context.report(['data', i, 'rows'], 'there are rows to load, but no "document" that says what they are')
    checkDocument(dataSet.documentOf?.(0), ['data', i, 'document'], context)
  }
  for (const [i, phase] of phases.entries()) tryCalls(compilePhase(phase, ['phases', i], dataSets, context))
}

/** Largest document that the server takes. */
const largestDocument = 16 * 1024 * 1024

function checkDocument(built: { readonly document: unknown; readonly bytes: number } | undefined, path: Path, { report }: CompileContext): void {
  if (!built) return
  if (typeof built.document !== 'object' || built.document === null || Array.isArray(built.document)) report(path, 'a document is an object')
  else if (built.bytes > largestDocument) report(path, `row 0 has ${built.bytes} bytes of BSON; the server takes at most ${largestDocument}`)
}

/** Makes calls until each operation has had its turn; a hundred draws miss one only when its weight is tiny. */
function tryCalls(plan: PhasePlan): void {
  const calls = plan.calls('measured')
  const seen = new Set<number>()
  for (let tries = 0; tries < 100 && seen.size < plan.operations.length; tries++) seen.add(calls.next(1).operation)
}
