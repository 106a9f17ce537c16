import { isObject, type Json, type Path } from '../../core/json.ts'
import { groupDigits } from '../../core/quantities.ts'
import { expressionsIn, readsVariable } from '../../language/expression.ts'
import { unlessInvalid, type Report } from '../../language/issues.ts'
import { isDocument } from '../../language/values/bson-types.ts'
import { largestDocument, OutOfBudget } from '../../language/values/draw-context.ts'
import { emptyReply } from '../../load/engines/engine.ts'
import { type PlannedCall } from '../../load/plan/plan.ts'
import { listWriteModels, writesPerCall } from '../operations/bulk-models.ts'
import { type CalledSpec, getOperationName, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { validateArguments } from '../operations/validate-arguments.ts'
import { splitStep } from '../plan/abort-tests.ts'
import { listNames } from '../plan/addressed.ts'
import { resolveStopAfter } from '../plan/compile-load.ts'
import { compilePhase } from '../plan/compile-phase.ts'
import { type Built, type CompileContext, createDataSet, type DataSet } from '../plan/data-set.ts'
import { calledIn, listMethods } from '../plan/phase-operations.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type Spec } from '../schema/schema.ts'
import { type Rule } from './rule.ts'

/** All values can be drawn. */
export const drawRule: Rule = {
  name: 'draws',
  reads: ['data'],
  check: (spec, report, { budget, noteUntried }) => noteUntried(tryCalls(spec, { seed: spec.seed, report, budget })),
}

/**
 * Validates drawn values: draws the first document of each data set and one call of each operation.
 * @returns Number of data sets and phases that were not tried completely because the budget was used up.
 */
function tryCalls({ data, phases }: Spec, context: CompileContext): number {
  let untried = 0
  const attempt = <Made>(make: () => Made): Made | undefined => {
    try {
      return unlessInvalid(make, context.report)
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
      untried += 1
      return undefined
    }
  }
  const dataSets = data.flatMap(
    (dataSet, i) => attempt(() => createDataSet(dataSet, ['data', i], { ...context, data })) ?? [],
  )
  // Issues of phases would only be consequences of an invalid data set.
  if (dataSets.length < data.length) return untried
  for (const [i, dataSet] of dataSets.entries()) attempt(() => tryRow(dataSet, ['data', i], context.report))
  for (const [i, phase] of phases.entries()) {
    attempt(() => tryPhase(phase, ['phases', i], dataSets, context))
    for (const { spec } of calledIn(phase)) skipRows(phase, spec, dataSets)
  }
  return untried
}

/** Maximum BSON bytes of the documents of one call: all of them are in memory at once. */
const largestCall = 512 * 1024 * 1024

function tryRow({ spec, documentOf }: DataSet, path: Path, report: Report): void {
  if (spec.rows > 0 && !documentOf && spec.file === undefined)
    report([...path, 'rows'], 'there are rows to load, but no "document" that defines them')
  const reason = documentOf && reasonAgainst(documentOf(0), spec.options?.timeseries?.timeField)
  if (reason !== undefined) report([...path, 'document'], reason)
}

function reasonAgainst({ document, bytes }: Built, time: string | undefined): string | undefined {
  if (!isDocument(document)) return 'a document is an object'
  if (time !== undefined && !(document[time] instanceof Date))
    return `must have a date in "${time}", the time field of the collection`
  return bytes > largestDocument
    ? `row 0 has ${groupDigits(bytes)} bytes of BSON; the server takes at most ${groupDigits(largestDocument)}`
    : undefined
}

/** Draws calls until each operation has been drawn; a hundred draws miss one only if its weight is tiny. */
function tryPhase(phase: PhaseSpec, path: Path, dataSets: readonly DataSet[], context: CompileContext): void {
  // The arguments of an operation that does not compile are not validated.
  const seen = new Set<unknown>()
  const report: Report = (at, ...reason) => {
    seen.add(at[path.length + 1])
    context.report(at, ...reason)
  }
  const called = calledIn(phase)
  // Every write of a bulk is another one.
  const documentsPerCall = Math.max(1, ...called.map(({ spec }) => ('operations' in spec ? spec.operations.length : 1)))
  const plan = compilePhase(phase, path, dataSets, { ...context, report })
  const calls = plan.calls('measured', { documentsPerCall })
  for (let tries = 0; tries < 100 && called.some(({ index }) => !seen.has(index)); tries++) {
    const call = calls.next()
    calls.pauseMs?.(call.number)
    const entry = called[call.operation]
    if (entry && !seen.has(entry.index))
      for (const made of [call, ...plan.firstCalls(call.operation, 1, 'exact')])
        validateCall(entry.spec, made, [...path, 'operations', entry.index], context.report)
    seen.add(entry?.index)
  }
}

function validateCall(spec: CalledSpec, call: PlannedCall, path: Path, report: Report): void {
  const { args, steps = [] } = call
  if (!('steps' in spec)) {
    validateSize(spec, call, path, report)
    return validateArguments(spec, args, path, report)
  }
  for (const [i, written] of spec.steps.entries()) {
    const { call: step } = splitStep(written)
    // Replies are unknown here, so values that depend on them may have any type.
    const made = steps[i]?.(spec.steps.map(() => emptyReply))
    if (made && !readsVariable(step as Json, new Set(spec.steps.map(getOperationName))))
      validateArguments(step, made.args, [...path, 'steps', i], report)
  }
}

function validateSize(spec: MethodOperationSpec, { bytes, documents }: PlannedCall, path: Path, report: Report): void {
  const isWhole = spec.kind === 'insertMany' && spec.documents !== undefined
  const expected = isWhole ? bytes : documents > 0 ? (bytes / documents) * countDocuments(spec) : 0
  if (expected > largestCall)
    report(
      path,
      `one call carries about ${Math.round(expected / 1024 ** 2)} MB, and may carry ${largestCall / 1024 ** 2} MB`,
    )
}

/** An upper bound for calls of a phase that ends by time: the number of rows for later phases is unknown before the run. */
const manyCalls = 2 ** 30

/** Skips the rows that an operation may insert in its phase, at most. */
function skipRows(phase: PhaseSpec, operation: CalledSpec, dataSets: readonly DataSet[]): void {
  const stopAfter = resolveStopAfter(phase)
  const find = (name: unknown): DataSet | undefined =>
    dataSets.find(({ spec }) => spec.collection === name) ?? dataSets[0]
  const calls = stopAfter.operations ?? manyCalls
  const data = dataSets.map(({ spec }) => spec)
  for (const { keyword, argument } of expressionsIn(operation as Json))
    if (keyword === '@nextRow') find(isObject(argument) ? argument['of'] : undefined)?.numbers.skip(calls)
  for (const method of listMethods(operation)) {
    const taken = stopAfter.documents ?? calls * countDocuments(method)
    for (const name of rowsTakenBy(method, data)) find(name)?.numbers.skip(taken)
  }
}

/** Number of documents that a call sends, at most. */
function countDocuments(method: MethodOperationSpec | StepSpec): number {
  if ('operations' in method) return writesPerCall(method)
  return 'documentsPerCall' in method ? method.documentsPerCall : 1
}

/** Collections whose next rows an operation inserts because it has no document of its own. */
function rowsTakenBy(method: MethodOperationSpec | StepSpec, data: Spec['data']): readonly string[] {
  if ('operations' in method)
    return listWriteModels(method)
      .filter(({ kind, model }) => kind === 'insertOne' && model['document'] === undefined)
      .flatMap(({ model }) => listNames(model.collection === undefined ? method : model, data))
  const inserts = method.kind === 'insertOne' || (method.kind === 'insertMany' && method.documents === undefined)
  return inserts && method.document === undefined ? listNames(method, data) : []
}
