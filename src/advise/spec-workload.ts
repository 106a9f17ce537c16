import { resolve } from 'node:path'
import { type Db } from 'mongodb'
import { Problem } from '../core/errors.ts'
import { formatQuantity } from '../core/quantities.ts'
import { emptyReply } from '../load/engines/engine.ts'
import { type NamedArguments } from '../load/engines/intent.ts'
import { type MethodPlan, type OperationPlan, type PlannedCall } from '../load/plan/plan.ts'
import { readSamples } from '../run/data/samples.ts'
import { toDatabaseName } from '../servers/targets/ownership.ts'
import { createGrouping } from '../sources/init/profile/call-groups.ts'
import { type ProfiledCall } from '../sources/init/profile/profiled-call.ts'
import { type LoadedSpec, type Spec } from '../spec/load-spec.ts'
import { compilePhase } from '../spec/plan/compile-phase.ts'
import { createDataSet } from '../spec/plan/data-set.ts'
import { readNamespace } from '../spec/schema/namespace.ts'
import { type DataSet } from '../spec/spec-input.ts'
import { type Workload } from './workload.ts'

/** Operations that are drawn from each measured phase. */
const drawnOfPhase = 1000

/** A spec whose operations are drawn when its data are there. */
export type SpecWorkload = Workload & { readonly spec: Spec; readonly dataSets: readonly DataSet[] }

/** Makes a workload of the first row of a spec, without operations until they are drawn. */
export function workloadFromSpec({ file, name, folder, rows: [row] }: LoadedSpec): SpecWorkload {
  if (row === undefined) throw new Problem('usage', `${file} has no row`, { hint: 'Look at its "variants".' })
  const { spec, label } = row
  const existing = spec.data.flatMap((one) => readNamespace(one.existing ?? '')?.database ?? [])
  const database = existing[0] ?? toDatabaseName(name)
  const source = label === '' ? file : `${file}, ${label}`
  // A copy is one server, which has no shards.
  const dataSets = spec.data.map((one) =>
    Object.assign({}, one, { sharding: undefined }, one.file !== undefined && { file: resolve(folder, one.file) }),
  ) as readonly DataSet[]
  return { spec, dataSets, database, source, text: '', groups: [], calls: 0, seconds: null, values: 'known' }
}

/** Draws operations of each measured phase as a run of the spec does, on its data. */
export async function drawCalls(db: Db, workload: SpecWorkload): Promise<Workload> {
  const { spec } = workload
  const data = spec.data.map((one) => Object.assign({}, one, { existing: undefined }))
  // The spec was validated when it was loaded.
  const context = { seed: spec.seed, report: () => {}, data }
  const dataSets = data.map((one, i) => createDataSet(one, ['data', i], context))
  await readSamples(dataSets, spec, { client: db.client, database: db.databaseName, cache: new Map() })
  const { addCall, result } = createGrouping(workload.database)
  let calls = 0
  for (const [i, phase] of spec.phases.entries()) {
    if (!phase.measured) continue
    const plan = compilePhase(phase, ['phases', i], dataSets, context)
    const source = plan.calls('measured')
    for (let drawn = 0; drawn < drawnOfPhase && source.endedBecause() === undefined; drawn++) {
      const call = source.next()
      for (const one of listCalls(plan.operations[call.operation], call)) {
        addCall(one)
        calls++
      }
      source.answered?.(call, 1)
    }
  }
  const text = `${formatQuantity(calls, 'operation')} drawn from ${workload.source}`
  return { ...workload, groups: result().groups, calls, text }
}

/** Lists the calls that an operation makes, of those that a profile has too. */
function listCalls(operation: OperationPlan | undefined, { args, steps = [] }: PlannedCall): readonly ProfiledCall[] {
  if (operation === undefined) return []
  if (!('steps' in operation)) return toCalls(operation, args)
  return operation.steps.flatMap((step, i) => {
    const made = steps[i]?.(operation.steps.map(() => emptyReply))
    return made === undefined ? [] : toCalls(step, made.args)
  })
}

const profiled = /^(?:find|aggregate|countDocuments|estimated|distinct|insert|update|replace|delete)/

function toCalls({ kind, ...method }: MethodPlan, args: NamedArguments): readonly ProfiledCall[] {
  const { collection } = args.namespace ?? method
  const { writes = [{ kind, namespace: undefined, fields: args }] } = args
  return writes
    .filter((write) => profiled.test(write.kind))
    .map((write) => toCall(write.kind, write.namespace?.collection ?? collection, write.fields))
}

function toCall(kind: string, collection: string, fields: Partial<NamedArguments>): ProfiledCall {
  const { filter, pipeline, update, replacement, documents, key, options } = fields
  const found = {
    filter,
    pipeline,
    update: update ?? replacement,
    documents: kind.startsWith('insert') ? (documents?.length ?? 1) : undefined,
  }
  return {
    kind,
    collection,
    ...Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)),
    options: key === undefined ? (options ?? {}) : { ...options, key },
    dropped: [],
  }
}
