import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { allowedCommands } from '../../spec/operations/command.ts'
import { type DataSets } from './data-sets.ts'
import { type Findings } from './findings.ts'

/** A command as what it is in a spec: an operation, or a part of the set-up. Undefined: it has none. */
type ReadCommand = (command: JsonObject) => JsonObject | undefined

const isReplacement = (update: Json): boolean => isObject(update) && !Object.keys(update)[0]?.startsWith('$')

const present = (fields: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).flatMap(([key, field]) => (field === undefined ? [] : [[key, field]])))

/** The only object of a list. */
const only = (json: Json | undefined): JsonObject | undefined =>
  Array.isArray(json) && json.length === 1 && isObject((json as readonly Json[])[0] ?? null)
    ? ((json as readonly Json[])[0] as JsonObject)
    : undefined

/** Commands that a spec has as operations of their own. */
const commands: Readonly<Record<string, ReadCommand>> = {
  find: ({ find: collection, filter = {}, ...options }) => present({ kind: 'find', collection, filter, ...options }),
  aggregate({ aggregate: collection, pipeline = [], cursor, ...options }) {
    const { batchSize } = isObject(cursor ?? null) ? (cursor as JsonObject) : {}
    return present({ kind: 'aggregate', collection, pipeline, batchSize, ...options })
  },
  insert({ insert: collection, documents, ordered, ...options }) {
    const document = only(documents)
    const count = Array.isArray(documents) ? documents.length : 0
    return document
      ? present({ kind: 'insertOne', collection, document, ...options })
      : present({ kind: 'insertMany', collection, documents, documentsPerCall: count, ordered, ...options })
  },
  update({ update: collection, updates, ordered: _, ...options }) {
    const { q: filter = {}, u = {}, multi, ...others } = only(updates) ?? {}
    if (only(updates) === undefined) return undefined
    if (isReplacement(u))
      return present({ kind: 'replaceOne', collection, filter, replacement: u, ...others, ...options })
    const kind = multi === true ? 'updateMany' : 'updateOne'
    return present({ kind, collection, filter, update: u, ...others, ...options })
  },
  delete({ delete: collection, deletes, ordered: _, ...options }) {
    const { q: filter = {}, limit, ...others } = only(deletes) ?? {}
    const kind = limit === 1 ? 'deleteOne' : 'deleteMany'
    return only(deletes) && present({ kind, collection, filter, ...others, ...options })
  },
}

/** The operation of a command whose values are read already. Undefined: it was refused. */
export function readCommand(command: JsonObject, path: Path, findings: Findings): JsonObject | undefined {
  const [name = ''] = Object.keys(command)
  const isAllowed = (allowedCommands as readonly string[]).includes(name)
  const operation = Object.hasOwn(commands, name)
    ? commands[name]?.(command)
    : isAllowed
      ? { kind: 'command', command }
      : undefined
  if (operation === undefined) findings.refuse(path, `the command ${name}`)
  return operation
}

/** Carries out a command of the set-up on the data sets. False: it is none, or comes too late for one. */
export function applyCommand(command: JsonObject, data: DataSets): boolean {
  const [[name = '', target = null] = []] = Object.entries(command)
  const {
    create: _,
    createIndexes: __,
    indexes,
    writeConcern: ___,
    comment: ____,
    commitQuorum: _____,
    ...rest
  } = command
  const collection = String(target)
  switch (name) {
    case 'drop':
    case 'dropDatabase':
      return !data.isLoaded(collection)
    case 'create':
      data.setOptions(collection, rest)
      return true
    case 'createIndexes':
      data.addIndexes(collection, Array.isArray(indexes) ? (indexes as readonly Json[]) : [])
      return true
    default:
      return false
  }
}
