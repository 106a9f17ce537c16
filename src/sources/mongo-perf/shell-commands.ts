import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { type Recorder } from './recorder.ts'

type Handle = (recorder: Recorder, command: JsonObject) => void

const getCommandCollection = (command: JsonObject): string => String(Object.values(command)[0])

const toObjectList = (json: Json | undefined): readonly JsonObject[] =>
  Array.isArray(json) ? (json as readonly Json[]).filter(isObject) : []

/** Options that change how a command is sent or built, and not what it does. */
const withoutEffect: ReadonlySet<string> = new Set(['writeConcern', 'background', 'comment', 'v', 'autoIndexId'])

/** The fields of a command or of options that change what it does. */
export const effective = (options: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(options).filter(([key]) => !names.includes(key) && !withoutEffect.has(key)))

/** Model of `bulkWrite` for an update of the shell: an update without operators is a replacement. */
export function updateModel(filter: Json, update: Json, options: JsonObject): JsonObject {
  const { multi, ...others } = options
  const isReplacement = isObject(update) && !Object.keys(update)[0]?.startsWith('$')
  if (isReplacement) return { replaceOne: { filter, replacement: update, ...others } }
  return { [multi === true ? 'updateMany' : 'updateOne']: { filter, update, ...others } }
}

/** Model of `bulkWrite` for a removal. */
export const deleteModel = (filter: Json, justOne: boolean): JsonObject => ({
  [justOne ? 'deleteOne' : 'deleteMany']: { filter },
})

/** Commands that a set-up may run, under their names in small letters. */
const handled: Readonly<Record<string, Handle>> = {
  create: (recorder, command) => recorder.create(getCommandCollection(command), effective(command, 'create')),
  drop: (recorder, command) => recorder.drop(getCommandCollection(command)),
  dropdatabase: (recorder) => recorder.dropAll(),
  insert: (recorder, command) => recorder.insert(getCommandCollection(command), toObjectList(command['documents'])),
  createindexes(recorder, command) {
    for (const index of toObjectList(command['indexes']))
      recorder.createIndex(getCommandCollection(command), effective(index))
  },
  dropindexes: (recorder, command) =>
    recorder.dropIndexes(getCommandCollection(command), command['index'] === '*' ? undefined : command['index']),
  update(recorder, command) {
    for (const { q = {}, u = {}, ...options } of toObjectList(command['updates']))
      recorder.write(getCommandCollection(command), updateModel(q, u, options))
  },
  delete(recorder, command) {
    for (const { q = {}, limit } of toObjectList(command['deletes']))
      recorder.write(getCommandCollection(command), deleteModel(q, limit === 1))
  },
  setparameter(recorder, command) {
    recorder.setServerParameters(effective(command, 'setParameter'))
  },
  // Writes of the set-up are acknowledged anyway.
  getlasterror: () => {},
}

/** Records a command. Refuses by its name what is not handled: its reply would be read, or a spec cannot express it. */
export function recordCommand(recorder: Recorder, command: Json): void {
  const name = isObject(command) ? (Object.keys(command)[0] ?? '') : String(command)
  const handle = handled[name.toLowerCase()]
  if (!handle) recorder.refuse(`the command ${name}`)
  handle(recorder, isObject(command) ? command : { [name]: 1 })
}
