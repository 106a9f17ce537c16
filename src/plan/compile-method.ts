import { type Namespace } from '../engines/intent.ts'
import { getOperation, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { type BuildArguments, type OperationContext, type RowTaker } from '../operations/operation.ts'
import { type Json, type Path } from '../json.ts'
import { mixIn } from '../random.ts'
import { compileValue } from '../values/compile.ts'
import { compileLet } from '../values/let.ts'
import { child, type ValueScope } from '../values/scope.ts'
import { nameOf } from './names.ts'
import { replyOf } from './outputs.ts'
import { findDataSet, operationScope, type PhaseScope } from './phase-scope.ts'
import { type MethodPlan } from './plan.ts'

/** What an engine needs to know of an operation that is one method. */
export function planMethod(spec: MethodOperationSpec | StepSpec, path: Path, phase: PhaseScope): MethodPlan {
  const { kind, carriesDocuments, documentsPerCall } = getOperation(spec.kind)
  return {
    name: nameOf(spec),
    kind,
    reply: replyOf(spec),
    carriesDocuments,
    documentsPerCall: documentsPerCall(spec as never),
    ...namespaceOf(spec, path, phase),
    expectDocuments: 'expectDocuments' in spec ? spec.expectDocuments : undefined,
  }
}

/** Where a method works: on the collection of a data set, or on a bucket of files, which is none. */
function namespaceOf(spec: MethodOperationSpec | StepSpec, path: Path, phase: PhaseScope): Namespace {
  if ('bucketName' in spec) return { database: undefined, collection: spec.bucketName }
  // One that is named must be there, even if it is not needed.
  const needsOne = spec.collection !== undefined || getOperation(spec.kind).needsCollection
  const dataSet = findDataSet(phase, spec.collection, (reason) => {
    if (needsOne) phase.report(spec.collection === undefined ? path : [...path, 'collection'], reason)
  })
  return dataSet?.namespace ?? { database: undefined, collection: '' }
}

/** Compiles an operation of its own, with the values of its `let`. */
export function compileMethod(
  spec: MethodOperationSpec,
  { path, place }: { readonly path: Path; readonly place: string },
  phase: PhaseScope,
): BuildArguments {
  const given = spec.let ?? {}
  const { scope, evaluate } = compileLet(given, operationScope(phase, { place, path, collection: spec.collection }))
  const build = compileArguments(spec, given, scope, phase)
  if (Object.keys(given).length === 0) return build
  return (moment, documents) => {
    evaluate(moment)
    return build(moment, documents)
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
    value: (part, ...steps) => compileValue(part, child(scope, ...steps)),
    rows: (collection = spec.collection) => rowTaker(collection, scope.path, phase),
    namespace: (collection = spec.collection) =>
      findDataSet(phase, collection, (reason) => phase.report(scope.path, reason))?.namespace,
  }
  return getOperation(spec.kind).compile({ ...spec, let: sentToServer(spec, variables) } as never, context)
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

function rowTaker(collection: string | undefined, path: Path, phase: PhaseScope): RowTaker | undefined {
  // That it is not there has been reported with the operation.
  const dataSet = findDataSet(phase, collection, () => {})
  const documentOf = dataSet?.documentOf
  if (!documentOf) {
    if (dataSet)
      phase.report(
        path,
        dataSet.spec.existing === undefined
          ? `nothing says what to insert: give the operation or the data set "${dataSet.spec.collection}" a "document"`
          : `nothing says what to insert into "${dataSet.spec.existing}": give the operation a "document"`,
      )
    return undefined
  }
  phase.noteCounted({ kind: 'rows', of: dataSet.spec.collection })
  const { numbers } = dataSet
  const first = numbers.next()
  return {
    nextDocument(moment) {
      const row = numbers.take(moment.call)
      const { document, bytes } = documentOf(row)
      moment.bytes += bytes
      moment.hash = mixIn(moment.hash, row - first)
      return document
    },
  }
}
