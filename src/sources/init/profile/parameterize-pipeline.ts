import { type Json } from '../../../core/json.ts'
import { type BsonDocument, isDocument, getMember } from '../../../language/values/bson-types.ts'
import { isUsableKey } from '../../../language/values/keys.ts'
import { literal } from '../collection/kinds.ts'
import { CannotParameterize, createNumberChoice, parameterizeFilter, type Place } from './parameterize-filter.ts'
import { type ProfiledCall } from './profiled-call.ts'

/** Stages that do not change documents. */
const keeping: ReadonlySet<string> = new Set(['$match', '$sort', '$limit', '$skip'])

/** Stages that read the server rather than a collection. */
const ofServer: ReadonlySet<string> = new Set([
  '$changeStream',
  '$collStats',
  '$indexStats',
  '$currentOp',
  '$listSessions',
  '$listLocalSessions',
  '$planCacheStats',
])

/** A pipeline whose first filters are parameterized; the other stages stay as they are. */
export function parameterizePipeline(pipelines: readonly (readonly BsonDocument[])[], place: Place): readonly Json[] {
  const [pipeline = []] = pipelines
  const firstChange = pipeline.findIndex((stage) => !keeping.has(Object.keys(stage)[0] ?? ''))
  return pipeline.map((stage, i) => {
    const [[name, operand] = ['', null]] = Object.entries(stage)
    if (ofServer.has(name)) throw new CannotParameterize('they read the server, not a collection')
    const isEarly = firstChange === -1 || i < firstChange
    if (name === '$match' && isEarly && isDocument(operand))
      return {
        $match: parameterizeFilter(
          pipelines.map((one) => one[i]?.['$match'] as BsonDocument),
          place,
        ),
      }
    refuseKeys(stage)
    return withNumbers(pipelines.map((one) => one[i]))
  })
}

/** A value of which all examples have the same shape, with the numbers of `$skip` and `$limit` drawn at any depth. */
function withNumbers(examples: readonly unknown[]): Json {
  const [first] = examples
  if (Array.isArray(first)) return first.map((_, i) => withNumbers(examples.map((one) => getMember(one, String(i)))))
  if (!isDocument(first)) return literal(first)
  return Object.fromEntries(
    Object.keys(first).map((key) => {
      const values = examples.map((one) => getMember(one, key))
      return [key, (paging.has(key) && createNumberChoice(values)) || withNumbers(values)]
    }),
  )
}

const paging: ReadonlySet<string> = new Set(['$skip', '$limit'])

/** Refuses keys that a spec does not allow, such as `$out`, and keys that the spec language reserves. */
export function refuseKeys(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(refuseKeys)
  if (!isDocument(value)) return
  for (const [key, item] of Object.entries(value)) {
    if (!isUsableKey(key)) throw new CannotParameterize(`they use the key "${key}"`)
    refuseKeys(item)
  }
}

export function isCopyable(value: unknown): boolean {
  try {
    refuseKeys(value)
    return true
  } catch {
    return false
  }
}

export function collectionsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(collectionsIn)
  if (!isDocument(value)) return []
  const own = [
    value['$unionWith'],
    getMember(value['$unionWith'], 'coll'),
    ...joins.map((stage) => getMember(value[stage], 'from')),
  ]
  const names = own.filter((name) => typeof name === 'string')
  return names.concat(Object.values(value).flatMap(collectionsIn))
}

const joins = ['$lookup', '$graphLookup']

/** The fields by which a pipeline looks up `_id`s of other collections. */
export const joinsIn = (pipeline: ProfiledCall['pipeline'] = []): readonly string[] =>
  pipeline.flatMap(({ $lookup }) => {
    const field = getMember($lookup, 'foreignField') === '_id' ? getMember($lookup, 'localField') : undefined
    return typeof field === 'string' ? [field] : []
  })
