import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { recordedDatabase, Unsupported } from './recorded.ts'
import { type Recorder } from './recorder.ts'
import { deleteModel, effective, recordCommand, updateModel } from './shell-commands.ts'
import { standIns, toJson } from './to-json.ts'

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

/** The recorder of what runs now: that of a `pre`, of a `post`, or of the file itself. */
export type CurrentRecorder = () => Recorder

/** Options of a call of the shell: fields without a value are as good as absent. */
function toShellOptions(given: unknown): JsonObject {
  const fields = Object.entries((given ?? {}) as object).filter(([, value]) => value !== undefined)
  return toJson(Object.fromEntries(fields)) as JsonObject
}

/** The reply to a write: `ok` is 1, and whatever else is read of it is refused. */
const replyTo = (what: string, current: CurrentRecorder): object =>
  new Proxy(
    {},
    {
      get(_target, key) {
        if (typeof key === 'symbol') return undefined
        return key === 'ok' ? 1 : current().refuse(`the reply of ${what} (${key})`)
      },
    },
  )

/** Methods that keep what they cannot record, also where the code of a test catches the error. */
const guarded = (methods: Methods, current: CurrentRecorder): Methods =>
  Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      (...args) => {
        try {
          return method(...args)
        } catch (error) {
          if (error instanceof Unsupported) current().refuse(error.message)
          throw error
        }
      },
    ]),
  )

/** A function whose properties are methods, and collections where no method has the name. Refuses to be called itself. */
function standIn(what: string, given: Methods, other: (name: string) => unknown, current: CurrentRecorder): unknown {
  const methods = guarded(given, current)
  const proxy: unknown = new Proxy(() => undefined, {
    get: (_target, key) =>
      typeof key === 'symbol' ? undefined : (Object.hasOwn(methods, key) && methods[key]) || other(key),
    apply: () => current().refuse(`${what}()`),
  })
  standIns.add(proxy as object)
  return proxy
}

/** A stand-in for a database of the shell, which records what is done to it. */
export function createDatabase(current: CurrentRecorder): unknown {
  const reply = (what: string): object => replyTo(`db.${what}`, current)
  const collections = new Map<string, unknown>()
  const collection = (name: string): unknown => {
    const made = collections.get(name) ?? createCollection(name, () => database, collection, current)
    collections.set(name, made)
    return made
  }
  const run = (given: unknown, what: string): object => {
    recordCommand(current(), toJson(given))
    return reply(what)
  }
  const methods: Methods = {
    getName: () => recordedDatabase,
    toString: () => recordedDatabase,
    getCollection: (name) => collection(String(name)),
    getSiblingDB: (name) =>
      name === recordedDatabase ? database : current().refuse(`another database: db.getSiblingDB(${String(name)})`),
    createCollection(name, options) {
      current().create(String(name), effective(toShellOptions(options)))
      return reply('createCollection')
    },
    createView(name, viewOn, pipeline, options) {
      current().create(String(name), {
        viewOn: String(viewOn),
        pipeline: toJson(pipeline ?? []),
        ...toShellOptions(options),
      })
      return reply('createView')
    },
    runCommand: (command) => run(command, 'runCommand'),
    adminCommand: (command) => run(command, 'adminCommand'),
    dropDatabase() {
      current().dropAll()
      return reply('dropDatabase')
    },
    getLastError: () => null,
    getLastErrorObj: () => reply('getLastErrorObj'),
    getMongo: () => current().refuse('db.getMongo()'),
  }
  const database = standIn('db', methods, collection, current)
  return database
}

function toDocumentList(given: unknown): readonly Json[] {
  const json = toJson(given)
  return Array.isArray(json) ? (json as readonly Json[]) : [json]
}

/** The second argument of `remove`. */
const isJustOne = (given: unknown): boolean =>
  typeof given === 'object' ? toShellOptions(given)['justOne'] === true : given === true

function createCollection(
  name: string,
  database: () => unknown,
  collection: (name: string) => unknown,
  current: CurrentRecorder,
): unknown {
  const done = (what: string): object => replyTo(`collection.${what}`, current)
  const insert = (given: unknown): void => current().insert(name, toDocumentList(given))
  const write = (model: JsonObject): void => current().write(name, model)
  const createIndex = (key: unknown, options?: unknown): void =>
    current().createIndex(name, { key: toJson(key), ...effective(toShellOptions(options)) })
  const update = (filter: unknown, change: unknown, options: JsonObject): void =>
    write(updateModel(toJson(filter), toJson(change), effective(options)))

  const writes: Methods = {
    drop: () => current().drop(name),
    insert(given) {
      const documents = toDocumentList(given)
      current().insert(name, documents, documents.length === 1)
    },
    insertOne: insert,
    insertMany: insert,
    save(document) {
      const json = toJson(document)
      const id = isObject(json) ? json['_id'] : undefined
      if (id === undefined) insert(document)
      else write({ replaceOne: { filter: { _id: id }, replacement: json, upsert: true } })
    },
    update(filter, change, third, multi) {
      const options = typeof third === 'object' ? toShellOptions(third) : toShellOptions({ upsert: third, multi })
      update(filter, change, options)
    },
    updateOne: (filter, change, options) => update(filter, change, toShellOptions(options)),
    updateMany: (filter, change, options) => update(filter, change, { ...toShellOptions(options), multi: true }),
    replaceOne: (filter, replacement, options) => update(filter, replacement, toShellOptions(options)),
    remove: (filter, justOne) => write(deleteModel(toJson(filter ?? {}), isJustOne(justOne))),
    deleteOne: (filter) => write(deleteModel(toJson(filter), true)),
    deleteMany: (filter) => write(deleteModel(toJson(filter), false)),
    bulkWrite(models) {
      for (const model of toDocumentList(models)) if (isObject(model)) recordModel(current(), name, model)
    },
    createIndex,
    ensureIndex: createIndex,
    createIndexes(keys, options) {
      for (const key of keys as readonly unknown[]) createIndex(key, options)
    },
    dropIndex: (which) => current().dropIndexes(name, toJson(which)),
    dropIndexes: () => current().dropIndexes(name),
    runCommand(command, options) {
      const json = toJson(command)
      recordCommand(current(), typeof json === 'string' ? { [json]: name, ...toShellOptions(options) } : json)
    },
  }
  const answered = Object.entries(writes).map(
    ([method, call]) =>
      [
        method,
        (...args: readonly unknown[]): unknown => {
          call(...args)
          return done(`${method}()`)
        },
      ] as const,
  )
  const methods: Methods = {
    ...Object.fromEntries(answered),
    getName: () => name,
    getFullName: () => `${recordedDatabase}.${name}`,
    toString: () => `${recordedDatabase}.${name}`,
    getDB: database,
    getCollection: (below) => collection(`${name}.${String(below)}`),
    getPlanCache: () => createPlanCache(current),
    initializeOrderedBulkOp: () => createBulk(name, current),
    initializeUnorderedBulkOp: () => createBulk(name, current),
  }
  return standIn(calledAs(name), methods, (below) => collection(`${name}.${below}`), current)
}

/** The plan cache of a collection. There are no plans before the first query, so there is nothing to clear. */
function createPlanCache(current: CurrentRecorder): unknown {
  const what = 'collection.getPlanCache()'
  const other = (name: string): never => current().refuse(`${what}.${name}`)
  return standIn(what, { clear: () => replyTo(`${what}.clear()`, current) }, other, current)
}

/** How a function that the shell has and this one has not is called: its name looks like that of a collection. */
const calledAs = (name: string): string =>
  name.includes('.') ? `collection.${name.split('.').at(-1) ?? ''}` : `db.${name}`

/** Records a model of `bulkWrite`. Inserts become documents of the set-up. */
function recordModel(recorder: Recorder, name: string, model: JsonObject): void {
  const { insertOne } = model
  if (isObject(insertOne)) recorder.insert(name, [insertOne['document'] ?? insertOne])
  else recorder.write(name, model)
}

/** A bulk of the shell: its writes are recorded when it is executed. */
function createBulk(name: string, current: CurrentRecorder): Methods {
  const writes: JsonObject[] = []
  const add = (model: JsonObject): void => {
    current().count(0)
    writes.push(model)
  }
  const find = (filter: Json, options: JsonObject): Methods =>
    guarded(
      {
        upsert: () => find(filter, { ...options, upsert: true }),
        update: (change) => add(updateModel(filter, toJson(change), { ...options, multi: true })),
        updateOne: (change) => add(updateModel(filter, toJson(change), options)),
        replaceOne: (change) => add(updateModel(filter, toJson(change), options)),
        remove: () => add(deleteModel(filter, false)),
        delete: () => add(deleteModel(filter, false)),
        removeOne: () => add(deleteModel(filter, true)),
        deleteOne: () => add(deleteModel(filter, true)),
      },
      current,
    )
  return guarded(
    {
      insert: (document) => add({ insertOne: { document: toJson(document) } }),
      find: (filter) => find(toJson(filter ?? {}), {}),
      execute() {
        // Each is let go when it is recorded, because all of them may be hundreds of megabytes.
        writes.reverse()
        for (let model = writes.pop(); model !== undefined; model = writes.pop()) recordModel(current(), name, model)
        return replyTo('bulk.execute()', current)
      },
    },
    current,
  )
}
