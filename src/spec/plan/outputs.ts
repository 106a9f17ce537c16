import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { outputStages } from '../../language/values/keys.ts'
import { type Namespace } from '../../load/engines/intent.ts'
import { type ReplyKind } from '../../load/engines/reply-traits.ts'
import { toDatabaseName } from '../../servers/targets/ownership.ts'
import { getOperation, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { readNamespace } from '../schema/namespace.ts'
import { type Spec } from '../schema/schema.ts'

/** The stage with which an aggregate writes to a collection. */
export type Output = {
  readonly stage: (typeof outputStages)[number]
  /** From the operation to the stage. */
  readonly path: Path
  readonly argument: Json
}

/** The server takes such a stage only at the end of the pipeline. */
export function findPipelineOutput(spec: MethodOperationSpec | StepSpec): Output | undefined {
  if (spec.kind !== 'aggregate' || !Array.isArray(spec.pipeline)) return undefined
  const stages = spec.pipeline as readonly Json[]
  const last = stages.at(-1) ?? null
  const stage = isObject(last) ? outputStages.find((name) => Object.hasOwn(last, name)) : undefined
  if (stage === undefined) return undefined
  return { stage, path: ['pipeline', stages.length - 1, stage], argument: (last as JsonObject)[stage] ?? null }
}

/** The kind of reply to an operation or step; `output` for a pipeline that writes its output. */
export const determineReplyKind = (spec: MethodOperationSpec | StepSpec): ReplyKind =>
  findPipelineOutput(spec) === undefined ? getOperation(spec.kind).reply : 'output'

/** Finds the namespace that an output goes to. Undefined when it is not written out. */
export function namespaceOfOutput(
  { stage, argument }: Output,
  source: string | undefined,
  { data, name }: Pick<Spec, 'data' | 'name'>,
): Namespace | undefined {
  const into = stage === '$merge' && isObject(argument) ? (argument['into'] ?? null) : argument
  const { db = findDatabase(source, data) ?? toDatabaseName(name), coll }: JsonObject = isObject(into)
    ? into
    : { coll: into }
  if (typeof db !== 'string' || typeof coll !== 'string') return undefined
  return { database: db === toDatabaseName(name) ? undefined : db, collection: coll }
}

/** An output without a database goes to that of the collection that it reads, which may belong to others. */
function findDatabase(source: string | undefined, data: Spec['data']): string | undefined {
  const from = source === undefined ? data[0] : data.find(({ collection }) => collection === source)
  return readNamespace(from?.existing ?? '')?.database
}
