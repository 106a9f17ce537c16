import { readReplies } from '../engines/engine.ts'
import { type Path } from '../json.ts'
import { modelsOf } from '../operations/bulk-models.ts'
import { getOperation, isCalled, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { type Spec } from '../spec/schema.ts'
import { methodsOf } from './phase-operations.ts'

/** An operation or step that may change collections. */
export type Writer = {
  readonly path: Path
  readonly kind: string
  /** Names in "data". */
  readonly collections: readonly string[]
}

/** Every call of a row that may write, warm-ups and set-up phases included. An operation that might write does. */
export function writersOf({ data, phases }: Pick<Spec, 'data' | 'phases'>): readonly Writer[] {
  const names = data.map(({ collection }) => collection)
  return phases.flatMap(({ operations }, p) =>
    operations.flatMap((operation, o) => {
      const path = ['phases', p, 'operations', o]
      if (!isCalled(operation)) return []
      if (operation.kind !== 'steps') return writerOf(operation, path, names)
      return operation.steps.flatMap((step, s) => writerOf(step, [...path, 'steps', s], names))
    }),
  )
}

function writerOf(spec: MethodOperationSpec | StepSpec, path: Path, names: readonly string[]): readonly Writer[] {
  if (readReplies.has(getOperation(spec.kind).reply)) return []
  return [{ path, kind: spec.kind, collections: writtenBy(spec, names) }]
}

function writtenBy(spec: MethodOperationSpec | StepSpec, names: readonly string[]): readonly string[] {
  // A data set may look into a bucket, whose collections have ordinary names.
  if ('bucketName' in spec) return [`${spec.bucketName}.files`, `${spec.bucketName}.chunks`]
  const own = spec.collection ?? names[0] ?? ''
  return spec.kind === 'clientBulkWrite' ? modelsOf(spec).map(({ model }) => model.collection ?? own) : [own]
}

/** Whether a row works with files, which lie in collections of ours. */
export const usesBuckets = ({ phases }: Pick<Spec, 'phases'>): boolean =>
  phases.some(({ operations }) =>
    operations
      .filter(isCalled)
      .flatMap(methodsOf)
      .some((method) => 'bucketName' in method),
  )
