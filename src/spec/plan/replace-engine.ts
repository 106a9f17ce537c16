import { Problem } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { type EngineKind } from '../../load/engines/engine-kinds.ts'
import { type SpecRow } from '../schema/read-rows.ts'

/** The row with one engine for all of its phases. */
export const onEngine = (row: SpecRow, engine: EngineKind): SpecRow => ({
  ...row,
  spec: { ...row.spec, phases: row.spec.phases.map((phase) => ({ ...phase, engine })) },
})

/** The spec as JSON with one engine for all of its phases. */
export function withEngine({ phases, ...spec }: JsonObject, engine: EngineKind): JsonObject {
  return { ...spec, engine, phases: Array.isArray(phases) ? phases.map(withoutEngine) : (phases ?? null) }
}

function withoutEngine(phase: Json): Json {
  if (!isObject(phase)) return phase
  const { engine: _, ...rest } = phase
  return rest
}

/**
 * One engine in the place of two that the rows of a spec compare: tables would show its figures under the names of both.
 * @param rows With the engines that the spec gives them.
 */
export function refuseOneEngineForSeveral(rows: readonly SpecRow[]): void {
  const found = new Map<string, { readonly engine: EngineKind; readonly label: string }>()
  for (const { label, spec } of rows)
    for (const { name, engine } of spec.phases) {
      const other = found.get(name) ?? { engine, label }
      if (other.engine !== engine) throw oneForSeveral(name, other.label, label)
      found.set(name, other)
    }
}

const oneForSeveral = (phase: string, first: string, second: string): Problem =>
  new Problem(
    'usage',
    `Rows differ in the engine of the phase "${phase}" ("${first}" and "${second}"): with one engine for all, the table would compare it with itself`,
    { hint: 'Leave --engine out, or choose rows with --only.' },
  )
