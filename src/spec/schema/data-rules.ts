import { type Json, listParts, type Path } from '../../core/json.ts'
import { compare } from '../../language/functions/comparison.ts'
import { type Marks, type Report } from '../../language/issues.ts'
import { collectFindings } from '../../language/reasons.ts'
import { validateFixed } from '../../language/values/fixed-value.ts'
import { outputStages } from '../../language/values/keys.ts'
import { type Namespace } from '../../load/engines/intent.ts'
import { toDatabaseName } from '../../servers/targets/ownership.ts'
import { listNames } from '../plan/addressed.ts'
import { namespaceOfOutput, type Output, findPipelineOutput } from '../plan/outputs.ts'
import { methodsIn } from '../plan/phase-operations.ts'
import { listWriters } from '../plan/writers.ts'
import { type Given, type Rule } from '../rules/rule.ts'
import { findDataFile } from './data-file.ts'
import { collectionName, type DataSetSpec } from './data-schema.ts'
import { readMetadata } from './dump.ts'
import { existingNamespace, readNamespace } from './namespace.ts'
import { type PhaseSpec } from './phase-schema.ts'
import { type Spec } from './schema.ts'
import { searchServerRule, serverNeedsRule } from './server-needs.ts'

const each =
  (check: (dataSet: DataSetSpec, path: Path, report: Report, spec: Spec, given: Given) => void): Rule['check'] =>
  (spec, report, given) =>
    spec.data.forEach((dataSet, i) => check(dataSet, ['data', i], report, spec, given))

/** The rules of data: whether it can be loaded or exists, and whether writes to existing collections are allowed. */
export const dataRules: readonly Rule[] = [
  { name: 'data-files', reads: [], check: each(validateFile) },
  { name: 'existing', reads: ['target'], check: each(validateExisting) },
  { name: 'fixed-values', reads: [], check: each(validateOptions) },
  { name: 'sharding', reads: ['target'], check: each(validateSharding) },
  { name: 'balancer', reads: [], check: validateBalancer },
  serverNeedsRule,
  searchServerRule,
  { name: 'outputs', reads: ['data'], check: validateOutputs },
  { name: 'writes', reads: ['data'], check: refuseWrites },
]

function validateFile(dataSet: DataSetSpec, path: Path, report: Report, _: Spec, { folder }: Given): void {
  if (dataSet.file === undefined || folder === undefined) return
  const found = findDataFile(dataSet, folder)
  const dumped = found.reason === undefined && dataSet.metadata !== false ? readMetadata(found) : undefined
  const reason = found.reason ?? (typeof dumped === 'string' ? `"${dataSet.file}" ${dumped}` : undefined)
  if (reason !== undefined) report([...path, 'file'], reason)
}

function validateOptions({ options, indexes }: DataSetSpec, path: Path, report: Report): void {
  validateFixed((options ?? null) as Json, [...path, 'options'], report)
  validateFixed(indexes as Json, [...path, 'indexes'], report)
}

function validateExisting({ existing }: DataSetSpec, path: Path, report: Report, { target, name }: Spec): void {
  if (existing === undefined) return
  const at = [...path, 'existing']
  if (readNamespace(existing)?.database === toDatabaseName(name))
    report(at, 'is in the database that runs of this spec use, where collections are dropped')
  else if (target.kind !== 'existing')
    report(
      at,
      `a server that is started for the run does not have "${existing}": set "target": {"kind": "existing"}, or run with --uri`,
    )
}

function refuseWrites(spec: Spec, report: Report, { overrides: { allowWrites = [] } }: Given): void {
  for (const { path, keyword, namespaces } of listWriters(spec)) {
    const guarded = namespaces.flatMap(({ database, collection }) =>
      database === undefined ? [] : `${database}.${collection}`,
    )
    const name = guarded.find((other) => !allowWrites.includes(other))
    if (name !== undefined)
      report(
        path,
        `"${keyword}" would write to "${name}", which mongo-perf did not create; if that is what you want, add --allow-writes ${name}`,
        { refused: true },
      )
  }
}

/** Validates the sharding of a collection as far as that needs no server. */
function validateSharding({ sharding, options }: DataSetSpec, path: Path, report: Report, { target }: Spec): void {
  if (sharding === undefined) return
  const at = [...path, 'sharding']
  if (target.kind !== 'sharded' && target.kind !== 'existing')
    return report(
      at,
      `needs a sharded cluster, not a target of kind "${target.kind}"; set "target": {"kind": "sharded"}, or run with --uri`,
    )
  // The server would shard the collection of its buckets, whose shards and chunks are neither set nor read here.
  if (options?.['timeseries'])
    report(at, 'mongo-perf does not shard a time series: to measure one that you have sharded, name it in "existing"')
  if (target.kind === 'sharded') validateShards(sharding.chunksTo, target.shards.length, [...at, 'chunksTo'], report)
  validateOrder(sharding.splitAt as Json, [...at, 'splitAt'], report)
}

/** Refuses collections that disagree about the balancer, which works for all of a cluster. */
function validateBalancer({ data }: Spec, report: Report): void {
  const [first, ...others] = data.flatMap(({ sharding }, i) =>
    sharding?.balancer === undefined
      ? []
      : [{ path: ['data', i, 'sharding', 'balancer'], balancer: sharding.balancer }],
  )
  const other = others.find(({ balancer }) => balancer !== first?.balancer)
  if (other !== undefined) report(other.path, 'differs from another collection: a cluster has one balancer')
}

function validateShards(chunksTo: readonly number[] = [], count: number, path: Path, report: Report): void {
  for (const [i, shard] of chunksTo.entries())
    if (shard >= count) report([...path, i], `there is no shard ${shard}: the target has ${count}, counted from 0`)
}

/** Split points must rise in the server's order: it refuses to split where a chunk ends. */
function validateOrder(splitAt: Json, path: Path, report: Report): void {
  const points = validateFixed(splitAt, path, report)
  if (!Array.isArray(points)) return
  for (const [i, point] of points.entries())
    if (i > 0 && compare(values(points[i - 1]), values(point)) >= 0)
      report([...path, i], 'must be above the split point before it')
}

/** The values of a split point; its fields are those of the key. */
const values = (point: unknown): readonly unknown[] => Object.values(point as object)

/** Validates every stage that writes to a collection: it must be the last one of an aggregate, and name its collection. */
function validateOutputs(spec: Spec, report: Report): void {
  const known = new Set<string>()
  for (const { method, phase, path } of methodsIn(spec)) {
    const output = findPipelineOutput(method)
    if (output === undefined) continue
    const place = [...path, ...output.path]
    known.add(JSON.stringify(place))
    validateNamespace(output, namespaceOfOutput(output, listNames(method, spec.data)[0], spec), (reason, marks) =>
      report(place, reason, marks),
    )
    validateConcerns(output, phase, path.slice(0, 2), report)
  }
  for (const part of ['data', 'phases', 'checks'] as const)
    for (const place of listOutputStages(spec[part] as Json, [part])) {
      if (known.has(JSON.stringify(place))) continue
      const reason = `"${place.at(-1)}" may only be the last stage in the "pipeline" of an "aggregate", written out there`
      report(place, reason, { atKey: true, refused: true })
    }
}

/** Refuses concerns that the server or the driver does not support for pipelines with an output. */
function validateConcerns(
  { stage }: Output,
  { writeConcern, readConcern }: PhaseSpec,
  path: Path,
  report: Report,
): void {
  if (writeConcern.w === 0)
    report([...path, 'writeConcern', 'w'], `the driver waits for the answer of "${stage}": take 1 or more`)
  if (readConcern.level === 'linearizable')
    report([...path, 'readConcern', 'level'], `the server takes no linearizable read in front of "${stage}"`)
}

/** Refuses names that nothing may write to, whatever the command line allows. */
function validateNamespace(
  { stage }: Output,
  namespace: Namespace | undefined,
  report: (reason: string, marks?: Marks) => void,
): void {
  if (namespace === undefined)
    return report(`"${stage}" must name a collection, with nothing drawn or looked up`, { refused: true })
  const { database, collection } = namespace
  const { findings } =
    database === undefined
      ? collectFindings(collectionName, collection)
      : collectFindings(existingNamespace, `${database}.${collection}`)
  for (const { reason } of findings) report(reason)
}

/** The paths of all stages that write to a collection. */
const listOutputStages = (node: Json, path: Path): readonly Path[] =>
  listParts(node).flatMap(([step, part]) => {
    const place: Path = [...path, step]
    const within = listOutputStages(part, place)
    return (outputStages as readonly unknown[]).includes(step) ? [place].concat(within) : within
  })
