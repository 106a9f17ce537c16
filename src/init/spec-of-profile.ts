import { type JsonObject } from '../json.ts'
import { type CallGroups } from './call-groups.ts'
import { type PlannedData, planData } from './data-set.ts'
import { distinctNames, specName } from './names.ts'
import { createNotes, type Notes, notesOf } from './notes.ts'
import { type Portrait } from './portrait.ts'
import { nameOf, redrawCall, redrawWrite } from './redraw-call.ts'
import { collectionsIn } from './redraw-pipeline.ts'
import { loadParameters, type MadeSpec, mixPhase, smokeParameters } from './spec-of-collection.ts'

/** More shapes than that nobody reads; the rest is told of. */
const mostShapes = 50

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
  portraits: readonly Portrait[],
  keepValues: boolean,
): MadeSpec | undefined {
  const notes = createNotes()
  const passed = new Map(found.passed)
  const asked = new Map<string, Set<string>>(portraits.map(({ collection }) => [collection, new Set<string>()]))
  const isOnly = portraits.length === 1
  const redrawn = found.groups.slice(0, mostShapes).flatMap((group) => {
    const portrait = portraits.find(({ collection }) => collection === group.call.collection)
    const read =
      portrait && redrawCall(group, portrait, isOnly, (path) => void asked.get(portrait.collection)?.add(path))
    if (typeof read === 'object' && portrait) return [{ group, portrait, read }]
    const reason = typeof read === 'string' ? read : 'their collection is gone'
    passed.set(reason, (passed.get(reason) ?? 0) + group.count)
    return []
  })
  const rare = found.groups.slice(mostShapes).reduce((sum, { count }) => sum + count, 0)
  if (rare > 0) passed.set(`only the ${mostShapes} most frequent shapes are here`, rare)
  const parameterName = distinctNames(Object.keys(loadParameters))
  const data = portraits.map((portrait) =>
    planData(portrait, {
      parameter: parameterName(isOnly ? 'documents' : `${portrait.collection.replaceAll(/\W+/g, '_')}Documents`),
      keepValues,
      share: 1 / portraits.length,
      asked: [...(asked.get(portrait.collection) ?? [])],
      notes: isOnly ? notes : notesOf(portrait.collection, notes),
    }),
  )
  const name = distinctNames(['mix'])
  const operations = redrawn.flatMap(({ group, portrait, read }): readonly JsonObject[] => {
    const dataSet = data.find((one) => one.portrait === portrait)
    const update = dataSet && redrawWrite(group.call, dataSet)
    if (typeof update !== 'object') {
      passed.set(update ?? '', (passed.get(update ?? '') ?? 0) + group.count)
      return []
    }
    const inCollection = isOnly ? {} : { collection: dataSet?.collection ?? '' }
    const { kind } = group.call
    return [{ kind, name: name(nameOf(group.call)), weight: group.count, ...inCollection, ...read, ...update }]
  })
  if (operations.length === 0) return undefined
  if (operations.some(({ kind }) => kind === 'aggregate'))
    notes.add('Stages of pipelines after the first filters are as they were, with the values in them.')
  for (const [reason, count] of passed)
    notes.add(`${count === 1 ? '1 call is' : `${count} calls are`} left out: ${reason}.`)
  return assemble(database, found, data, operations, notes)
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
  const isCut = data.some((one) => one.documents < one.portrait.documents)
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
      ...(isCut ? { full: documents((one) => one.portrait.documents || one.documents) } : {}),
      smoke: { ...documents((one) => Math.min(one.documents, 1000)), ...smokeParameters },
    },
    data: sets.length === 1 && only ? only : sets,
    phases: [mixPhase('mix', operations)],
  }
  return { spec, notes: lines, copied: notes.copiedLines() }
}
