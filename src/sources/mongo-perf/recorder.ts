import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { type RecordedSetup, type RecordedWrite, Unsupported } from './recorded.ts'
import { withDoubles } from './to-json.ts'

type Collection = {
  readonly name: string
  options: JsonObject
  lines: string[]
  indexes: JsonObject[]
  indexedFirst: boolean
  readonly ids: Set<number | string>
}

/** Bytes that a document or write counts beside its text: for its memory, and for the work of a call. */
const bytesBeside = 500

/**
 * Records the effect of the calls of `pre` or `post` on a database that is empty at first. Documents and indexes are kept as they are at the
 * end; other writes are kept in their order, to be made after the documents are loaded.
 */
export class Recorder {
  readonly #collections = new Map<string, Collection>()
  #writes: RecordedWrite[] = []
  #duplicates = 0
  #serverParameters: JsonObject = {}
  #refusal: Unsupported | undefined
  readonly #maxBytes: number
  #bytes = 0

  /** @param maxBytes Of all documents and writes. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Why it cannot be recorded whole. Kept, because the code of a test may catch what is thrown. */
  get refusal(): Unsupported | undefined {
    return this.#refusal
  }

  /** @throws {Unsupported} always. */
  refuse(reason: string): never {
    this.#refusal ??= new Unsupported(reason)
    throw this.#refusal
  }

  /** Counts all that was ever made: a script that inserts and drops for ever ends where it would on any machine. */
  count(bytes: number): void {
    this.#bytes += bytes + bytesBeside
    if (this.#bytes <= this.#maxBytes) return
    this.refuse(`more than ${Math.round(this.#maxBytes / 2 ** 20)} MB of documents and writes (half of --memory)`)
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

  /** @param goesOn Whether the shell goes on after a document that the server refuses. */
  insert(name: string, documents: readonly Json[], goesOn = false): void {
    const collection = this.#made(name)
    for (const document of documents) {
      if (!isObject(document)) this.refuse('an insert of something that is no document')
      // A document that comes after another write may depend on it, or be changed by it if it came before.
      if (this.#writes.some((write) => write.collection === name)) this.write(name, { insertOne: { document } })
      else if (isNew(document['_id'], collection))
        collection.lines.push(this.#counted(JSON.stringify(withDoubles(document))))
      else if (goesOn) this.#duplicates += 1
      else this.refuse('an insert of an _id that is there already')
    }
  }

  write(name: string, model: JsonObject): void {
    this.#made(name)
    this.#counted(JSON.stringify(model))
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
      duplicates: this.#duplicates,
      serverParameters: this.#serverParameters,
    }
  }

  #counted(text: string): string {
    this.count(text.length)
    return text
  }

  #made(name: string): Collection {
    const made = this.#collections.get(name)
    if (made) return made
    const collection: Collection = { name, options: {}, lines: [], indexes: [], indexedFirst: false, ids: new Set() }
    this.#collections.set(name, collection)
    return collection
  }
}

/** Remembers the `_id`. Without one, the server makes one. */
function isNew(id: Json | undefined, { ids }: Collection): boolean {
  return id === undefined || ids.size < ids.add(idKey(id)).size
}

/** Equal for equal numbers of these types. Beyond 2^53 a JavaScript number is not exact. */
function idKey(id: Json): number | string {
  const [type = '', digits] = isObject(id) ? (Object.entries(id)[0] ?? []) : []
  const number = /^\$number(Int|Long|Double)$/.test(type) ? Number(digits) : id
  return typeof number === 'number' && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : JSON.stringify(id)
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
