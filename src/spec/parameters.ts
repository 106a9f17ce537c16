import { type Json, type Path } from '../json.ts'
import { fold, type FoldContext, type Written } from './fold.ts'

/** The parameters of one row. Each is folded when it is first used, so they may use one another. */
export class Parameters {
  readonly #definitions: ReadonlyMap<string, Written>
  readonly #folded = new Map<string, Written>()
  readonly #underWay: string[] = []

  constructor(definitions: ReadonlyMap<string, Written>) {
    this.#definitions = definitions
  }

  get names(): readonly string[] {
    return [...this.#definitions.keys()]
  }

  /** As written, nothing folded. */
  raw(name: string): Written | undefined {
    return this.#definitions.get(name)
  }

  /** Undefined for a name that does not exist (reported when the text is scanned) and for a circle (reported here). */
  get(name: string, usedAt: Path, context: FoldContext): Written | undefined {
    const known = this.#folded.get(name)
    if (known) return known
    const definition = this.#definitions.get(name)
    if (!definition) return undefined
    if (this.#underWay.includes(name)) {
      const circle = [...this.#underWay.slice(this.#underWay.indexOf(name)), name]
      context.report(usedAt, `the parameters ${circle.map((step) => `"${step}"`).join(' -> ')} go round in a circle`)
      return undefined
    }
    this.#underWay.push(name)
    const folded = fold(definition, context)
    this.#underWay.pop()
    this.#folded.set(name, folded)
    return folded
  }

  /** All parameters, folded: what the result says was used. */
  all(context: FoldContext): ReadonlyMap<string, Json> {
    return new Map(this.names.map((name) => [name, this.get(name, ['parameters', name], context)?.node ?? null]))
  }
}
