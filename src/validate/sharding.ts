import { compare } from '../functions/comparison.ts'
import { type Json, type Path } from '../json.ts'
import { type DataSetSpec } from '../schema/data-schema.ts'
import { type TargetSpec } from '../targets/index.ts'
import { validateFixed, type Tell } from './fixed.ts'

/**
 * What can be said without a server of how a collection is sharded.
 * @param path Of the data set.
 */
export function validateSharding(
  { sharding, options }: Pick<DataSetSpec, 'sharding' | 'options'>,
  target: TargetSpec,
  path: Path,
  tell: Tell,
): void {
  if (sharding === undefined) return
  const at = [...path, 'sharding']
  if (target.kind !== 'sharded' && target.kind !== 'existing')
    return tell(
      at,
      `needs a sharded cluster, not a target of kind "${target.kind}"; say "target": {"kind": "sharded"}, or run with --uri`,
    )
  if (options?.capped === true) tell(at, 'a capped collection cannot be sharded')
  if (target.kind === 'sharded') checkShards(sharding.chunksTo ?? [], target.shards.length, [...at, 'chunksTo'], tell)
  checkOrder(sharding.splitAt as Json, [...at, 'splitAt'], tell)
}

function checkShards(chunksTo: readonly number[], count: number, path: Path, tell: Tell): void {
  for (const [i, shard] of chunksTo.entries())
    if (shard >= count) tell([...path, i], `there is no shard ${shard}: the target has ${count}, counted from 0`)
}

/** As the server orders them, which refuses to split where a chunk ends. */
function checkOrder(splitAt: Json, path: Path, tell: Tell): void {
  const points = validateFixed(splitAt, path, tell)
  if (!Array.isArray(points)) return
  for (const [i, point] of points.entries())
    if (i > 0 && compare(values(points[i - 1]), values(point)) >= 0)
      tell([...path, i], 'must be above the split point before it')
}

/** Without the names of the fields, which are those of the key. */
const values = (point: unknown): readonly unknown[] => Object.values(point as object)
