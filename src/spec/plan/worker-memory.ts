import { type Memory } from '../../language/generators/generator.ts'
import { suggestion } from '../../language/issues.ts'
import { type DrawContext } from '../../language/values/draw-context.ts'
import { type ValueScope } from '../../language/values/scope.ts'
import { type PhaseScope } from './phase-scope.ts'

/**
 * Values that the workers of a pass remember. A worker is the number of a call modulo the workers, as `@worker` counts them: every
 * unit builds all calls that remember something, so that each knows what they left, whichever unit sends them.
 */
export class WorkerMemory implements Memory {
  readonly names: readonly string[]
  readonly #workers: number
  readonly #kept = new Map<string, unknown[]>()

  constructor(names: readonly string[], workers: number) {
    this.names = names
    this.#workers = workers
  }

  read(name: string, call: number): unknown {
    return this.#kept.get(name)?.[call % this.#workers]
  }

  keep(name: string, call: number, value: unknown): void {
    const kept = this.#kept.get(name) ?? []
    kept[call % this.#workers] = value
    this.#kept.set(name, kept)
  }
}

/**
 * Keeps values of the `let` of an operation once a call of it has been built. Undefined: it remembers none.
 * @param scope A scope that knows the names of its `let`.
 */
export function compileRemember(
  names: readonly string[] | undefined,
  scope: ValueScope,
  phase: PhaseScope,
): ((drawContext: DrawContext) => void) | undefined {
  if (names === undefined || names.length === 0) return undefined
  const slots = names.map((name) => scope.variables.get(name))
  const unknown = names.findIndex((_, i) => slots[i] === undefined)
  if (unknown >= 0)
    phase.report(
      [...scope.path, 'remember', unknown],
      `"let" of the operation makes no value "${names[unknown]}"${suggestion(names[unknown] ?? '', [...scope.variables.keys()])}`,
    )
  phase.noteCounted({ kind: 'anything' })
  return ({ call, variables }) =>
    names.forEach((name, i) => phase.memory.keep(name, call, variables[slots[i] ?? 0] ?? null))
}
