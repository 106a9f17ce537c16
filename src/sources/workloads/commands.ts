import { type Json, type JsonObject, type Path } from '../../core/json.ts'
import { allowedCommands } from '../../spec/operations/command.ts'
import { deleteModel, effective, updateModel } from '../mongo-perf/shell-commands.ts'
import { type DataSets } from './data-sets.ts'
import { type Findings } from './findings.ts'
import { listIn, objectIn } from './parse-yaml.ts'

/** One write is an operation of its own, several are a bulk write. */
function writesTo(collection: Json | undefined, models: readonly JsonObject[], options: JsonObject): JsonObject {
  const [[kind = '', fields] = []] = Object.entries(models[0] ?? {})
  return models.length === 1
    ? { kind, collection: collection ?? null, ...objectIn(fields), ...options }
    : { kind: 'bulkWrite', collection: collection ?? null, operations: models, ...options }
}

/** Commands that a spec has as operations of their own. */
const commands: Readonly<Record<string, (command: JsonObject) => JsonObject>> = {
  find: ({ find: collection = null, filter = {}, ...options }) => ({ kind: 'find', collection, filter, ...options }),
  aggregate({ aggregate: collection = null, pipeline = [], cursor, ...options }) {
    return { kind: 'aggregate', collection, pipeline, ...objectIn(cursor), ...options }
  },
  insert({ insert: collection = null, documents, ...options }) {
    const list = listIn(documents)
    if (list.length > 1)
      return { kind: 'insertMany', collection, documents: list, documentsPerCall: list.length, ...options }
    const { ordered: _, ...others } = options
    return { kind: 'insertOne', collection, document: list[0] ?? {}, ...others }
  },
  update(command) {
    const { update, updates, ordered: _, ...options } = command
    const models = listIn(updates).map((one) => {
      const { q = {}, u = {}, ...others } = objectIn(one)
      return updateModel(q, u, others)
    })
    return writesTo(update, models, options)
  },
  delete(command) {
    const { delete: collection, deletes, ordered: _, ...options } = command
    const models = listIn(deletes).map((one) => deleteModel(objectIn(one)['q'] ?? {}, objectIn(one)['limit'] === 1))
    return writesTo(collection, models, options)
  },
}

/** The operation of a command whose values are read already. Undefined: it was refused. */
export function readCommand(command: JsonObject, path: Path, findings: Findings): JsonObject | undefined {
  const [name = ''] = Object.keys(command)
  if (name === 'find' || name === 'aggregate')
    findings.remark('cursors of the commands find and aggregate are read to their end, and not only their first batch')
  if (Object.hasOwn(commands, name)) return commands[name]?.(command)
  if ((allowedCommands as readonly string[]).includes(name)) return { kind: 'command', command }
  return void findings.refuse(path, `the command ${name}`)
}

/** Carries out a command of the set-up on the data sets. False: it is none. */
export function applyCommand(command: JsonObject, data: DataSets): boolean {
  const [[name = '', target = null] = []] = Object.entries(command)
  const collection = String(target)
  if (name === 'create') data.setOptions(collection, effective(command, name))
  else if (name === 'createIndexes') data.addIndexes(collection, listIn(command['indexes']))
  else return name === 'drop' && !data.isLoaded(collection)
  return true
}
