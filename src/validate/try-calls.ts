import { emptyReply } from '../engines/engine.ts'
import { type CalledSpec, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { modelsOf, writesPerCall } from '../operations/bulk-models.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type Spec } from '../schema/schema.ts'
import { isDocument } from '../values/bson-types.ts'
import { isObject, type Json, type Path } from '../json.ts'
import { expressionsIn, readsVariable } from '../language/expression.ts'
import { unlessTooLarge } from '../language/too-large.ts'
import { largestDocument, OutOfBudget } from '../values/draw-budget.ts'
import { type Report } from '../values/scope.ts'
import { splitStep } from '../plan/abort-tests.ts'
import { validateArguments } from './arguments.ts'
import { stopAfterOf } from '../plan/compile-load.ts'
import { compilePhase } from '../plan/compile-phase.ts'
import { nameOf } from '../plan/names.ts'
import { calledIn, methodsOf } from '../plan/phase-operations.ts'
import { type PlannedCall } from '../plan/plan.ts'
import { type CompileContext, createDataSet, type DataSet } from '../plan/data-set.ts'

/**
 * Makes the document of row 0 of every data set and one call of every operation, and looks at what comes out.
 * @returns How many data sets and phases were not tried to their end, because trying values had cost enough.
 */
export function tryCalls({ data, phases }: Spec, context: CompileContext): number {
  let untried = 0
  const attempt = <Made>(make: () => Made): Made | undefined => {
    try {
      return unlessTooLarge(make, context.report)
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
      untried += 1
      return undefined
    }
  }
  const dataSets = data.flatMap((dataSet, i) => attempt(() => createDataSet(dataSet, ['data', i], context)) ?? [])
  // What a phase says of a data set that is not there would only be an echo.
  if (dataSets.length < data.length) return untried
  for (const [i, dataSet] of dataSets.entries()) attempt(() => tryRow(dataSet, ['data', i], context.report))
  for (const [i, phase] of phases.entries()) {
    attempt(() => tryPhase(phase, ['phases', i], dataSets, context))
    for (const { spec } of calledIn(phase)) skipRows(phase, spec, dataSets)
  }
  return untried
}

/** BSON bytes of the documents that one call may carry: all of them are in memory at once. */
const largestCall = 512 * 1024 * 1024

function tryRow({ spec, documentOf }: DataSet, path: Path, report: Report): void {
  if (spec.rows > 0 && !documentOf && spec.file === undefined)
    report([...path, 'rows'], 'there are rows to load, but no "document" that says what they are')
  const built = documentOf?.(0)
  if (!built) return
  if (!isDocument(built.document)) report([...path, 'document'], 'a document is an object')
  else if (built.bytes > largestDocument)
    report([...path, 'document'], `row 0 has ${built.bytes} bytes of BSON; the server takes at most ${largestDocument}`)
}

/** Makes calls until each operation has had its turn; a hundred draws miss one only when its weight is tiny. */
function tryPhase(phase: PhaseSpec, path: Path, dataSets: readonly DataSet[], context: CompileContext): void {
  // Arguments of an operation that does not compile are wrong because of that.
  const seen = new Set<unknown>()
  const report: Report = (at, ...reason) => {
    seen.add(at[path.length + 1])
    context.report(at, ...reason)
  }
  const calls = compilePhase(phase, path, dataSets, { ...context, report }).calls('measured')
  const called = calledIn(phase)
  // Every write of a bulk is another one.
  const documents = Math.max(1, ...called.map(({ spec }) => ('operations' in spec ? spec.operations.length : 1)))
  for (let tries = 0; tries < 100 && called.some(({ index }) => !seen.has(index)); tries++) {
    const call = calls.next(documents)
    const entry = called[call.operation]
    if (entry && !seen.has(entry.index))
      checkCall(entry.spec, call, [...path, 'operations', entry.index], context.report)
    seen.add(entry?.index)
  }
}

function checkCall(spec: CalledSpec, call: PlannedCall, path: Path, report: Report): void {
  const { args, steps = [] } = call
  if (!('steps' in spec)) {
    checkSize(spec, call, path, report)
    return validateArguments(spec, args, path, report)
  }
  for (const [i, written] of spec.steps.entries()) {
    const { call: step } = splitStep(written)
    // What a server would reply is not known here, so what is made of replies may have any shape.
    const made = steps[i]?.(spec.steps.map(() => emptyReply))
    if (made && !readsVariable(step as Json, new Set(spec.steps.map(nameOf))))
      validateArguments(step, made.args, [...path, 'steps', i], report)
  }
}

function checkSize(spec: MethodOperationSpec, { bytes, documents }: PlannedCall, path: Path, report: Report): void {
  const perCall = 'operations' in spec ? writesPerCall(spec) : 'documentsPerCall' in spec ? spec.documentsPerCall : 1
  const expected = documents > 0 ? (bytes / documents) * perCall : 0
  if (expected > largestCall)
    report(
      path,
      `one call carries about ${Math.round(expected / 1024 ** 2)} MB, and may carry ${largestCall / 1024 ** 2} MB`,
    )
}

/** Far more than a phase of one call gives out: what later phases may pick from is not known before the run. */
const manyCalls = 2 ** 30

/** Rows that an operation takes in a whole phase, at most. */
function skipRows(phase: PhaseSpec, operation: CalledSpec, dataSets: readonly DataSet[]): void {
  const stopAfter = stopAfterOf(phase)
  const find = (name: unknown): DataSet | undefined =>
    dataSets.find(({ spec }) => spec.collection === name) ?? dataSets[0]
  const calls = stopAfter.operations ?? manyCalls
  for (const { keyword, argument } of expressionsIn(operation as Json))
    if (keyword === '@nextRow') find(isObject(argument) ? argument['of'] : undefined)?.skipRows(calls)
  for (const method of methodsOf(operation)) {
    const perCall =
      'operations' in method ? writesPerCall(method) : 'documentsPerCall' in method ? method.documentsPerCall : 1
    for (const name of rowsTakenBy(method)) find(name)?.skipRows(stopAfter.documents ?? calls * perCall)
  }
}

/** Collections whose next rows are inserted: nothing else says what to insert. */
function rowsTakenBy(method: MethodOperationSpec | StepSpec): readonly (string | undefined)[] {
  if ('operations' in method)
    return modelsOf(method)
      .filter(({ kind, model }) => kind === 'insertOne' && model['document'] === undefined)
      .map(({ model }) => model.collection ?? method.collection)
  const inserts = method.kind === 'insertOne' || method.kind === 'insertMany'
  return inserts && method.document === undefined ? [method.collection] : []
}
