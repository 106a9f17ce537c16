import { type FieldReader } from '../../protocol/bson/field-reader.ts'
import { bsonType } from '../../protocol/bson/types.ts'

/** A place in a command: what is kept of values there, and the places below it, by their names. */
export type Place = {
  /** Whether a value is kept as it is. Default: it is hidden. */
  readonly keeps?: (value: FieldReader) => boolean
  /** The place that counts for what is not kept. Items of arrays are asked one by one. */
  readonly otherwise?: string
  /** Places under keys. Undefined: none is known, and keys are not read. */
  readonly fields?: ReadonlyMap<string, string>
  /** The place under other keys. Default: this one. */
  readonly rest?: string
  /** The place of items of an array. Default: this one. */
  readonly items?: string
}

const split = (text: string): readonly string[] => text.trim().split(/\s+/)

const numeric: ReadonlySet<number> = new Set([bsonType.int32, bsonType.int64, bsonType.double])
const isNumber = ({ type }: FieldReader): boolean => numeric.has(type)
/** Counts and codes are short. */
const isShort = ({ type }: FieldReader): boolean => type === bsonType.int32
const isName = ({ type }: FieldReader): boolean => type === bsonType.string

/** Words of the language: types, units, modes and levels. */
const words: ReadonlySet<string> = new Set(
  split(`double string object array binData undefined objectId bool date null regex dbPointer javascript symbol javascriptWithScope
  int timestamp long decimal minKey maxKey number missing int32 year quarter week month day hour minute second millisecond monday tuesday
  wednesday thursday friday saturday sunday mon tue wed thu fri sat sun text hashed 2d 2dsphere textScore indexKey sortKey randVal
  searchScore geoNearDistance majority local available linearizable snapshot primary primaryPreferred secondary secondaryPreferred nearest
  queryPlanner executionStats allPlansExecution replace keepExisting merge fail insert discard full partition unbounded current locf linear
  approximate seconds minutes hours default updateLookup whenAvailable required off strict moderate error warn upper lower non-ignorable
  shifted punct space js 1`),
)
/** A format of dates, or a time zone. */
const ofDates =
  /^(?:(?:%[A-Za-z%]|[-:.,/ TZ])+|[+-]\d\d:?\d\d|UTC|GMT|(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific|US)\/[\w+/-]{1,30})$/
const maxWordBytes = 40
const isWord = (value: FieldReader): boolean =>
  value.end - value.start < maxWordBytes && (words.has(value.text()) || ofDates.test(value.text()))

const isCode = (value: FieldReader): boolean => isShort(value) || isWord(value)

/** A path of fields, or a variable. Others are texts that begin with "$". */
const path = /^\$\$?[\p{L}_][\p{L}\p{N}_.-]*$/u
const maxPathBytes = 500
const isPath = (value: FieldReader): boolean =>
  value.type === bsonType.string &&
  value.bytes[value.start + 4] === 0x24 &&
  value.end - value.start < maxPathBytes &&
  path.test(value.text())

/** Options of a regular expression. */
export const flags = /^[ilmsux]{0,6}$/
const isFlags = (value: FieldReader): boolean => isName(value) && flags.test(value.text())

/** Commands whose first value names a collection. */
const targets: ReadonlySet<string> = new Set(
  split(`find insert update delete aggregate count distinct findAndModify findandmodify killCursors create drop createIndexes
  dropIndexes deleteIndexes listIndexes collMod collStats dataSize renameCollection validate compact convertToCapped mapReduce mapreduce
  reIndex planCacheClear`),
)

/** The place of the value that a command begins with. */
export const findTargetPlace = (command: string): string =>
  targets.has(command) ? 'name' : command === 'getMore' ? 'number' : 'data'

/** Places under the keys of others: its name, then in each part a place, and the keys that it is under. What is in no part is data. */
const grammar = `
statement: number limit skip batchSize maxTimeMS size max expireAfterSeconds cursors insert delete, name collection key index to viewOn ns, sort sort,
  hint hint, word verbosity apiVersion validationLevel validationAction, options cursor collation readConcern writeConcern $readPreference timeseries,
  index indexes clusteredIndex, statement updates deletes ops nsInfo, stage pipeline, expression let projection fields,
  filter filter query q arrayFilters, update u update updateMods
options: number batchSize strength wtimeout maxStalenessSeconds bucketMaxSpanSeconds bucketRoundingSeconds, name locale timeField metaField, code w,
  word level mode granularity caseFirst alternate maxVariable
index: sort key weights wildcardProjection, name name default_language language_override, options collation, filter partialFilterExpression,
  number v bits min max expireAfterSeconds textIndexVersion 2dsphereIndexVersion bucketSize
direction: word $meta
names: name db coll
update: modifiers $push $addToSet, renames $rename, clocks $currentDate
modifier: number $slice $position, sort $sort
filter: filter $and $or $nor, expression $expr
condition: number $size, code $type, word $meta, flags $options, filter $elemMatch, condition $not
stage: filter $match, number $limit $skip, sort $sort, name $count $unset, names $out, facet $facet, near $geoNear, windows $setWindowFields $fill,
  join $lookup $graphLookup $unionWith $merge $unwind $densify $sample $changeStream, bucket $bucket $bucketAuto,
  expression $project $addFields $set $group $replaceRoot $replaceWith $redact $sortByCount $documents
join: names from into, name localField foreignField as connectFromField connectToField depthField coll db on path includeArrayIndex field
  partitionByFields, number maxDepth size, word whenMatched whenNotMatched fullDocument fullDocumentBeforeChange, stage pipeline,
  expression let startWith, filter restrictSearchWithMatch, range range
near: name distanceField includeLocs key, number maxDistance minDistance distanceMultiplier, filter query
range: number step, word unit bounds
windows: expression partitionBy, name partitionByFields, sort sortBy, outputs output
window: word unit, code documents range
bucket: expression groupBy output, number buckets, name granularity
script: expression args initArgs accumulateArgs, word lang
expression: data $literal, filter $elemMatch, word $meta, count $slice, variable $map $filter, field $getField $setField $unsetField,
  dates $dateToString $dateFromString $dateAdd $dateSubtract $dateTrunc $dateDiff $dateFromParts $dateToParts $year $month $week $isoWeek $isoWeekYear
  $dayOfYear $dayOfMonth $dayOfWeek $isoDayOfWeek $hour $minute $second $millisecond $convert $percentile $median $derivative $integral,
  sorted $sortArray $top $topN $bottom $bottomN $firstN $lastN $minN $maxN, script $function $accumulator
variable: name as, count limit
field: name field
dates: word unit timezone format startOfWeek method, code to
sorted: sort sortBy, count n
output: window window, word method`

const parseParts = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(',').flatMap((part) =>
      split(part)
        .map((key, _, [place = '']) => [key, place] as const)
        .slice(1),
    ),
  )

const fields = new Map(
  grammar.split(/\n(?=\w)/).map((line) => {
    const [, name = '', parts = ''] = /^(\w+): (.*)$/s.exec(line) ?? []
    return [name, parseParts(parts)] as const
  }),
)

const known = (name: string): Place & { readonly fields: ReadonlyMap<string, string> } => ({
  rest: 'data',
  fields: fields.get(name) ?? new Map(),
})
const expression = (name: string): Place => ({
  keeps: isPath,
  fields: new Map([...known('expression').fields, ...known(name).fields]),
  rest: 'expression',
})

/** All places. Whatever is in none of them is "data", of which nothing is kept: options, stages and operators of later versions are hidden. */
export const places: ReadonlyMap<string, Place> = new Map<string, Place>([
  ...[...fields.keys()].map((name) => [name, known(name)] as const),
  ...['expression', 'variable', 'dates', 'sorted', 'output'].map((name) => [name, expression(name)] as const),
  ['field', { ...expression('field'), keeps: isName }],
  ['names', { ...known('names'), keeps: isName }],
  ['join', { ...known('join'), keeps: isName }],
  ['direction', { ...known('direction'), keeps: isCode }],
  ['update', { ...known('update'), keeps: isShort, items: 'stage' }],
  ['filter', { ...known('filter'), rest: 'condition' }],
  ['data', {}],
  ['number', { keeps: isNumber, otherwise: 'data' }],
  ['name', { keeps: isName, otherwise: 'data' }],
  ['word', { keeps: isWord, otherwise: 'data' }],
  ['code', { keeps: isCode, otherwise: 'data' }],
  ['flags', { keeps: isFlags, otherwise: 'data' }],
  ['hint', { keeps: isName, otherwise: 'sort' }],
  ['count', { keeps: isShort, otherwise: 'expression', items: 'item' }],
  ['item', { keeps: isShort, otherwise: 'expression', items: 'expression' }],
  ['sort', { rest: 'direction' }],
  ['modifiers', { rest: 'modifier' }],
  ['renames', { rest: 'name' }],
  ['clocks', { rest: 'condition' }],
  ['facet', { rest: 'stage' }],
  ['outputs', { rest: 'output' }],
])
