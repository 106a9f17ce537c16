import { type z } from 'zod'
import { Problem } from '../../../core/errors.ts'
import { type Json, type JsonObject, readJson } from '../../../core/json.ts'
import { suggestion } from '../../../language/issues.ts'
import { indexKey } from '../../../spec/schema/data-schema.ts'
import { type CollectionProfile, type FoundIndex, formatNamespace } from '../collection/collection-profile.ts'
import { findFieldPath } from '../collection/field-path.ts'
import { queryForIndex } from '../collection/index-operations.ts'
import { findByKey, pathsIn, type PlannedIndex, reasonAgainst, usualName } from '../collection/indexes.ts'
import { insertAndUpdate } from '../collection/spec-of-collection.ts'
import { planData, type PlannedData } from '../data/data-set.ts'
import { valuesOfDocuments } from '../data/value-source.ts'
import { madeFrom, type Draft, timedLoad, timedPhase } from '../draft.ts'
import { distinctNames, operationName } from '../names.ts'
import { createNotes, type Notes } from '../notes.ts'
import { planQuery, type PlannedQuery } from '../query/parameterize-query.ts'
import { type OwnQuery } from '../query/read-query.ts'
import { type Topology } from '../topology.ts'
import { comparisonReport, noIndex, writePhase } from './comparison-report.ts'

/** Differences between the variants of a spec. */
export type Comparison = {
  /** Each is compared with a variant that has none of them. */
  readonly indexes: readonly IndexKey[]
  /** The others are compared with the first. Empty: the server's default. */
  readonly writeConcerns: readonly AcknowledgedBy[]
}

/** Fields of an index with their directions. */
export type IndexKey = z.output<typeof indexKey>
/** The `w` of a write concern. */
export type AcknowledgedBy = number | 'majority'

/**
 * Reads `--index` and `--write-concerns`.
 * @param writeConcerns "1,majority".
 * @returns Undefined if neither is given.
 */
export function readComparison(
  indexes: readonly string[] = [],
  writeConcerns: string | undefined,
): Comparison | undefined {
  if (indexes.length === 0 && writeConcerns === undefined) return undefined
  return {
    indexes: [...new Set(indexes)].map(readIndexKey),
    writeConcerns: [...new Set(writeConcerns?.split(',').map((text) => text.trim()))].map(readWriteConcern),
  }
}

function readIndexKey(text: string): IndexKey {
  const { data, success } = indexKey.safeParse(readJson(text))
  if (success) return data
  throw new Problem('usage', `--index ${text} is not the key of an index`, {
    hint: `Write its fields in order, as JSON in single quotes: --index '{"customer":1,"at":-1}'. Values are 1, -1, "text", "hashed", "2d" and "2dsphere".`,
  })
}

function readWriteConcern(text: string): AcknowledgedBy {
  if (text === 'majority') return text
  const members = Number(text)
  if (/^\d+$/.test(text) && members <= 50) return members
  throw new Problem('usage', `--write-concerns takes numbers of members and "majority", not "${text}"`, {
    hint: 'Write --write-concerns 1,majority.',
  })
}

/** Rows differ in how many queries ran before: with fewer writes before the window, the client is faster in one of them. */
const writeParameters = { writes: 20_000, warmupWrites: 5000 }
const fewWrites = { writes: 500, warmupWrites: 50 }

/** An index with the query that uses it, if there is one. */
type ComparedIndex = {
  readonly label: string
  readonly spec: JsonObject
  readonly query: { readonly phase: string; readonly operation: JsonObject } | undefined
}

/**
 * A spec that measures what indexes cost writes and gain queries, and what write concerns cost. Queries and writes have
 * separate phases: a query without its index loads the server so much that concurrent writes would seem to gain by the index.
 */
export function specOfComparison(
  profile: CollectionProfile,
  { indexes: keys, writeConcerns }: Comparison,
  {
    keepValues,
    server,
    query,
  }: { readonly keepValues: boolean; readonly server: Topology; readonly query?: OwnQuery | undefined },
): Draft {
  checkMembers(writeConcerns, server)
  const notes = createNotes()
  const own = query && planQuery(query, profile, { keepValues, isExisting: false, notes })
  const { data, kept, compared } = planCompared(profile, keys, { keepValues, own }, notes)
  const writes = own?.isWrite === true ? [own.operationOn(data)] : insertAndUpdate(data, notes)
  const queries = new Map(compared.flatMap(({ query: asked }) => (asked ? [[asked.phase, asked.operation]] : [])))
  const namespace = formatNamespace(profile)
  return {
    name: `${namespace}-compared`,
    title: `${namespace}: ${subjects(keys.length, writeConcerns.length)} compared`,
    description: [
      madeFrom(profile),
      'Every row loads the same documents and runs the same writes, until all are done or the time is over. If some are not done, sizes differ by what is missing.',
      `${own ? 'The other operations' : 'The operations'} are a guess: set them to what your program does.`,
    ],
    notes,
    data: [data],
    sets: [keys.length > 0 ? { ...data.spec, indexes: { '@param': 'index' } } : data.spec],
    load: {
      parameters: { ...used(timedLoad.parameters, compared), ...writeParameters },
      smoke: { ...used(timedLoad.smoke, compared), ...fewWrites },
    },
    variants: {
      ...(keys.length > 0 && { index: indexVariants(kept, compared) }),
      ...(writeConcerns.length > 0 && {
        writeConcern: writeConcerns.map((w) => ({ label: formatWriteConcernLabel(w), value: { w } })),
      }),
    },
    phases: [
      ...[...queries].map(([phase, operation]) => timedPhase(phase, [operation])),
      countedPhase(writes, writeConcerns.length > 0 ? { writeConcern: { '@param': 'writeConcern' } } : {}),
    ],
    report: comparisonReport({
      indexes: compared.map(({ label, query: asked }) => ({ label, query: asked?.phase })),
      writeConcerns: writeConcerns.map(formatWriteConcernLabel),
      write: own?.isWrite === true ? String(writes[0]?.['kind']) : 'insertOne',
    }),
  }
}

type Planned = {
  readonly data: PlannedData
  /** The indexes that every variant has. */
  readonly kept: readonly JsonObject[]
  readonly compared: readonly ComparedIndex[]
}

/** Plans made-up data with indexes that are compared, and the query that each of them is for. */
export function planCompared(
  profile: CollectionProfile,
  keys: Comparison['indexes'],
  { keepValues, own }: { readonly keepValues: boolean; readonly own: PlannedQuery | undefined },
  notes: Notes,
): Planned {
  const found = comparedIndexes(profile, keys)
  const others = profile.kind === 'collection' ? profile.indexes.filter((index) => !found.includes(index)) : []
  for (const { name } of found.filter((index) => profile.indexes.includes(index)))
    notes.add(`The index "${name}" exists already: rows of "${noIndex}" do not have it.`)
  // Generated data is a collection, even if the original is a view.
  const wanted: CollectionProfile = { ...profile, kind: 'collection', indexes: [...others, ...found] }
  const data = planData(wanted, { keepValues, asked: own?.asked ?? [], notes })
  const isCompared = ({ name }: PlannedIndex): boolean => found.some((index) => index.name === name)
  const free = distinctNames([writePhase])
  const source = valuesOfDocuments(data.context)
  const read = own && !own.isWrite ? own.operationOn(data) : undefined
  const ownQuery = own && read && { phase: free(own.name), operation: read }
  const compared = data.indexes.filter(isCompared).map((index): ComparedIndex => {
    if (ownQuery) return { label: index.name, spec: index.spec, query: ownQuery }
    const operation = queryForIndex(index, { shape: profile.shape, source, notes })
    const query = operation && { phase: free(operationName(index.name)), operation }
    return { label: index.name, spec: index.spec, query }
  })
  return { data, kept: data.indexes.filter((index) => !isCompared(index)).map(({ spec }) => spec), compared }
}

function checkMembers(writeConcerns: readonly AcknowledgedBy[], { holders, name }: Topology): void {
  const tooMany = writeConcerns.find((w) => typeof w === 'number' && w > holders)
  if (tooMany === undefined) return
  throw new Problem('usage', `${tooMany} members cannot acknowledge a write: the server is a ${name}`, {
    hint: `--write-concerns takes "majority" and numbers up to ${holders} here.`,
  })
}

/** Each index alone, and a variant with none of them. */
const indexVariants = (kept: readonly JsonObject[], compared: readonly ComparedIndex[]): Json => [
  { label: noIndex, value: kept },
  ...compared.map(({ label, spec }) => ({ label, value: kept.concat(spec) })),
]

/** Drops `warmupSeconds`, which only queries use: a spec must use all its parameters. */
const used = (parameters: JsonObject, compared: readonly ComparedIndex[]): JsonObject =>
  compared.some(({ query }) => query)
    ? parameters
    : Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== 'warmupSeconds'))

const formatWriteConcernLabel = (w: AcknowledgedBy): string => `w=${w}`

const subjects = (indexes: number, writeConcerns: number): string =>
  [...(indexes > 0 ? ['indexes'] : []), ...(writeConcerns > 0 ? ['write concerns'] : [])].join(' and ')

/** A closed loop with a number of operations: if they are done in time, every variant ends with the same number of documents. */
const countedPhase = (operations: readonly Json[], settings: JsonObject): JsonObject => ({
  name: writePhase,
  load: { kind: 'closed', workers: { '@param': 'workers' } },
  warmup: { operations: { '@param': 'warmupWrites' } },
  stopAfter: { operations: { '@param': 'writes' }, seconds: { '@param': 'seconds' } },
  ...settings,
  operations,
})

/** The compared indexes in the form in which the server lists indexes, whether they exist or not. */
function comparedIndexes(profile: CollectionProfile, keys: readonly IndexKey[]): readonly FoundIndex[] {
  return keys.map((key) => {
    const fields = Object.entries(key)
    requireFitting(fields, profile)
    return findByKey(profile.indexes, key) ?? { name: usualName(fields), key, default_language: 'english' }
  })
}

/** @throws {Problem} where an index cannot be compared with none: no documents of the sample have its fields. */
export function requireFitting(key: PlannedIndex['key'], profile: CollectionProfile): void {
  const reason = key.length === 1 && key[0]?.[0] === '_id' ? reservedId : reasonAgainst(key, profile.shape)
  if (reason !== undefined) throw cannotCompare(Object.fromEntries(key), reason, profile)
}

const reservedId = 'every collection has the index on "_id"'

function cannotCompare(key: object, reason: string, profile: CollectionProfile): Problem {
  const unknown = Object.keys(key).find((field) => !findFieldPath(profile.shape, field))
  const near = unknown === undefined ? '' : suggestion(unknown, pathsIn(profile.shape))
  return new Problem('usage', `--index ${JSON.stringify(key)} cannot be compared: ${reason}${near}`, {
    hint: `Name fields of ${formatNamespace(profile)}; --sample looks at more documents.`,
  })
}
