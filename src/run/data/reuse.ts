import { type Db } from 'mongodb'
import { type JsonObject } from '../../core/json.ts'
import { expressionsIn } from '../../language/expression.ts'
import { fixedValue } from '../../language/values/fixed-value.ts'
import { isNotImplemented } from '../../servers/targets/connection/driver-error.ts'
import { claimCollection } from '../../servers/targets/ownership.ts'
import { shardKeyIndexes } from '../../spec/plan/sharding-commands.ts'
import { listWriters } from '../../spec/plan/writers.ts'
import { type DataSetSpec } from '../../spec/schema/data-schema.ts'
import { type Spec } from '../../spec/schema/schema.ts'
import { type BuiltIndexes, explained, type OnSent } from './indexes.ts'
import { type Filled } from './make-collection.ts'

/** State in which a row left a collection of ours on a running target. */
export type KeptCollection = {
  /** Equal: loaded anew, its rows would be the same. */
  readonly fingerprint: string
  readonly rules: string
  readonly filled: Omit<Filled, 'source'>
  readonly indexes: BuiltIndexes
  /** Changes that phases may have made to it. */
  readonly touched: Touch
  /** Its rows are also in the pristine copy. */
  readonly hasCopy: boolean
}

/** Changes that a row may make to the rows of a data set: none, to some of them, or rows added and removed too. */
export type Touch = 'nothing' | 'updates' | 'anything'

/** Data sets by the name of their collection. */
export type KeptCollections = Map<string, KeptCollection>

/** No spec may name a collection so. */
export const pristineName = (collection: string): string => `mongoperf_pristine.${collection}`

/** Computes the fingerprint of everything that says how documents get there, and of the physical form that they have there. */
export function computeFingerprint(
  { collection, rows, let: given, document, file, indexBuild, indexes, options, sharding, ...fileOf }: DataSetSpec,
  seed: number,
): string {
  const { validator: _, validationLevel: __, validationAction: ___, ...physical } = options ?? {}
  const ofKey = shardKeyIndexes({ indexes, sharding })
  const read = [file, fileOf.columns, fileOf.namespace]
  return JSON.stringify([seed, collection, rows, given, document, read, indexBuild, physical, sharding, ofKey])
}

/** Serializes the rules that the server checks in writes: they can be changed in place. */
export function serializeRules({ options = {} }: DataSetSpec): string {
  const { validator, validationLevel, validationAction } = options
  return JSON.stringify({
    validator: validator ?? {},
    validationLevel: validationLevel ?? 'strict',
    validationAction: validationAction ?? 'error',
  })
}

/** Changes the validation rules of a collection to those of its data set. */
export async function changeRules(db: Db, spec: DataSetSpec, onSent: OnSent): Promise<void> {
  const rules = JSON.parse(serializeRules(spec)) as JsonObject
  const fixed = fixedValue(rules) as object
  await explained(`the validator of "${spec.collection}"`, db.command({ collMod: spec.collection, ...fixed }))
  onSent(spec.collection, [{ collMod: spec.collection, ...rules, $db: db.databaseName }])
}

/** A TTL deletes by itself, whenever it likes. */
const removesByItself = ({ indexes, options = {} }: DataSetSpec): boolean =>
  [...indexes, options].some((given) => given['expireAfterSeconds'] !== undefined)

/** Whether its rows may serve a later row. Keys of other data sets are not in its fingerprint. */
const mayBeKept = (spec: DataSetSpec): boolean =>
  spec.reuse !== false &&
  !removesByItself(spec) &&
  !expressionsIn([spec.let ?? null, spec.document ?? null]).some(
    ({ keyword }) => keyword === '@key' || keyword === '@ref',
  )

/** A TTL index and every call that might write count. */
export function classifyWrites(spec: Spec, dataSet: DataSetSpec): Touch {
  if (removesByItself(dataSet)) return 'anything'
  const writers = listWriters(spec).filter(({ namespaces }) =>
    namespaces.some(({ database, collection }) => database === undefined && collection === dataSet.collection),
  )
  if (writers.length === 0) return 'nothing'
  return writers.every(({ onlyUpdates }) => onlyUpdates) ? 'updates' : 'anything'
}

/** Whether a data set takes the rows as they have been left. */
export const takesAsLeft = ({ reuse }: DataSetSpec, touched: Touch): boolean =>
  touched === 'nothing' ? reuse !== false : touched === 'updates' && reuse === 'changed'

/** Returns the collection that an earlier row left, when it is the one that this data set asks for. */
export function reusable(spec: DataSetSpec, seed: number, kept: KeptCollections): KeptCollection | undefined {
  const last = mayBeKept(spec) ? kept.get(spec.collection) : undefined
  if (last?.fingerprint !== computeFingerprint(spec, seed)) return undefined
  return takesAsLeft(spec, last.touched) || last.hasCopy ? last : undefined
}

/** The data set of a later row that asks for the rows of this one again. */
export const findLaterRequest = (
  later: Spec | undefined,
  dataSet: DataSetSpec,
  seed: number,
): DataSetSpec | undefined =>
  later?.data.find(
    (other) => mayBeKept(other) && computeFingerprint(other, later.seed) === computeFingerprint(dataSet, seed),
  )

/** The order of a capped collection is a part of it, and a copy comes in no order; into a time series nothing is merged. */
export const canBeCopied = ({ options }: DataSetSpec): boolean =>
  options?.capped !== true && options?.timeseries === undefined

/** One member's word is enough here: the settle step waits for the others. */
const acknowledged = { writeConcern: { w: 1 as const } }

/**
 * Copies the rows aside, on the server.
 * @returns False: it cannot, so they have to be loaded anew.
 */
export async function makeCopy(db: Db, collection: string): Promise<boolean> {
  const copy = pristineName(collection)
  await claimCollection(db, copy)
  const stages = [{ $out: { db: db.databaseName, coll: copy } }]
  const copied = db.collection(collection).aggregate(stages, acknowledged).toArray()
  return await explained(
    `a copy of "${collection}"`,
    copied.then(() => true, unlessUnknown),
  )
}

function unlessUnknown(error: unknown): false {
  if (isNotImplemented(error)) return false
  throw error
}

/** Brings the rows back, into a new collection. Rows that were loaded before a validator was changed are not checked by it. */
export async function fillFromCopy(db: Db, collection: string, filled: KeptCollection['filled']): Promise<Filled> {
  const into = { into: { db: db.databaseName, coll: collection }, whenMatched: 'fail', whenNotMatched: 'insert' }
  await db
    .collection(pristineName(collection))
    .aggregate([{ $merge: into }], { ...acknowledged, bypassDocumentValidation: true })
    .toArray()
  return { ...filled, source: 'copied' }
}

/** Drops the pristine copy of a collection; returns whether the drop succeeded. */
export const dropCopy = (db: Db, collection: string): Promise<boolean> => db.dropCollection(pristineName(collection))
