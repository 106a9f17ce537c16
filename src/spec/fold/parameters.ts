import { type Json, type Path } from '../../core/json.ts'
import { unresolved } from '../../language/expression.ts'
import { type FoldContext, type Written } from './fold-context.ts'
import { fold } from './fold.ts'

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

  /** The definition of a parameter, not folded. */
  raw(name: string): Written | undefined {
    return this.#definitions.get(name)
  }

  /** These parameters with the values of a row. */
  with(choices: ReadonlyMap<string, Written>): Parameters {
    return new Parameters(new Map([...this.#definitions, ...choices]))
  }

  /** The folded value. Undefined, with a report, where a name has no value or is part of a cycle. */
  get(name: string, usedAt: Path, context: FoldContext): Written | undefined {
    const known = this.#folded.get(name)
    if (known) return known
    const definition = this.#definitions.get(name)
    if (!definition) {
      context.report(usedAt, `not every row gives a value to "${name}": give it one in "parameters"`)
      return undefined
    }
    if (definition.node === unresolved) return definition
    if (this.#underWay.includes(name)) {
      const cycle = [...this.#underWay.slice(this.#underWay.indexOf(name)), name]
      context.report(usedAt, `the parameters ${cycle.map((step) => `"${step}"`).join(' -> ')} form a cycle`)
      return undefined
    }
    this.#underWay.push(name)
    const folded = fold(definition, context)
    this.#underWay.pop()
    this.#folded.set(name, folded)
    return folded
  }

  /** All parameters, folded, as the result lists them. */
  all(context: FoldContext): ReadonlyMap<string, Json> {
    return new Map(this.names.map((name) => [name, this.get(name, ['parameters', name], context)?.node ?? null]))
  }
}
