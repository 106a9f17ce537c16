import { type Json, type JsonObject } from '../../core/json.ts'
import { type PlannedData } from './data-set.ts'
import { drawOf, inCall, usesRow } from './draws.ts'
import { type Notes } from './notes.ts'
import { mainKind } from './places.ts'

/** Kinds of fixed size: updating them never grows a document. */
const steady: ReadonlySet<string | undefined> = new Set(['int', 'long', 'double', 'date', 'boolean', 'decimal'])

/** As many inserts as updates; only inserts, with a note, if no field may change. */
export function insertAndUpdate(data: PlannedData, notes: Notes): readonly JsonObject[] {
  const { kind, options } = data.profile
  const update = options['capped'] === true || kind === 'timeseries' ? undefined : updateById(data)
  if (update === undefined) notes.add('Nothing is updated: no field may change.')
  return [{ kind: 'insertOne', weight: 10 }, ...(update === undefined ? [] : [update])]
}

/** An update of one field of a document by its `_id`. Undefined if there is no field to change. */
function updateById({ profile, spec, context, indexes }: PlannedData): JsonObject | undefined {
  const document = spec['document'] as Readonly<Record<string, Json>>
  const indexed = new Set(indexes.flatMap(({ key }) => key.map(([field]) => field)))
  const fields = [...(profile.shape.object?.fields ?? [])].filter(
    ([name]) =>
      name !== '_id' &&
      Object.hasOwn(document, name) &&
      !name.includes('.') &&
      name !== '' &&
      !context.unique.has(name) &&
      !usesRow(document[name] ?? null),
  )
  const chosen =
    fields.find(([name, shape]) => !indexed.has(name) && steady.has(mainKind(shape))) ??
    fields.find(([name, shape]) => !indexed.has(name) && mainKind(shape) === 'string') ??
    fields.find(([, shape]) => steady.has(mainKind(shape)) || mainKind(shape) === 'string')
  if (!chosen) return undefined
  const [name, shape] = chosen
  const update = { $set: { [name]: drawOf(shape, name, inCall(context)) } }
  return { kind: 'updateOne', weight: 10, filter: { _id: { '@key': {} } }, update }
}
