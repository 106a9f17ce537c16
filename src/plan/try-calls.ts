import { getOperation, type OperationSpec } from '../operations/index.ts'
import { type ArgumentShape } from '../operations/operation.ts'
import { type PhaseSpec } from '../spec/phase-schema.ts'
import { type Spec } from '../spec/schema.ts'
import { isDocument } from '../values/bson-types.ts'
import { type Path } from '../json.ts'
import { type Report } from '../values/scope.ts'
import { compilePhase } from './compile-phase.ts'
import { type CompileContext, createDataSet, type DataSet } from './data-set.ts'

/** Makes the document of row 0 of every data set and one call of every operation, and looks at what comes out. */
export function tryCalls({ data, phases }: Spec, context: CompileContext): void {
  const dataSets = data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  for (const [i, dataSet] of dataSets.entries()) tryRow(dataSet, ['data', i], context.report)
  for (const [i, phase] of phases.entries()) {
    tryPhase(phase, ['phases', i], dataSets, context)
    for (const operation of phase.operations) skipRows(phase, operation, dataSets)
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
  for (let tries = 0; tries < 100 && seen.size < phase.operations.length; tries++) {
    const { operation, args } = calls.next(1)
    const spec = phase.operations[operation]
    if (spec && !seen.has(operation)) checkArguments(spec, args, [...path, 'operations', operation], context.report)
    seen.add(operation)
  }
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

function checkArguments(spec: OperationSpec, args: readonly unknown[], path: Path, report: Report): void {
  for (const [i, [field, shape]] of Object.entries(getOperation(spec.kind).positional).entries()) {
    const { fits, reason } = shapes[shape]
    const isGiven = (spec as Readonly<Record<string, unknown>>)[field] !== undefined
    if (isGiven && !fits(args[i])) report([...path, field], reason)
  }
}

/** Far more than a phase of one call gives out: what later phases may pick from is not known before the run. */
const manyCalls = 2 ** 30

/** Rows that an operation takes in a whole phase, at most. */
function skipRows({ stopAfter }: PhaseSpec, operation: OperationSpec, dataSets: readonly DataSet[]): void {
  const { carriesDocuments, documentsPerCall } = getOperation(operation.kind)
  if (!carriesDocuments || ('document' in operation && operation.document !== undefined)) return
  const taken = dataSets.find(({ spec }) => spec.collection === operation.collection) ?? dataSets[0]
  const perCall = documentsPerCall(operation as never) ?? 1
  taken?.skipRows(stopAfter.documents ?? (stopAfter.operations ?? manyCalls) * perCall)
}
