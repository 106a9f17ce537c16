import { type Json, type Path, isObject } from '../../core/json.ts'
import { mixIn } from '../../core/random.ts'
import { expressionsIn, isStatic } from '../../language/expression.ts'
import { InvalidPart } from '../../language/issues.ts'
import { compileBoth, compileValue } from '../../language/values/compile.ts'
import { unshared } from '../../language/values/constant.ts'
import { type Draw, type DrawContext, type Write, createDrawContext } from '../../language/values/draw-context.ts'
import { compileLet } from '../../language/values/let.ts'
import { type ValueScope, child } from '../../language/values/scope.ts'
import type { Namespace } from '../../load/engines/intent.ts'
import type { MethodPlan } from '../../load/plan/plan.ts'
import { EncodedValue } from '../../protocol/bson/encoded.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { BsonWriter } from '../../protocol/bson/writer.ts'
import { type MethodOperationSpec, type StepSpec, getOperation, getOperationName } from '../operations/index.ts'
import type { BuildArguments, OperationContext, RowTaker } from '../operations/operation.ts'
import { type Addressed, describeCollections, isDrawn } from './addressed.ts'
import type { DataSet } from './data-set.ts'
import { determineReplyKind } from './outputs.ts'
import { getStepConcerns } from './phase-operations.ts'
import { type PhaseScope, findAddressed, operationScope } from './phase-scope.ts'
import { compileRemember } from './worker-memory.ts'

export function planMethod(spec: MethodOperationSpec | StepSpec, path: Path, phase: PhaseScope): MethodPlan {
  const { kind, carriesDocuments, documentsPerCall } = getOperation(spec.kind)
  const concerns = getStepConcerns(spec)
  return {
    name: getOperationName(spec),
    kind,
    reply: determineReplyKind(spec),
    carriesDocuments,
    documentsPerCall: documentsPerCall(spec as never),
    ...resolveMethodNamespace(spec, path, phase),
    expectDocuments: 'expectDocuments' in spec ? spec.expectDocuments : undefined,
    ...('expectErrors' in spec && { expectErrors: new Set(spec.expectErrors?.map(String)) }),
    ...((concerns.writeConcern ?? concerns.readPreference) && { concerns }),
    ...(spec.kind === 'function' && { function: spec.function }),
    ...(findsByData(spec) && { keysFromData: true }),
  }
}

/** Whether an operation finds documents by one field alone, with a value that documents of its own data set have. */
function findsByData(spec: MethodOperationSpec | StepSpec): boolean {
  const [first] = 'pipeline' in spec && Array.isArray(spec.pipeline) ? spec.pipeline : []
  const filter = 'filter' in spec ? spec.filter : isObject(first) ? first['$match'] : undefined
  if (!isObject(filter) || Object.keys(filter).length !== 1) return false
  return expressionsIn(filter).some(
    ({ keyword, argument }) => /^@(key|sample)$/.test(keyword) && !(isObject(argument) && 'of' in argument),
  )
}

/** Resolves the collection of a method: that of a data set, or a bucket of files, which is none. */
function resolveMethodNamespace(spec: MethodOperationSpec | StepSpec, path: Path, phase: PhaseScope): Namespace {
  if ('bucketName' in spec) return { database: undefined, collection: spec.bucketName }
  if (spec.kind === 'clientBulkWrite' && isDrawn(spec))
    phase.report(path, 'the writes of clientBulkWrite name their collections: none can be drawn')
  // One that is named must be there, even if it is not needed.
  const needsOne = spec.collection !== undefined || getOperation(spec.kind).needsCollection
  return findNamespace(spec, phase, (reason) => {
    if (needsOne) phase.report(spec.collection === undefined ? path : [...path, 'collection'], reason)
  })
}

const nowhere: Namespace = { database: undefined, collection: '' }

/** Finds the collection that calls work on; where each draws its own, the first of those. */
export function findNamespace(addressed: Addressed, phase: PhaseScope, report: (reason: string) => void): Namespace {
  const dataSet = findAddressed(phase, addressed, report)
  if (dataSet === undefined) return nowhere
  const { collection } = addressed
  return (typeof collection === 'string' ? dataSet.several?.get(collection) : undefined) ?? dataSet.namespace
}

/** Compiles the name of the collection that each call draws. Undefined: all work on one. */
function compileNamespace(addressed: Addressed, scope: ValueScope, phase: PhaseScope): Draw<Namespace> | undefined {
  // Why there is none has been reported with the operation.
  const { spec, several } = (isDrawn(addressed) && findAddressed(phase, addressed, () => {})) || {}
  if (spec === undefined || several === undefined) return undefined
  const at = child(scope, 'collection')
  const draw = compileValue(addressed.collection ?? null, at)
  return (drawContext) => {
    const { bytes } = drawContext
    const name = String(draw(drawContext))
    drawContext.bytes = bytes
    const found = several.get(name)
    if (found !== undefined) return found
    throw new InvalidPart(
      at.path,
      `"${name}" was drawn, and "${spec.collection}" has no such collection: it has ${describeCollections(spec)}`,
      'Draw the names that "collections" has.',
    )
  }
}

/** Compiles an operation of its own, with the values of its `let`. */
export function compileMethod(
  spec: MethodOperationSpec,
  { path, place }: { readonly path: Path; readonly place: string },
  phase: PhaseScope,
): BuildArguments {
  const given = spec.let ?? {}
  const { scope, evaluate } = compileLet(given, operationScope(phase, { place, path, addressed: spec }))
  const build = compileArguments(spec, given, scope, phase)
  const remember = compileRemember(spec.remember, scope, phase)
  if (Object.keys(given).length === 0) return build
  return (drawContext, documents) => {
    evaluate(drawContext)
    const args = build(drawContext, documents)
    remember?.(drawContext)
    return args
  }
}

/**
 * Compiles the arguments of a method, in a scope that knows the names that its values may read.
 * @param variables Those of them that the server's expressions may read too.
 */
export function compileArguments(
  spec: MethodOperationSpec | StepSpec,
  variables: Readonly<Record<string, Json>>,
  scope: ValueScope,
  phase: PhaseScope,
): BuildArguments {
  const context: OperationContext = {
    ...createValueCompiler(scope, phase.encodesInto),
    rows: (collection) => rowTaker(collection === undefined ? spec : { collection }, scope.path, phase),
    namespace: (collection) =>
      findNamespace(collection === undefined ? spec : { collection }, phase, (reason) =>
        phase.report(scope.path, reason),
      ),
  }
  const build = getOperation(spec.kind).compile({ ...spec, let: sentToServer(spec, variables) } as never, context)
  const namespaceOf = compileNamespace(spec, scope, phase)
  if (namespaceOf === undefined) return build
  return (drawContext, documents) => {
    const args = build(drawContext, documents)
    return { ...args, namespace: namespaceOf(drawContext) }
  }
}

type Values = Pick<OperationContext, 'value' | 'computed' | 'document'>

/** @param out Where values that are sent are written. Undefined: they are values of JavaScript. */
function createValueCompiler(scope: ValueScope, out: BsonWriter | undefined): Values {
  const computed: Values['computed'] = (part, ...steps) => compileValue(part, child(scope, ...steps))
  if (out === undefined) {
    const document: Values['document'] = (part, ...steps) => {
      const draw = computed(part, ...steps)
      return (drawContext) => unshared(draw(drawContext))
    }
    return { value: computed, computed, document }
  }
  const writeOf = (part: Json, steps: Path): Write => compileBoth(part, child(scope, ...steps)).write
  return {
    value: (part, ...steps) => {
      const write = writeOf(part, steps)
      return isStatic(part) ? encodedConstant(write) : encodedDraw(write, out)
    },
    computed,
    // One that is constant is written each time too: documents are sent where they stand, one behind the other.
    document: (part, ...steps) => encodedDraw(writeOf(part, steps), out),
  }
}

/** The variables that expressions of the server read, as `$$name`: the driver's option `let`. */
function sentToServer(
  spec: MethodOperationSpec | StepSpec,
  variables: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> | undefined {
  const text = JSON.stringify({ ...spec, let: undefined })
  const names = Object.keys(variables).filter((name) => new RegExp(`"\\$\\$${name}["\\.]`).test(text))
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, { '@var': name }]))
}

function rowTaker(addressed: Addressed, path: Path, phase: PhaseScope): RowTaker | undefined {
  // That it is not there has been reported with the operation.
  const dataSet = findAddressed(phase, addressed, () => {})
  const documentAt = dataSet && rowBuilder(dataSet, phase.encodesInto)
  if (!documentAt) {
    if (dataSet)
      phase.report(
        path,
        dataSet.spec.existing === undefined
          ? `there is no document to insert: give the operation or the data set "${dataSet.spec.collection}" a "document"`
          : `there is no document to insert into "${dataSet.spec.existing}": give the operation a "document"`,
      )
    return undefined
  }
  phase.noteCounted({ kind: 'rows', of: dataSet.spec.collection })
  const { numbers } = dataSet
  const first = numbers.next()
  return {
    nextDocument(drawContext) {
      const row = numbers.take(drawContext.call)
      drawContext.hash = mixIn(drawContext.hash, row - first)
      return documentAt(row, drawContext)
    },
  }
}

type RowBuilder = (row: number, drawContext: DrawContext) => unknown

/** Builds the document of a row, and adds its bytes to the moment. Undefined: there are none. */
function rowBuilder({ documentOf, writeDocument }: DataSet, out: BsonWriter | undefined): RowBuilder | undefined {
  if (out !== undefined && writeDocument !== undefined)
    return (row, drawContext) => {
      const start = out.at
      writeDocument(row, out)
      drawContext.bytes += out.at - start
      return new EncodedValue(bsonType.document, out, start, out.at)
    }
  if (documentOf === undefined) return undefined
  return (row, drawContext) => {
    const { document, bytes } = documentOf(row)
    drawContext.bytes += bytes
    return document
  }
}

/** Draws values by writing them. Their bytes count, as those of values that are drawn. */
const encodedDraw =
  (write: Write, out: BsonWriter): Draw<EncodedValue> =>
  (drawContext) => {
    const { bytes } = drawContext
    const start = out.at
    const type = write(drawContext, out)
    drawContext.bytes = bytes + out.at - start
    return new EncodedValue(type, out, start, out.at)
  }

/** A value that is the same in all calls: written once, into a writer of its own. */
function encodedConstant(write: Write): Draw<EncodedValue> {
  const made = encodedDraw(write, new BsonWriter(constantBytes))(createDrawContext())
  return (drawContext) => {
    drawContext.bytes += made.end - made.start
    return made
  }
}

/** Room for most constants; the writer grows for others. */
const constantBytes = 256
