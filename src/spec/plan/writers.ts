import { type Path } from '../../core/json.ts'
import { type Namespace } from '../../load/engines/intent.ts'
import { replyTraits } from '../../load/engines/reply-traits.ts'
import { listWriteModels } from '../operations/bulk-models.ts'
import { type CalledSpec, getOperation, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { readNamespace } from '../schema/namespace.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type Spec } from '../schema/schema.ts'
import { listNames } from './addressed.ts'
import { namespaceOfOutput, findPipelineOutput } from './outputs.ts'
import { calledIn, type MethodAt, methodsIn, listWriteConcerns } from './phase-operations.ts'

/** An operation, a step or the last stage of a pipeline that may change collections. */
export type Writer = {
  readonly operation: CalledSpec
  readonly path: Path
  /** Its word in the spec. */
  readonly keyword: string
  readonly namespaces: readonly Namespace[]
  /** Whether it can only change documents that are there: it adds none and removes none. */
  readonly onlyUpdates: boolean
  /** Whether it inserts documents, and their number is known even if nothing is acknowledged. */
  readonly inserts: boolean
}

type Written = Pick<Spec, 'name' | 'data' | 'phases'>

/** Every call of a row that may write, warm-ups and set-up phases included. An operation that might write does. */
export const listWriters = (spec: Written): readonly Writer[] =>
  methodsIn(spec).flatMap((called) => findMethodWriters(called, spec))

/** The write concerns with which a row adds documents to a collection or takes some away. */
export const writeConcernsOfChanges = (collection: string, spec: Written): readonly PhaseSpec['writeConcern'][] =>
  spec.phases.flatMap((phase) =>
    calledIn(phase).flatMap(({ spec: operation }) => {
      const writers = listWriters({ ...spec, phases: [{ ...phase, operations: [operation] }] })
      const mayChange = writers.some(
        ({ namespaces, onlyUpdates }) =>
          !onlyUpdates && namespaces.some((namespace) => namespace.collection === collection),
      )
      return mayChange ? listWriteConcerns(operation, phase) : []
    }),
  )

function findMethodWriters({ method, operation, path }: MethodAt, spec: Written): readonly Writer[] {
  const output = findPipelineOutput(method)
  if (output) {
    const namespace = namespaceOfOutput(output, listNames(method, spec.data)[0], spec)
    const place = { operation, path: [...path, ...output.path], keyword: output.stage }
    return namespace ? [{ ...place, namespaces: [namespace], onlyUpdates: false, inserts: false }] : []
  }
  const { writes, inserts } = replyTraits[getOperation(method.kind).reply]
  if (!writes) return []
  return [
    {
      operation,
      path,
      keyword: method.kind,
      namespaces: writtenBy(method, spec),
      onlyUpdates: onlyUpdates(method),
      inserts,
    },
  ]
}

const updates: ReadonlySet<string> = new Set(['updateOne', 'updateMany', 'findOneAndUpdate'])

const onlyUpdates = (method: MethodOperationSpec | StepSpec): boolean =>
  method.kind === 'bulkWrite' || method.kind === 'clientBulkWrite'
    ? listWriteModels(method).every(({ kind, model }) => isUpdate(kind, model))
    : isUpdate(method.kind, method)

const isUpdate = (kind: string, fields: object): boolean =>
  updates.has(kind) && !('upsert' in fields && fields.upsert === true)

function writtenBy(method: MethodOperationSpec | StepSpec, { data }: Written): readonly Namespace[] {
  // A data set may look into a bucket, whose collections have ordinary names.
  if ('bucketName' in method)
    return ['files', 'chunks'].map((part) => ({ database: undefined, collection: `${method.bucketName}.${part}` }))
  if (method.kind === 'function') return data.map(({ collection }) => findCollectionNamespace(collection, data))
  const own = listNames(method, data)
  const names =
    method.kind === 'clientBulkWrite'
      ? listWriteModels(method).flatMap(({ model }) => (model.collection === undefined ? own : listNames(model, data)))
      : own
  return names.map((name) => findCollectionNamespace(name, data))
}

/** Finds the namespace of the collection that operations call by a name. */
function findCollectionNamespace(name: string, data: Spec['data']): Namespace {
  const { existing = '' } = data.find(({ collection }) => collection === name) ?? {}
  return readNamespace(existing) ?? { database: undefined, collection: name }
}

/** Whether a row works with files, which lie in collections of ours. */
export const usesBuckets = (spec: Pick<Spec, 'phases'>): boolean =>
  methodsIn(spec).some(({ method }) => 'bucketName' in method)

/** Collections of ours that only the outputs of pipelines make. */
export function madeByOutputs(spec: Written): ReadonlySet<string> {
  const ofData = new Set(spec.data.filter(({ existing }) => existing === undefined).map(({ collection }) => collection))
  const outputs = listWriters(spec).filter(({ keyword }) => keyword.startsWith('$'))
  const names = outputs.flatMap(({ namespaces }) =>
    namespaces.flatMap(({ database, collection }) => (database === undefined ? collection : [])),
  )
  return new Set(names.filter((name) => !ofData.has(name)))
}
