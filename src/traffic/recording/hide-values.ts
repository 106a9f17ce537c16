import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { int32At } from '../../protocol/bson/skip.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { createHashDisguise, type Disguise, shapeDisguise } from './disguises.ts'
import { type RecordedCall } from './recorded-call.ts'
import { type ValuesMode } from './values-modes.ts'

/**
 * Replaces the values of calls by others of the same types and lengths.
 * @param salt Salt of the hashes. Default: random, so that values cannot be guessed.
 */
export function hideValues(mode: ValuesMode, salt?: Buffer): (call: RecordedCall) => RecordedCall {
  if (mode === 'keep') return (call) => call
  const disguise = mode === 'hash' ? createHashDisguise(salt) : shapeDisguise
  return (call) => {
    const command = Buffer.from(call.command)
    hideFields({ bytes: command, start: 0, end: command.length }, 'command', disguise, 0)
    return { ...call, command, reply: call.reply && { ...call.reply, digest: null, upsertedIds: [] } }
  }
}

/**
 * Where a field is. A "command" begins with its name; a "statement" is one of its parts. A "stage" belongs to a pipeline; a "join" is a stage
 * that names collections. In an "expression", a text such as "$price" is a path; "operands" belong to an operator in it. An "index" has
 * values only in its filter. "data" are documents and filters.
 */
type Place = 'command' | 'statement' | 'index' | 'stage' | 'join' | 'expression' | 'operands' | 'data'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Options of commands and statements, which are not data. Everything else is hidden. */
const options = words(`limit skip batchSize maxTimeMS ordered multi upsert new remove singleBatch tailable awaitData
  noCursorTimeout allowDiskUse allowPartialResults returnKey showRecordId bypassDocumentValidation sort hint collation key
  cursor cursors collection readConcern writeConcern $readPreference apiVersion apiStrict apiDeprecationErrors nsInfo
  index to dropTarget capped size viewOn timeseries clusteredIndex expireAfterSeconds nameOnly verbosity errorsOnly`)

/** Operators whose operands are numbers, fields or collections, not values of documents. */
const structural = words(`$limit $skip $sample $sort $count $unset $unwind $exists $type $options $size $slice $position
  $currentDate $rename $meta`)

/** Operands whose texts are not values. */
const textOperands = words('as unit format timezone startOfWeek to field')

/** Stages that name collections and fields in texts. */
const joins = words('$lookup $graphLookup $unionWith $merge $out $changeStream $geoNear $densify')

/** Places of values in the fields of `joins`. */
const placesOfJoins: Readonly<Record<string, Place>> = {
  pipeline: 'stage',
  whenMatched: 'stage',
  let: 'expression',
  startWith: 'expression',
  restrictSearchWithMatch: 'data',
  near: 'data',
  query: 'data',
  range: 'join',
  bounds: 'data',
  resumeAfter: 'data',
  startAfter: 'data',
}

/** Places of values in commands and statements, where they are not data. */
const placesOfCommands: Readonly<Record<string, Place>> = {
  explain: 'command',
  updates: 'statement',
  deletes: 'statement',
  ops: 'statement',
  indexes: 'index',
  pipeline: 'stage',
  let: 'expression',
  projection: 'expression',
  fields: 'expression',
}

/** Updates, which may be pipelines. */
const updates = words('u update updateMods')

/** First keys of statements of `bulkWrite`, whose value is the number of a collection. */
const numbered = words('insert update delete')

/** Finds the place of the values under a field. Null: the field is kept with everything under it. */
function placeUnder(key: string, place: Place, type: number, isFirst: boolean): Place | null {
  switch (place) {
    case 'command':
      return isFirst && key !== 'explain' ? null : placeUnder(key, 'statement', type, false)
    case 'statement':
      if (isFirst && numbered.has(key)) return null
      if (updates.has(key) && type === bsonType.array) return 'stage'
      return options.has(key) ? null : (placesOfCommands[key] ?? 'data')
    case 'index':
      return key === 'partialFilterExpression' ? 'data' : null
    case 'join':
      // "full" and "partition" are no data.
      return key === 'bounds' && type === bsonType.string ? null : (placesOfJoins[key] ?? null)
    case 'stage':
      if (joins.has(key)) return 'join'
      return key === '$facet' ? 'stage' : placeUnder(key, 'expression', type, false)
    case 'expression':
      if (key === '$match' || key === '$literal') return 'data'
      return structural.has(key) ? null : key.startsWith('$') ? 'operands' : place
    case 'operands':
      return type === bsonType.string && textOperands.has(key) ? null : placeUnder(key, 'expression', type, false)
    case 'data':
      if (key === '$expr') return 'expression'
      return structural.has(key) ? null : place
  }
}

/** The bytes of a document. */
type Range = { readonly bytes: Buffer; readonly start: number; readonly end: number }

/** One for each depth: a document is read while the one around it is. */
const readers: FieldReader[] = []

function hideFields({ bytes, start, end }: Range, place: Place, disguise: Disguise, depth: number): void {
  const reader = (readers[depth] ??= new FieldReader()).open(bytes, start, end)
  for (let isFirst = true; reader.next(); isFirst = false) {
    const under = placeUnder(reader.key(), place, reader.type, isFirst)
    if (under !== null) hideValue(reader, under, disguise, depth)
  }
}

function hideItems({ bytes, start, end }: Range, place: Place, disguise: Disguise, depth: number): void {
  const reader = (readers[depth] ??= new FieldReader()).open(bytes, start, end)
  while (reader.next()) hideValue(reader, place, disguise, depth)
}

function hideValue(reader: FieldReader, place: Place, disguise: Disguise, depth: number): void {
  if (reader.type === bsonType.document) hideFields(reader, place, disguise, depth + 1)
  else if (reader.type === bsonType.array)
    hideItems(reader, place === 'operands' ? 'expression' : place, disguise, depth + 1)
  else if (place === 'data' || !(place === 'join' || isPath(reader))) hideScalar(reader, disguise, depth)
}

const isPath = ({ type, bytes, start }: FieldReader): boolean => type === bsonType.string && bytes[start + 4] === 0x24

function hideScalar(reader: FieldReader, disguise: Disguise, depth: number): void {
  const { bytes, start, end } = reader
  switch (reader.type) {
    case bsonType.string:
    case bsonType.code:
    case bsonType.symbol:
      return disguise.text(bytes.subarray(start + 4, end - 1))
    case bsonType.regex: {
      // A leading ^ decides whether an index can be used.
      const from = bytes[start] === 0x5e ? start + 1 : start
      return disguise.text(bytes.subarray(from, bytes.indexOf(0, start)))
    }
    case bsonType.codeWithScope: {
      const scope = start + 8 + int32At(bytes, start + 4)
      disguise.text(bytes.subarray(start + 8, scope - 1))
      return hideFields({ bytes, start: scope, end }, 'data', disguise, depth + 1)
    }
    case bsonType.binary:
      return disguise.bytes(bytes.subarray(start + 5, end))
    case bsonType.objectId:
    case bsonType.dbPointer:
      return disguise.bytes(bytes.subarray(Math.max(start, end - 12), end))
    case bsonType.int32:
      return void bytes.writeInt32LE(Number(hideWhole(BigInt(int32At(bytes, start)), disguise, 31)), start)
    case bsonType.int64:
    case bsonType.date:
    case bsonType.timestamp:
    case bsonType.decimal128:
      return void bytes.writeBigInt64LE(hideWhole(bytes.readBigInt64LE(start), disguise), start)
    case bsonType.double:
      return hideDouble(bytes, start, disguise)
  }
}

/** Hides a whole number. -1, 0 and 1 reveal nothing; the lowest number is alone in its magnitude. @param bits Without the sign. */
function hideWhole(value: bigint, disguise: Disguise, bits = 63): bigint {
  const magnitude = value < 0n ? -value : value
  if (magnitude < 2n || magnitude >> BigInt(bits) > 0n) return value
  return value < 0n ? -disguise.whole(magnitude) : disguise.whole(magnitude)
}

const mantissaBits = 52

/** Hides a double. A whole number stays whole. */
function hideDouble(bytes: Buffer, start: number, disguise: Disguise): void {
  const value = bytes.readDoubleLE(start)
  if (Number.isSafeInteger(value)) return void bytes.writeDoubleLE(Number(hideWhole(BigInt(value), disguise)), start)
  const bits = bytes.readBigUInt64LE(start)
  const mantissa = BigInt.asUintN(mantissaBits, bits)
  if (Number.isFinite(value)) bytes.writeBigUInt64LE((bits - mantissa) | disguise.fraction(mantissa), start)
}
