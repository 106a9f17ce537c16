import { type Json, type JsonObject } from '../../core/json.ts'
import { type DataSetSpec } from '../schema/data-schema.ts'

export type ShardingSpec = NonNullable<DataSetSpec['sharding']>

type ShardingRequest = {
  /** "database.collection" */
  readonly namespace: string
  readonly spec: ShardingSpec
  /** Names of the shards, in the order in which `chunksTo` counts them. */
  readonly shards: readonly string[]
  /** Whether the balancer of the cluster is to work afterwards. Undefined: it is not ours to switch. */
  readonly balancer: boolean | undefined
  /** Whether the collection has a collation: a shard key knows none. */
  readonly hasCollation: boolean
}

/**
 * The indexes that a shard key needs, and that have to be there before it: the server makes a plain one of the same name where
 * there is none, which neither becomes unique afterwards nor can be dropped.
 */
export const shardKeyIndexes = ({
  indexes,
  sharding,
}: Pick<DataSetSpec, 'indexes' | 'sharding'>): DataSetSpec['indexes'] =>
  sharding === undefined ? [] : indexes.filter(({ key }) => beginsWith(key, sharding.key))

function beginsWith(key: object, prefix: object): boolean {
  const entries = Object.entries(key)
  return Object.entries(prefix).every((entry, i) => String(entry) === String(entries[i]))
}

/** The one decision about the balancer of a cluster: a collection that is to stay where it is goes before those that say nothing. */
export function balancerFor(data: readonly Pick<DataSetSpec, 'sharding'>[]): boolean | undefined {
  const said = data.flatMap(({ sharding }) => sharding?.balancer ?? [])
  return said.length === 0 ? undefined : !said.includes(false)
}

/** Values of the fields of the key. */
type Point = JsonObject

/**
 * Lists the commands that a router is sent, in this order, to shard an empty collection: admin commands as Extended
 * JSON. Splits and moves go from the last chunk to the first. The balancer rests until all is in its place.
 */
export function shardingCommands(request: ShardingRequest): readonly JsonObject[] {
  const { namespace, spec, balancer, hasCollation } = request
  return [
    ...(balancer === undefined ? [] : [{ balancerStop: 1 }]),
    { enableSharding: databaseIn(namespace) },
    { shardCollection: namespace, key: spec.key, ...(hasCollation && { collation: { locale: 'simple' } }) },
    ...spec.splitAt.toReversed().map((middle) => ({ split: namespace, middle })),
    ...createMoveChunkCommands(request),
    ...(balancer === true ? [{ balancerStart: 1 }] : []),
  ]
}

const databaseIn = (namespace: string): string => namespace.slice(0, namespace.indexOf('.'))

function createMoveChunkCommands({ namespace, spec, shards }: ShardingRequest): readonly JsonObject[] {
  const { key, chunksTo = [] } = spec
  const chunks = namesOfChunks(Object.keys(key), spec.splitAt)
  return chunksTo.map((shard, chunk) => createMoveChunkCommand(namespace, chunks[chunk], shards[shard])).toReversed()
}

const createMoveChunkCommand = (namespace: string, chunk: JsonObject = {}, shard: string = ''): JsonObject => ({
  moveChunk: namespace,
  ...chunk,
  to: shard,
})

/** How a command names each chunk: by a point inside of it where one can be computed, else by its bounds. */
function namesOfChunks(fields: readonly string[], points: readonly Point[]): readonly JsonObject[] {
  if (points.length > 1 && points.every(isNumericPoint)) return insideOfChunks(fields, points).map((find) => ({ find }))
  const end = (value: Json): Point => Object.fromEntries(fields.map((field) => [field, value]))
  const edges = [end({ $minKey: 1 }), ...points, end({ $maxKey: 1 })]
  return edges.slice(1).map((upper, chunk) => ({ bounds: [edges[chunk] ?? upper, upper] }))
}

const isNumericPoint = (point: Point): boolean => Object.values(point).every((value) => typeof value === 'number')

/** Halfway between split points; the first and the last chunk are taken to be as wide as their neighbours. */
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

/** Returns the value as far before the first one as the second is behind it. */
const mirrored = ([first = 0, second = 0]: readonly number[]): number => 2 * first - second

/** Without the last digits of a double, which are noise: 19.2, not 19.200000000000003. */
const halfway = (a: number, b: number): number => Number(((a + b) / 2).toPrecision(15))
