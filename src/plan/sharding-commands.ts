import { type Json, type JsonObject } from '../json.ts'
import { type DataSetSpec } from '../schema/data-schema.ts'

/** The sharding of a collection, as in the spec. */
export type ShardingSpec = NonNullable<DataSetSpec['sharding']>

type ShardingRequest = {
  /** "database.collection" */
  readonly namespace: string
  readonly spec: ShardingSpec
  /** Names of the shards, in the order in which `chunksTo` counts them. */
  readonly shards: readonly string[]
  /** Whether the balancer of the cluster is ours to switch. */
  readonly ownsBalancer: boolean
  /** Whether the collection has a collation: a shard key knows none. */
  readonly hasCollation: boolean
}

/** Values of the fields of the key. */
type Point = JsonObject

/**
 * What a router is sent, in this order, to shard an empty collection: admin commands as Extended JSON. Splits and moves go
 * from the last chunk to the first. The balancer rests until all is in its place.
 */
export function shardingCommands(request: ShardingRequest): readonly JsonObject[] {
  const { namespace, spec, ownsBalancer, hasCollation } = request
  return [
    ...(ownsBalancer ? [{ balancerStop: 1 }] : []),
    { enableSharding: databaseIn(namespace) },
    { shardCollection: namespace, key: spec.key, ...(hasCollation && { collation: { locale: 'simple' } }) },
    ...spec.splitAt.toReversed().map((middle) => ({ split: namespace, middle })),
    ...movesOf(request),
    ...(ownsBalancer && spec.balancer !== false ? [{ balancerStart: 1 }] : []),
  ]
}

const databaseIn = (namespace: string): string => namespace.slice(0, namespace.indexOf('.'))

function movesOf({ namespace, spec, shards }: ShardingRequest): readonly JsonObject[] {
  const { key, chunksTo = [] } = spec
  const chunks = namesOfChunks(Object.keys(key), spec.splitAt)
  return chunksTo.map((shard, chunk) => moveOf(namespace, chunks[chunk], shards[shard])).toReversed()
}

const moveOf = (namespace: string, chunk: JsonObject = {}, shard: string = ''): JsonObject => ({
  moveChunk: namespace,
  ...chunk,
  to: shard,
})

/** How a command names each chunk: by a point inside of it where one can be computed, else by its bounds. */
function namesOfChunks(fields: readonly string[], points: readonly Point[]): readonly JsonObject[] {
  if (points.length > 1 && points.every(isOfNumbers)) return insideOfChunks(fields, points).map((find) => ({ find }))
  const end = (value: Json): Point => Object.fromEntries(fields.map((field) => [field, value]))
  const edges = [end({ $minKey: 1 }), ...points, end({ $maxKey: 1 })]
  return edges.slice(1).map((upper, chunk) => ({ bounds: [edges[chunk] ?? upper, upper] }))
}

const isOfNumbers = (point: Point): boolean => Object.values(point).every((value) => typeof value === 'number')

/** Halfway between split points; the first and the last chunk are taken to be as wide as those beside them. */
function insideOfChunks(fields: readonly string[], points: readonly Point[]): readonly Point[] {
  const middles = fields.map((field) => {
    const values = points.map((point) => Number(point[field]))
    const edges = [mirrored(values), ...values, mirrored(values.toReversed())]
    return edges.slice(1).map((upper, chunk) => halfway(edges[chunk] ?? upper, upper))
  })
  return [...points, {}].map((_, chunk) =>
    Object.fromEntries(fields.map((field, i) => [field, middles[i]?.[chunk] ?? 0])),
  )
}

/** As far before the first value as the second is behind it. */
const mirrored = ([first = 0, second = 0]: readonly number[]): number => 2 * first - second

/** Without the last digits of a double, which are noise: 19.2, not 19.200000000000003. */
const halfway = (a: number, b: number): number => Number(((a + b) / 2).toPrecision(15))
