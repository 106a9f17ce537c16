import { type Reply } from '../engines/engine.ts'
import { type CalledSpec, getOperation, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { type ArgumentShape } from '../operations/operation.ts'
import { type PhaseSpec } from '../spec/phase-schema.ts'
import { type Spec } from '../spec/schema.ts'
import { isDocument } from '../values/bson-types.ts'
import { isObject, type Json, type Path } from '../json.ts'
import { expressionsIn, readsVariable } from '../spec/expression.ts'
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
  if (spec.rows > 0 && !documentOf)
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
  for (let tries = 0; tries < 100 && called.some(({ index }) => !seen.has(index)); tries++) {
    const call = calls.next(1)
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

const shapes: Readonly<Record<ArgumentShape, { fits: (value: unknown) => boolean; reason: string }>> = {
  document: { fits: isDocument, reason: 'must be an object' },
  documents: { fits: areDocuments, reason: 'must be an object' },
  update: {
    fits: (value) => isOperators(value) || areDocuments(value),
    reason: 'must be update operators, such as {"$set": …}, or a pipeline',
  },
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
    const { carriesDocuments, documentsPerCall } = getOperation(method.kind)
    if (!carriesDocuments || ('document' in method && method.document !== undefined)) continue
    const perCall = documentsPerCall(method as never) ?? 1
    find(method.collection)?.skipRows(stopAfter.documents ?? calls * perCall)
  }
}
