import { type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type Findings } from './findings.ts'

type DataSet = { collection: string; copies?: number; [field: string]: Json | undefined }

/** The collections of an imported spec. All are declared, those without documents too. */
export class DataSets {
  readonly #sets = new Map<string, DataSet>()
  readonly #findings: Findings

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** Declares a collection, or with `copies` as many of the name with a number behind it. @returns the name. */
  use(collection: string, copies?: number): string {
    const made = this.#sets.get(collection)
    if (made === undefined) this.#sets.set(collection, { collection, ...(copies !== undefined && { copies }) })
    else if (copies !== undefined) made.copies = Math.max(copies, made.copies ?? 0)
    return collection
  }

  isLoaded(collection: string): boolean {
    return this.#sets.get(collection)?.['document'] !== undefined
  }

  /** Fills a collection. */
  load(collection: string, parts: JsonObject, path: Path): void {
    if (this.isLoaded(collection)) this.#findings.refuse(path, `a second load of "${collection}"`)
    else Object.assign(this.#sets.get(this.use(collection)) as DataSet, parts)
  }

  addIndexes(collection: string, indexes: readonly Json[]): void {
    if (indexes.length === 0) return
    const set = this.#sets.get(this.use(collection)) as DataSet
    set['indexes'] = [...((set['indexes'] as readonly Json[] | undefined) ?? []), ...indexes]
  }

  setOptions(collection: string, options: JsonObject): void {
    if (Object.keys(options).length > 0) Object.assign(this.#sets.get(this.use(collection)) as DataSet, { options })
  }

  /** `data` of the spec. A collection is one of the copies where its name is among theirs. */
  json(): Json {
    const all = [...this.#sets.values()]
    const isCopy = (name: string): boolean =>
      all.some(({ collection, copies = 0 }) => {
        const number = name.startsWith(collection) ? name.slice(collection.length) : ''
        return /^(0|[1-9]\d*)$/.test(number) && Number(number) < copies
      })
    for (const { collection, ...own } of all)
      if (isCopy(collection) && Object.keys(own).length > 0)
        this.#findings.refuse([], `what only one of several copies has ("${collection}")`)
    return all.filter(({ collection }) => !isCopy(collection)) as readonly Json[]
  }
}
