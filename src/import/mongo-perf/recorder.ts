import { isObject, type Json, type JsonObject } from '../../json.ts'
import { type RecordedSetup, type RecordedWrite, Unsupported } from './recorded.ts'
import { withDoubles } from './to-json.ts'

type Collection = {
  readonly name: string
  options: JsonObject
  lines: string[]
  indexes: JsonObject[]
  indexedFirst: boolean
}

/**
 * What the calls of `pre` or `post` do to a database that is empty at first. Documents and indexes are kept as they are at the
 * end; other writes are kept in their order, to be made after the documents are loaded.
 */
export class Recorder {
  readonly #collections = new Map<string, Collection>()
  #writes: RecordedWrite[] = []
  #serverParameters: JsonObject = {}
  #refusal: Unsupported | undefined

  /** Why it cannot be recorded whole. Kept, because the code of a test may catch what is thrown. */
  get refusal(): Unsupported | undefined {
    return this.#refusal
  }

  /** @throws {Unsupported} always. */
  refuse(reason: string): never {
    this.#refusal ??= new Unsupported(reason)
    throw this.#refusal
  }

  drop(name: string): void {
    this.#collections.delete(name)
    this.#writes = this.#writes.filter(({ collection }) => collection !== name)
  }

  dropAll(): void {
    this.#collections.clear()
    this.#writes = []
  }

  /** The server refuses to create a collection that exists, and the official tests let it. */
  create(name: string, options: JsonObject): void {
    if (this.#collections.has(name)) return
    this.#made(name).options = options
  }

  insert(name: string, documents: readonly Json[]): void {
    const collection = this.#made(name)
    for (const document of documents) {
      if (!isObject(document)) this.refuse('an insert of something that is no document')
      // A document that comes after another write may depend on it, or be changed by it if it came before.
      if (this.#writes.some((write) => write.collection === name)) this.write(name, { insertOne: { document } })
      else collection.lines.push(JSON.stringify(withDoubles(document)))
    }
  }

  write(name: string, model: JsonObject): void {
    this.#made(name)
    this.#writes.push({ collection: name, model })
  }

  createIndex(name: string, index: JsonObject): void {
    const collection = this.#made(name)
    if (isSame(index['key'], { _id: 1 })) return
    if (collection.lines.length === 0) collection.indexedFirst = true
    if (!collection.indexes.some(({ key }) => isSame(key, index['key']))) collection.indexes.push(index)
  }

  /** @param which Its name or its key. Undefined: all. */
  dropIndexes(name: string, which?: Json): void {
    const collection = this.#made(name)
    collection.indexes = collection.indexes.filter((index) => which !== undefined && !isIndex(index, which))
  }

  setServerParameters(parameters: JsonObject): void {
    this.#serverParameters = { ...this.#serverParameters, ...parameters }
  }

  recorded(): RecordedSetup {
    if (this.#refusal) throw this.#refusal
    return {
      collections: [...this.#collections.values()],
      writes: this.#writes,
      serverParameters: this.#serverParameters,
    }
  }

  #made(name: string): Collection {
    const made = this.#collections.get(name)
    if (made) return made
    const collection: Collection = { name, options: {}, lines: [], indexes: [], indexedFirst: false }
    this.#collections.set(name, collection)
    return collection
  }
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const isIndex = (index: JsonObject, which: Json): boolean =>
  typeof which === 'string' ? (index['name'] ?? defaultName(index)) === which : isSame(index['key'], which)

/** The name that a server gives to an index without one. */
const defaultName = ({ key }: JsonObject): string =>
  Object.entries(isObject(key) ? key : {})
    .map(([field, kind]) => `${field}_${String(kind)}`)
    .join('_')
