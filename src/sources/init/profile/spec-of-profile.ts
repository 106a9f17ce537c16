import { type JsonObject } from '../../../core/json.ts'
import { groupDigits } from '../../../core/quantities.ts'
import { type CollectionProfile } from '../collection/collection-profile.ts'
import { type PlannedData, planData } from '../data/data-set.ts'
import { type Draft, timedLoad, timedPhase } from '../draft.ts'
import { distinctNames } from '../names.ts'
import { createNotes, type Notes, prefixNotes } from '../notes.ts'
import { type Expected } from '../trial.ts'
import { type CallGroup, type CallGroups, count } from './call-groups.ts'
import {
  createOperationName,
  parameterizeCall,
  type ParameterizeOptions,
  parameterizeWrite,
} from './parameterize-call.ts'
import { collectionsIn } from './parameterize-pipeline.ts'

/** Limits the operations of a spec to what people can read; a note counts the rest. */
const maxShapes = 50

export function listUsedCollections({ groups }: CallGroups): readonly string[] {
  return [...new Set(groups.flatMap(({ call }) => [call.collection, ...collectionsIn(call.pipeline)]))]
}

/**
 * A spec with the operations of a profile, weighted by frequency, on generated data of the same shape. Undefined if the
 * profile has no operation that a spec can run.
 */
export function specOfProfile(
  database: string,
  found: CallGroups,
  collections: readonly CollectionProfile[],
  keepValues: boolean,
): (Draft & { readonly expected: readonly Expected[] }) | undefined {
  const notes = createNotes()
  const skipped = new Map(found.skipped)
  const skip: Skip = (reason, calls) => count(skipped, reason, calls)
  const { copied } = notes
  const { parameterized, asked } = parameterizeReads(found, collections, { keepValues, copied }, skip)
  const data = planAll(collections, asked, keepValues, notes)
  const shapes = createProfileOperations(parameterized, data, skip)
  if (shapes.length === 0) return undefined
  const operations = [...shapes.map(({ operation }) => operation), ...balancing(parameterized, data, notes)]
  const hot = shapes.flatMap(({ operation }) =>
    JSON.stringify(operation).includes('"hotspot"') ? operation['name'] : [],
  )
  notes.addThose([
    [
      hot.length > 0,
      `Documents are picked as unevenly as in the profile, some of them often ("hotspot"): ${hot.join(', ')}.`,
    ],
    [
      operations.some(({ kind }) => kind === 'aggregate'),
      'Pipeline stages after the first filters are copied from the profile, with their values.',
    ],
  ])
  for (const [reason, calls] of skipped) notes.add(`Operations left out because ${reason}: ${groupDigits(calls)}.`)
  for (const [option, calls] of found.dropped)
    notes.add(`Operations do not have "${option}", as ${groupDigits(calls)} calls do.`)
  noteMix(found, operations, notes)
  const expected = shapes.flatMap(({ operation, group: { call, found: all, count: calls } }) =>
    call.found === undefined ? [] : [{ operation, perCall: all / calls }],
  )
  return {
    name: `${database}-profile`,
    title: `Operations in the profile of ${database}`,
    description: [
      `Made from ${found.entries} entries of ${database}.system.profile: one operation for each query shape, weighted by its frequency.`,
      'Values are drawn from generated documents, and where ranges begin and end is as in the profile.',
    ],
    notes,
    data,
    phases: [timedPhase('mix', operations)],
    expected,
  }
}

/** Inserts for what the profile deleted without inserting it again. */
function balancing(
  parameterized: readonly Parameterized[],
  data: readonly PlannedData[],
  notes: Notes,
): readonly JsonObject[] {
  return data.flatMap(({ profile, collection }) => {
    const groups = parameterized.filter((one) => one.profile === profile).map(({ group }) => group)
    const deleted = groups.reduce((sum, { call, found }) => sum + (/delete/i.test(call.kind) ? found : 0), 0)
    const missing = deleted - groups.reduce((sum, { documents }) => sum + documents, 0)
    if (deleted === 0) return []
    notes.add(`The operations delete documents of ${collection}: the longer they run, the fewer they find.`)
    if (missing <= 0) return []
    notes.add(
      `Inserts into ${collection} are added: the profile deletes ${groupDigits(missing)} documents more than it inserts.`,
    )
    return [{ kind: 'insertOne', name: `refill_${collection}`, weight: missing, collection }]
  })
}

/** Differences of a mix that are no note, in percent of all calls. */
const mixTolerance = 2

/** Notes the kinds of operations whose share of the spec is not their share of the calls. */
function noteMix({ kinds }: CallGroups, operations: readonly JsonObject[], notes: Notes): void {
  const made = new Map<string, number>()
  for (const { kind, weight } of operations) count(made, String(kind), Number(weight))
  const different = [...new Set([...kinds.keys(), ...made.keys()])].flatMap((kind) => {
    const [here, there] = [countPercent(made, kind), countPercent(kinds, kind)]
    return Math.abs(here - there) > mixTolerance
      ? [`${kind} ${here.toFixed(0)} % instead of ${there.toFixed(0)} %`]
      : []
  })
  if (different.length > 0) notes.add(`The mix differs from the profile: ${different.join(', ')}.`)
}

const countPercent = (counts: ReadonlyMap<string, number>, kind: string): number =>
  (100 * (counts.get(kind) ?? 0)) / [...counts.values()].reduce((sum, one) => sum + one, 0)

/** Counts calls that are not in the spec by reason: those that could not be read, and those that cannot be parameterized. */
type Skip = (reason: string, calls: number) => void

/** A group of calls whose filter or pipeline is parameterized. */
type Parameterized = { readonly group: CallGroup; readonly profile: CollectionProfile; readonly read: JsonObject }

/** @returns Also the paths that the calls use, by collection. */
function parameterizeReads(
  { groups }: CallGroups,
  collections: readonly CollectionProfile[],
  options: Pick<ParameterizeOptions, 'keepValues' | 'copied'>,
  skip: Skip,
) {
  const asked = new Map(collections.map(({ collection }) => [collection, new Set<string>()]))
  const parameterized = groups.slice(0, maxShapes).flatMap((group): readonly Parameterized[] => {
    const profile = collections.find(({ collection }) => collection === group.call.collection)
    const ask = (path: string): void => void asked.get(group.call.collection)?.add(path)
    const read = profile && parameterizeCall(group, profile, { isOnly: collections.length === 1, ...options, ask })
    if (profile && typeof read === 'object') return [{ group, profile, read }]
    skip(typeof read === 'string' ? read : 'their collection no longer exists', group.count)
    return []
  })
  const rare = groups.slice(maxShapes).reduce((sum, group) => sum + group.count, 0)
  if (rare > 0) skip(`only the ${maxShapes} most frequent shapes are here`, rare)
  return { parameterized, asked }
}

function planAll(
  collections: readonly CollectionProfile[],
  asked: ReadonlyMap<string, ReadonlySet<string>>,
  keepValues: boolean,
  notes: Notes,
): readonly PlannedData[] {
  const isOnly = collections.length === 1
  const parameterName = distinctNames(Object.keys(timedLoad.parameters))
  return collections.map((profile) =>
    planData(profile, {
      parameter: parameterName(isOnly ? 'documents' : `${profile.collection.replaceAll(/\W+/g, '_')}Documents`),
      keepValues,
      share: 1 / collections.length,
      asked: [...(asked.get(profile.collection) ?? [])],
      notes: isOnly ? notes : prefixNotes(profile.collection, notes),
    }),
  )
}

function createProfileOperations(
  parameterized: readonly Parameterized[],
  data: readonly PlannedData[],
  skip: Skip,
): readonly { readonly operation: JsonObject; readonly group: CallGroup }[] {
  const distinct = distinctNames(['mix'])
  return parameterized.flatMap(({ group, profile, read }) => {
    const dataSet = data.find((one) => one.profile === profile)
    if (!dataSet) return []
    const { call, count: weight } = group
    const write = parameterizeWrite(call, dataSet)
    if (typeof write === 'string') {
      skip(write, weight)
      return []
    }
    const inCollection = data.length === 1 ? {} : { collection: dataSet.collection }
    const name = distinct(createOperationName(call))
    return [{ group, operation: { kind: call.kind, name, weight, ...inCollection, ...read, ...write } }]
  })
}
