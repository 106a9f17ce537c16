import { Problem } from '../../core/errors.ts'
import { type JsonObject, type Path, pathText } from '../../core/json.ts'
import { didYouMean, nearest } from '../../core/nearest.ts'

/** Findings in a file of another tool: what no spec can have, and what a spec has in another way. Nothing passes silently. */
export class Findings {
  readonly #file: string
  readonly #refused = new Set<string>()
  readonly #remarks = new Set<string>()

  constructor(file: string) {
    this.#file = file
  }

  /** Differences for the user to know. */
  get remarks(): readonly string[] {
    return [...this.#remarks]
  }

  /** Adds what is not imported, by its name and place. @returns a placeholder, so that the rest is read too. */
  refuse(path: Path, what: string): null {
    const place = path.length === 0 ? '' : `${pathText(path)}: `
    this.#refused.add(`${this.#file}: ${place}${what} is not imported`)
    return null
  }

  remark(text: string): void {
    this.#remarks.add(text)
  }

  /** Refuses all fields but those. */
  requireFields(object: JsonObject, known: readonly string[], path: Path): void {
    for (const name of Object.keys(object))
      if (!known.includes(name)) this.refuse(path, `the field "${name}"${didYouMean(nearest(name, known))}`)
  }

  /** @throws {Problem} "spec-invalid" with all that was refused. */
  throwIfRefused(): void {
    const count = this.#refused.size
    if (count === 0) return
    throw new Problem('spec-invalid', [...this.#refused].join('\n'), {
      hint: `${count === 1 ? 'One part' : `${count} parts`} of the file cannot be imported; nothing was written. docs/importing.md lists what can.`,
    })
  }
}
