import { type Evaluation } from '../../metrics/evaluate.ts'
import { type VariantResult } from '../../results/schema.ts'
import { type ShardingResult } from '../../results/schema/servers.ts'
import { createServerNameColumns } from '../tables/servers.ts'
import { type PlainColumn, plainTable, withoutEmptyColumns } from '../tables/table.ts'
import { type Block, createListBlocks, tableBlock } from './block.ts'

type Collection = ShardingResult['collections'][number]

/** A row of the table: what one shard has of a collection in one row of the result. */
type Line = {
  readonly variant: VariantResult
  readonly collection: string
  readonly shard: Collection['shards'][number]
  readonly writes: number | null
}

const bytesPerMB = 1024 * 1024
/** A longer table is folded. */
const maxLines = 12

/** How the collections lay on the shards of a cluster. Empty where none was one. */
export function shardBlocks({ result, spec }: Evaluation): readonly Block[] {
  const counted = result.variants.filter(({ startUp }) => !startUp)
  const lines = counted.toSorted((a, b) => a.row - b.row).flatMap(createShardLines)
  if (lines.length === 0) return []
  const rows = new Map(lines.map(({ variant }) => [variant.row, [variant]]))
  const names = rows.size > 1 ? createServerNameColumns([...rows.values()], result, spec) : []
  const named = names.map(({ title, cell }) => ({ title, cell: ({ variant }: Line) => cell([variant]) }))
  const runs = new Set(lines.map(({ variant }) => variant.run)).size
  const ofRuns = runs > 1 ? [{ title: 'Run', cell: ({ variant }: Line) => variant.run }] : []
  const table = tableBlock(withoutEmptyColumns(plainTable('Shards', [...named, ...ofRuns, ...columns], lines)))
  const blocks = [table, ...createListBlocks([whatIsCounted])]
  if (lines.length <= maxLines) return blocks
  return [{ kind: 'folded', summary: `What each shard held (${lines.length} lines)`, blocks }]
}

const createShardLines = (variant: VariantResult): readonly Line[] =>
  (variant.sharding?.collections ?? []).flatMap(({ collection, shards }) =>
    shards.map((shard) => ({ variant, collection, shard, writes: variant.sharding?.writes[shard.shard] ?? null })),
  )

const columns: readonly PlainColumn<Line>[] = [
  { title: 'Collection', cell: ({ collection }) => collection },
  { title: 'Shard', cell: ({ shard }) => shard.shard },
  { title: 'Documents', cell: ({ shard }) => shard.documents },
  { title: 'Size (MB)', cell: ({ shard }) => shard.bytes / bytesPerMB, digits: 'significant' },
  { title: 'Chunks', cell: ({ shard }) => shard.chunks },
  { title: 'Write commands of the shard', cell: ({ writes }) => writes },
]

const whatIsCounted =
  'Documents, their size before compression, and chunks: after the last phase. Write commands: on the primary of the shard, in all measured phases and for all collections.'
