import { type Reply } from '../engines/engine.ts'
import { type CalledSpec, getOperation, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { type BulkSpec, modelShapes, modelsOf, writesPerCall } from '../operations/bulk-models.ts'
import { type ArgumentShape } from '../operations/operation.ts'
import { type PhaseSpec } from '../spec/phase-schema.ts'
import { type Spec } from '../spec/schema.ts'
import { isDocument } from '../values/bson-types.ts'
import { isObject, type Json, type Path } from '../json.ts'
import { expressionsIn, readsVariable } from '../language/expression.ts'
import { type Report } from '../values/scope.ts'
import { compilePhase } from './compile-phase.ts'
import { nameOf } from './names.ts'
import { calledIn } from './phase-operations.ts'
import { type PlannedCall } from './plan.ts'
import { type CompileContext, createDataSet, type DataSet } from './data-set.ts'

/** Makes the document of row 0 of every data set and one call of every operation, and looks at what comes out. */
export function tryCalls({ data, phases }: Spec, context: CompileContext): void {
  const dataSets = data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  for (const [i, dataSet] of dataSets.entries()) tryRow(dataSet, ['data', i], context.report)
  for (const [i, phase] of phases.entries()) {
    tryPhase(phase, ['phases', i], dataSets, context)
    for (const { spec } of calledIn(phase)) skipRows(phase, spec, dataSets)
  }
}

/** Largest document that the server takes. */
const largestDocument = 16 * 1024 * 1024

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

function checkCall(spec: CalledSpec, { args, steps = [] }: PlannedCall, path: Path, report: Report): void {
  if (spec.kind !== 'steps') return checkArguments(spec, args, path, report)
  for (const [i, step] of spec.steps.entries()) {
    // What a server would reply is not known here, so what is made of replies may have any shape.
    const made = steps[i]?.(spec.steps.map(() => noReply))
    if (made && !readsVariable(step as Json, new Set(spec.steps.map(nameOf))))
      checkArguments(step, made.args, [...path, 'steps', i], report)
  }
}

const noReply: Reply = {
  documents: 0,
  bytes: 0,
  matched: 0,
  modified: 0,
  upserted: 0,
  inserted: 0,
  deleted: 0,
  document: null,
}

const isOperators = (value: unknown): boolean =>
  isDocument(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => key.startsWith('$'))

const areDocuments = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isDocument)

const isReplacement = (value: unknown): boolean => isDocument(value) && !Object.keys(value)[0]?.startsWith('$')

const areStages = (value: unknown): boolean => Array.isArray(value) && value.every(isDocument)

const shapes: Readonly<Record<ArgumentShape, { fits: (value: unknown) => boolean; reason: string }>> = {
  document: { fits: isDocument, reason: 'must be an object' },
  documents: { fits: areDocuments, reason: 'must be an object' },
  update: {
    fits: (value) => isOperators(value) || areDocuments(value),
    reason: 'must be update operators, such as {"$set": …}, or a pipeline',
  },
  replacement: { fits: isReplacement, reason: 'must be an object without update operators, such as {"$set": …}' },
  stages: { fits: areStages, reason: 'must be a list of stages, such as {"$match": …}' },
  // They are looked at one by one.
  writes: { fits: Array.isArray, reason: 'must be a list' },
  text: { fits: (value) => typeof value === 'string', reason: 'must be a text' },
  // What is no size has no content.
  content: { fits: Array.isArray, reason: 'must be a number of KB, 0 to 16777216' },
}

function checkArguments(
  spec: MethodOperationSpec | StepSpec,
  args: readonly unknown[],
  path: Path,
  report: Report,
): void {
  for (const [i, [field, shape]] of Object.entries(getOperation(spec.kind).positional).entries()) {
    const { fits, reason } = shapes[shape]
    const isGiven = (spec as Readonly<Record<string, unknown>>)[field] !== undefined
    if (isGiven && !fits(args[i])) report([...path, field], reason)
  }
  if ('operations' in spec) checkWrites(spec, args[0] as readonly Written[], path, report)
}

/** A write of a bulk as the driver takes it: its parts stand in it, or under its kind. */
type Written = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

function checkWrites(spec: BulkSpec, writes: readonly Written[], path: Path, report: Report): void {
  for (const [i, { kind, model }] of modelsOf(spec).entries()) {
    const written = writes[i]?.[kind] ?? writes[i]
    for (const [field, shape] of Object.entries(modelShapes))
      if (written && model[field] !== undefined && !shapes[shape].fits(written[field]))
        report([...path, 'operations', i, kind, field], shapes[shape].reason)
  }
}

/** Far more than a phase of one call gives out: what later phases may pick from is not known before the run. */
const manyCalls = 2 ** 30

/** Rows that an operation takes in a whole phase, at most. */
function skipRows({ stopAfter }: PhaseSpec, operation: CalledSpec, dataSets: readonly DataSet[]): void {
  const find = (name: unknown): DataSet | undefined =>
    dataSets.find(({ spec }) => spec.collection === name) ?? dataSets[0]
  const calls = stopAfter.operations ?? manyCalls
  for (const { word, argument } of expressionsIn(operation as Json))
    if (word === '@nextRow') find(isObject(argument) ? argument['of'] : undefined)?.skipRows(calls)
  for (const method of operation.kind === 'steps' ? operation.steps : [operation]) {
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
