import { type JsonObject } from '../json.ts'
import { type CallGroup, type CallGroups } from './call-groups.ts'
import { type PlannedData, planData } from './data-set.ts'
import { distinctNames, specName } from './names.ts'
import { createNotes, type Notes, notesOf } from './notes.ts'
import { type CollectionProfile } from './collection-profile.ts'
import { nameOf, parameterizeCall, parameterizeWrite } from './parameterize-call.ts'
import { collectionsIn } from './parameterize-pipeline.ts'
import { loadParameters, type MadeSpec, timedPhase, mixReport, smokeParameters } from './spec-of-collection.ts'

/** More shapes than that nobody reads; the rest is told of. */
const maxShapes = 50

export function collectionsOf({ groups }: CallGroups): readonly string[] {
  return [...new Set(groups.flatMap(({ call }) => [call.collection, ...collectionsIn(call.pipeline)]))]
}

/**
 * A spec that does what a profile has seen, as often as it has, on made-up data of the same shape. Undefined when the
 * profile holds nothing that a spec can do.
 */
export function specOfProfile(
  database: string,
  found: CallGroups,
  collections: readonly CollectionProfile[],
  keepValues: boolean,
): MadeSpec | undefined {
  const notes = createNotes()
  const { passed, pass } = countPassed(found)
  const { parameterized, asked } = parameterizeReads(found, collections, keepValues, pass)
  const data = planAll(collections, asked, keepValues, notes)
  const operations = operationsOf(parameterized, data, pass)
  if (operations.length === 0) return undefined
  if (operations.some(({ kind }) => kind === 'aggregate'))
    notes.add('Stages of pipelines after the first filters are as they were, with the values in them.')
  for (const [reason, count] of passed) notes.add(`Calls left out because ${reason}: ${count}.`)
  return assemble(database, found, data, operations, notes)
}

type Pass = (reason: string, calls: number) => void

/** Calls that are not in the spec, by the reason: those that could not be read, and those that cannot be parameterized. */
function countPassed(found: CallGroups): { readonly passed: ReadonlyMap<string, number>; readonly pass: Pass } {
  const passed = new Map(found.passed)
  return { passed, pass: (reason, calls) => void passed.set(reason, (passed.get(reason) ?? 0) + calls) }
}

/** A group of calls whose reading part has been drawn anew. */
type Parameterized = { readonly group: CallGroup; readonly profile: CollectionProfile; readonly read: JsonObject }

/** @returns Also the paths that the calls ask for, by collection. */
function parameterizeReads(
  { groups }: CallGroups,
  collections: readonly CollectionProfile[],
  keepValues: boolean,
  pass: Pass,
) {
  const asked = new Map(collections.map(({ collection }) => [collection, new Set<string>()]))
  const parameterized = groups.slice(0, maxShapes).flatMap((group): readonly Parameterized[] => {
    const profile = collections.find(({ collection }) => collection === group.call.collection)
    const ask = (path: string): void => void asked.get(group.call.collection)?.add(path)
    const read = profile && parameterizeCall(group, profile, { isOnly: collections.length === 1, keepValues, ask })
    if (profile && typeof read === 'object') return [{ group, profile, read }]
    pass(typeof read === 'string' ? read : 'their collection is gone', group.count)
    return []
  })
  const rare = groups.slice(maxShapes).reduce((sum, { count }) => sum + count, 0)
  if (rare > 0) pass(`only the ${maxShapes} most frequent shapes are here`, rare)
  return { parameterized, asked }
}

function planAll(
  collections: readonly CollectionProfile[],
  asked: ReadonlyMap<string, ReadonlySet<string>>,
  keepValues: boolean,
  notes: Notes,
): readonly PlannedData[] {
  const isOnly = collections.length === 1
  const parameterName = distinctNames(Object.keys(loadParameters))
  return collections.map((profile) =>
    planData(profile, {
      parameter: parameterName(isOnly ? 'documents' : `${profile.collection.replaceAll(/\W+/g, '_')}Documents`),
      keepValues,
      share: 1 / collections.length,
      asked: [...(asked.get(profile.collection) ?? [])],
      notes: isOnly ? notes : notesOf(profile.collection, notes),
    }),
  )
}

function operationsOf(
  parameterized: readonly Parameterized[],
  data: readonly PlannedData[],
  pass: Pass,
): readonly JsonObject[] {
  const distinct = distinctNames(['mix'])
  return parameterized.flatMap(({ group, profile, read }) => {
    const dataSet = data.find((one) => one.profile === profile)
    if (!dataSet) return []
    const { call, count } = group
    const write = parameterizeWrite(call, dataSet)
    if (typeof write === 'string') {
      pass(write, count)
      return []
    }
    const inCollection = data.length === 1 ? {} : { collection: dataSet.collection }
    return [{ kind: call.kind, name: distinct(nameOf(call)), weight: count, ...inCollection, ...read, ...write }]
  })
}

function assemble(
  database: string,
  { entries }: CallGroups,
  data: readonly PlannedData[],
  operations: readonly JsonObject[],
  notes: Notes,
): MadeSpec {
  const lines = notes.lines()
  const documents = (size: (one: PlannedData) => number): JsonObject =>
    Object.fromEntries(data.map((one) => [one.context.parameter, size(one)]))
  const isCut = data.some((one) => one.documents < one.profile.documents)
  const sets = data.map(({ spec }) => spec)
  const [only] = sets
  const spec: JsonObject = {
    name: specName(`${database}-profile`),
    title: `What the profile of ${database} has seen`,
    description: [
      `Made from ${entries} entries of ${database}.system.profile: one operation for each shape of call, as often as it was seen.`,
      'Values are drawn from made-up documents.',
      ...lines,
    ],
    parameters: { ...documents((one) => one.documents), ...loadParameters },
    profiles: {
      ...(isCut ? { full: documents((one) => one.profile.documents || one.documents) } : {}),
      smoke: { ...documents((one) => Math.min(one.documents, 1000)), ...smokeParameters },
    },
    data: sets.length === 1 && only ? only : sets,
    phases: [timedPhase('mix', operations)],
    report: mixReport,
  }
  return { spec, notes: lines, copied: notes.copiedLines() }
}
