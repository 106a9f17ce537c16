import { compare } from '../../language/functions/comparison.ts'
import { type Json, type Path } from '../../core/json.ts'
import { shardKeyIndexes } from '../plan/sharding-commands.ts'
import { type DataSetSpec } from '../schema/data-schema.ts'
import { type TargetSpec } from '../../servers/targets/index.ts'
import { validateFixed, type ReportIssue } from '../../language/values/fixed-value.ts'

/**
 * Validates the sharding of a collection as far as that needs no server.
 * @param path That of the data set.
 */
export function validateSharding(
  { sharding, options, indexes }: Pick<DataSetSpec, 'sharding' | 'options' | 'indexes'>,
  target: TargetSpec,
  path: Path,
  report: ReportIssue,
): void {
  if (sharding === undefined) return
  const at = [...path, 'sharding']
  if (target.kind !== 'sharded' && target.kind !== 'existing')
    return report(
      at,
      `needs a sharded cluster, not a target of kind "${target.kind}"; set "target": {"kind": "sharded"}, or run with --uri`,
    )
  if (options?.capped === true) report(at, 'a capped collection cannot be sharded')
  const onKey = shardKeyIndexes({ sharding, indexes })
  for (const [i, index] of indexes.entries())
    if (index.unique && !onKey.includes(index))
      report([...path, 'indexes', i], `a unique index of a sharded collection must begin with its shard key`)
  if (target.kind === 'sharded')
    validateShards(sharding.chunksTo ?? [], target.shards.length, [...at, 'chunksTo'], report)
  validateOrder(sharding.splitAt as Json, [...at, 'splitAt'], report)
}

/** Refuses collections that disagree about the balancer, which works for all of a cluster. */
export function validateBalancer(data: readonly Pick<DataSetSpec, 'sharding'>[], report: ReportIssue): void {
  const [first, ...others] = data.flatMap(({ sharding }, i) =>
    sharding?.balancer === undefined
      ? []
      : [{ path: ['data', i, 'sharding', 'balancer'], balancer: sharding.balancer }],
  )
  const other = others.find(({ balancer }) => balancer !== first?.balancer)
  if (other !== undefined) report(other.path, 'differs from that of another collection: a cluster has one balancer')
}

function validateShards(chunksTo: readonly number[], count: number, path: Path, report: ReportIssue): void {
  for (const [i, shard] of chunksTo.entries())
    if (shard >= count) report([...path, i], `there is no shard ${shard}: the target has ${count}, counted from 0`)
}

/** Split points must rise in the server's order: it refuses to split where a chunk ends. */
function validateOrder(splitAt: Json, path: Path, report: ReportIssue): void {
  const points = validateFixed(splitAt, path, report)
  if (!Array.isArray(points)) return
  for (const [i, point] of points.entries())
    if (i > 0 && compare(values(points[i - 1]), values(point)) >= 0)
      report([...path, i], 'must be above the split point before it')
}

/** The values of a split point; its fields are those of the key. */
const values = (point: unknown): readonly unknown[] => Object.values(point as object)
