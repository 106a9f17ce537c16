import { Problem } from '../../../core/errors.ts'
import { type Json, type JsonObject } from '../../../core/json.ts'
import { suggestion } from '../../../language/issues.ts'
import { type BsonDocument, isDocument } from '../../../language/values/bson-types.ts'
import { type CollectionProfile, formatNamespace } from '../collection/collection-profile.ts'
import { findFieldPath } from '../collection/field-path.ts'
import { pathsIn } from '../collection/indexes.ts'
import { literal } from '../collection/kinds.ts'
import { type PlannedData } from '../data/data-set.ts'
import { fromSample } from '../data/value-source.ts'
import { type Notes } from '../notes.ts'
import { HotValues } from '../profile/hot-values.ts'
import { createOperationName, parameterizeCall, parameterizeWrite } from '../profile/parameterize-call.ts'
import { cannotRun, type OwnQuery } from './read-query.ts'

/** The operation for a call of the user's program, before the data is planned that an update makes its values from. */
export type PlannedQuery = {
  readonly isWrite: boolean
  readonly name: string
  /** Paths that it uses. */
  readonly asked: readonly string[]
  /**
   * Returns the operation without its name.
   * @param data Undefined: the collection itself is read.
   */
  readonly operationOn: (data: PlannedData | undefined) => JsonObject
}

type PlanOptions = {
  readonly keepValues: boolean
  /** Whether values come from a sample of the collection itself. */
  readonly isExisting: boolean
  readonly notes: Notes
}

/** Such conditions are about what programs never ask for. */
const excluding = ['$ne', '$nin']

/** Replaces the values of a call by expressions that draw values of the collection, and notes what became of each. */
export function planQuery(
  { call, keep }: OwnQuery,
  profile: CollectionProfile,
  { keepValues, isExisting, notes }: PlanOptions,
): PlannedQuery {
  const asked = new Set<string>()
  const ask = (path: string): void => void asked.add(path)
  for (const path of Object.keys((call.options['sort'] ?? {}) as BsonDocument)) {
    requirePath(path, profile)
    ask(path)
  }
  const group = { call, examples: [call], values: new HotValues(), count: 1, found: 0, documents: 0 }
  const made = parameterizeCall(group, profile, {
    isOnly: true,
    keepValues: keepValues || isExisting,
    ask,
    copied: () => {},
    keep: new Set([...keep, ...excluding]),
    like: (_, path) => requirePath(path, profile),
  })
  if (typeof made === 'string') throw cannotRun('--query', made)
  const read = isExisting ? fromSample(made) : made
  noteFilters(call, read, notes)
  if (keep.size > 0 && !isExisting)
    notes.add('A value that was kept occurs in made-up data only if few values repeat there, as in a status.')
  return {
    isWrite: call.update !== undefined,
    name: createOperationName(call),
    asked: [...asked],
    operationOn(data) {
      const write = data === undefined ? {} : parameterizeWrite(call, data)
      if (typeof write === 'string') throw cannotRun('--update', write)
      if (call.update !== undefined) notes.add('What the update sets is drawn like the values of the collection.')
      return { kind: call.kind, ...read, ...write }
    },
  }
}

function requirePath(path: string, profile: CollectionProfile): Json {
  if (path.startsWith('$') || findFieldPath(profile.shape, path)) return null
  throw new Problem('usage', `No document of the sample has "${path}"${suggestion(path, pathsIn(profile.shape))}`, {
    hint: `Name fields of ${formatNamespace(profile)}; --sample looks at more documents, and --keep ${path} sends a value as it is written.`,
  })
}

const lists = (names: ReadonlySet<string>): string => [...names].join(', ')

/** Fields of a query by what became of their values. */
type Changes = { readonly drawn: Set<string>; readonly ranges: Set<string>; readonly kept: Set<string> }

function noteFilters({ filter, pipeline = [] }: OwnQuery['call'], made: JsonObject, notes: Notes): void {
  const changes: Changes = { drawn: new Set(), ranges: new Set(), kept: new Set() }
  if (filter) collectChanges(filter, made['filter'] as JsonObject, changes)
  for (const [i, { $match }] of pipeline.entries()) {
    const stage = (made['pipeline'] as readonly JsonObject[])[i]?.['$match']
    if (isDocument($match)) collectChanges($match, stage as JsonObject, changes)
  }
  const { drawn, ranges, kept } = changes
  notes.addThose([
    [
      drawn.size > 0,
      `Your values for ${lists(drawn)} are replaced by others, as frequent as in the data (--keep ${[...drawn][0]} keeps yours).`,
    ],
    [
      ranges.size > 0,
      `Ranges as wide as yours, anywhere between the smallest and the largest value: ${lists(ranges)}.`,
    ],
    [kept.size > 0, `Kept as you wrote it: ${lists(kept)}.`],
  ])
}

function collectChanges(asked: BsonDocument, made: JsonObject, changes: Changes): void {
  for (const [key, condition] of Object.entries(asked)) {
    const result = made[key]
    if (Array.isArray(condition) && key.startsWith('$'))
      for (const [i, part] of condition.entries())
        collectChanges(part as BsonDocument, (result as readonly JsonObject[])[i] ?? {}, changes)
    else {
      const text = JSON.stringify(result)
      const { kept, ranges, drawn } = changes
      const isKept = text === JSON.stringify(literal(condition))
      ;(isKept ? kept : text.startsWith('{"@choice"') ? ranges : drawn).add(key)
    }
  }
}
