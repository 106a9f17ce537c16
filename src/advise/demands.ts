import { type Document } from 'bson'
import { type BsonDocument, isDocument } from '../language/values/bson-types.ts'
import { type CallGroup } from '../sources/init/profile/call-groups.ts'
import { type ProfiledCall } from '../sources/init/profile/profiled-call.ts'
import { readFilter } from './predicates.ts'

/** Whether an operation changes nothing. */
export const isRead = ({ kind }: Pick<ProfiledCall, 'kind'>): boolean =>
  /^(?:find|findOne|aggregate|countDocuments|estimatedDocumentCount|distinct)$/.test(kind)

/** Request of calls of one shape to a collection. */
export type Demand = {
  readonly collection: string
  readonly filter: BsonDocument
  readonly sort: readonly (readonly [field: string, direction: 1 | -1])[]
  /** All fields that an operation needs besides its filter and order. Null: more than an index should hold. */
  readonly covered: readonly string[] | null
  readonly collation: Document | undefined
}

/** Operations of one shape, and what they ask of collections. */
export type Asking = { readonly name: string; readonly group: CallGroup; readonly demands: readonly Demand[] }

export const toAsking = (group: CallGroup): Asking => ({
  name: nameShape(group.call),
  group,
  demands: listDemands(group.call),
})

/** Names calls of one shape for people: "find {customer} sort {at}". */
export function nameShape({ kind, filter, pipeline, options }: ProfiledCall): string {
  const { key, sort } = options
  const what = pipeline === undefined ? nameKeys(filter) : pipeline.map((stage) => nameStage(stage)).join(' → ')
  const words = [kind, typeof key === 'string' ? key : '', what, isDocument(sort) ? `sort ${nameKeys(sort)}` : '']
  return words.filter((word) => word !== '').join(' ')
}

function nameStage(stage: Readonly<Record<string, unknown>>): string {
  const [name = '', value] = Object.entries(stage)[0] ?? []
  return name === '$match' || name === '$sort' ? `${name} ${nameKeys(value)}` : name
}

/** Names the fields of a filter. Alternatives are in parentheses. */
function nameKeys(value: unknown): string {
  if (!isDocument(value)) return ''
  const names = Object.entries(value).map(([key, inner]) =>
    key.startsWith('$') && Array.isArray(inner) ? `${key} (${inner.map(nameKeys).join(', ')})` : key,
  )
  return `{${names.join(', ')}}`
}

/** Lists the fields for which an index may help a demand. */
export const listFields = ({ filter, sort, covered }: Demand): ReadonlySet<string> =>
  new Set([
    ...readFilter(filter).flatMap(({ equal, lists, ranges }) => equal.concat(lists, ranges)),
    ...sort.map(([field]) => field),
    ...(covered ?? []),
  ])

/** Lists what an operation asks its own collection for, then what it asks the collections that its pipeline joins. */
export function listDemands({ kind, collection, filter, pipeline, options }: ProfiledCall): readonly Demand[] {
  // Inserts look for nothing, and a hint has chosen the index.
  if (kind.startsWith('insert') || options['hint'] !== undefined) return []
  const collation = isDocument(options['collation']) ? (options['collation'] as Document) : undefined
  if (pipeline !== undefined) return readPipeline(collection, pipeline, collation)
  const key = typeof options['key'] === 'string' ? [options['key']] : null
  const covered = key ?? readProjection(options['projection'])
  return [{ collection, filter: filter ?? {}, sort: readSort(options['sort']), covered, collation }]
}

function readSort(sort: unknown): Demand['sort'] {
  if (!isDocument(sort)) return []
  const fields = Object.entries(sort).map(([field, direction]) => [field, Number(direction) < 0 ? -1 : 1] as const)
  return Object.values(sort).some((direction) => isDocument(direction) || Number(direction) === 0) || '$natural' in sort
    ? []
    : fields
}

/** The fields that a projection shows, where it is a list of them. */
function readProjection(projection: unknown): readonly string[] | null {
  if (!isDocument(projection)) return null
  const { _id: id = 1, ...others } = projection
  const shown = Object.entries(others)
  if (shown.length === 0 || shown.some(([, value]) => value !== true && Number(value) !== 1)) return null
  return [...shown.map(([field]) => field), ...(Number(id) === 0 ? [] : ['_id'])]
}

function readPipeline(
  collection: string,
  stages: readonly BsonDocument[],
  collation: Document | undefined,
): readonly Demand[] {
  const rest = stages.findIndex((stage) => !('$match' in stage))
  const leading = stages.slice(0, rest < 0 ? stages.length : rest)
  const filters = leading.flatMap(({ $match }): readonly BsonDocument[] => (isDocument($match) ? [$match] : []))
  const next = rest < 0 ? undefined : stages[rest]
  const sort = readSort(next?.['$sort'])
  const following = sort.length > 0 ? stages[rest + 1] : next
  const [only = {}] = filters
  const filter: BsonDocument = filters.length > 1 ? { $and: filters } : only
  return [
    { collection, filter, sort, covered: readNeeded(following), collation },
    ...stages.flatMap((stage) => readJoin(stage, collation)),
  ]
}

/** The fields that are left of documents after a stage. */
function readNeeded(stage: BsonDocument | undefined): readonly string[] | null {
  if (stage === undefined) return null
  if ('$count' in stage) return []
  if (isDocument(stage['$project'])) return readProjection(stage['$project'])
  return isDocument(stage['$group']) && !JSON.stringify(stage).includes('"$$') ? [...listPaths(stage['$group'])] : null
}

/** The paths of documents that an expression names. */
function listPaths(expression: unknown): ReadonlySet<string> {
  if (typeof expression === 'string') return new Set(/^\$[^$]/.test(expression) ? [expression.slice(1)] : [])
  const inner = typeof expression === 'object' && expression !== null ? Object.values(expression) : []
  return new Set(inner.flatMap((value) => Array.from(listPaths(value))))
}

/** Lists the requests of a stage to another collection. */
function readJoin(stage: BsonDocument, collation: Document | undefined): readonly Demand[] {
  const { $lookup, $graphLookup, $unionWith } = stage
  if (isDocument($graphLookup))
    return demandFields($graphLookup['from'], { [String($graphLookup['connectToField'])]: joined }, collation)
  if (isDocument($unionWith)) return readInner($unionWith['coll'], $unionWith['pipeline'], collation)
  if (!isDocument($lookup)) return []
  const { from, foreignField, pipeline } = $lookup
  const inner = readInner(from, pipeline, collation)
  const [first] = inner
  const byField = typeof foreignField === 'string' ? { [foreignField]: joined } : {}
  const conditions = { ...byField, ...first?.filter, ...readEqualExpressions(first?.filter['$expr']) }
  const { $expr: _, ...filter } = conditions as BsonDocument
  return [...demandFields(from, filter, collation, first), ...inner.slice(1)]
}

const readInner = (from: unknown, pipeline: unknown, collation: Document | undefined): readonly Demand[] =>
  typeof from === 'string' && Array.isArray(pipeline) ? readPipeline(from, pipeline.filter(isDocument), collation) : []

/** Stands for the value of a document that is joined. */
const joined = 'of a joined document'

const demandFields = (
  from: unknown,
  filter: BsonDocument,
  collation: Document | undefined,
  first?: Demand,
): readonly Demand[] =>
  typeof from === 'string' && Object.keys(filter).length > 0
    ? [{ collection: from, filter, sort: first?.sort ?? [], covered: first?.covered ?? null, collation }]
    : []

/** The fields that `$expr` compares with a value of the document that is joined. */
function readEqualExpressions(expression: unknown): BsonDocument {
  if (!isDocument(expression)) return {}
  const { $eq, $and } = expression
  const all = Array.isArray($and) ? $and.map(readEqualExpressions) : []
  const paths = Array.isArray($eq) ? $eq.filter((one) => typeof one === 'string' && /^\$[^$]/.test(one)) : []
  return Object.assign({}, ...all, paths.length === 1 ? { [String(paths[0]).slice(1)]: joined } : {}) as BsonDocument
}
