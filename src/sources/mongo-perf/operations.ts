import { type Json, type JsonObject } from '../../core/json.ts'
import { type Call, isLet, type Let, readOp } from './calls.ts'
import { Unsupported } from './recorded.ts'
import { createTemplates, hasTemplate, type Templates } from './templates.ts'

/** Maximum number of steps of an operation. */
const maxSteps = 100

/**
 * The operations of a test as one operation of a spec: what it repeats in order.
 * @param collection Name of the test's collection.
 * @throws {Unsupported} with the name of what a spec cannot express.
 */
export function measuredOperation(ops: readonly JsonObject[], collection: string): JsonObject {
  const parts = ops.map((op) => readOp(op, collection))
  const templates = createTemplates(parts.flatMap((part) => (isLet(part) ? [part.value] : Object.values(part.values))))
  const calls = parts.filter((part): part is Call => !isLet(part))
  const [first] = calls
  if (!first) throw new Unsupported('no operation of the server')
  if (calls.length === parts.length && canRotate(calls)) return rotated(calls, templates)
  const { lets, written } = writeParts(parts, templates)
  if (written.length > maxSteps) throw new Unsupported(`${written.length} operations of different kinds in one test`)
  const made = { ...templates.lets(), ...lets }
  const given = Object.keys(made).length > 0 ? { let: made } : {}
  const [only] = written
  if (only && written.length === 1) return { ...only, ...given }
  return { kind: 'steps', ...given, steps: named(written) }
}

/** Operations in their order, and the variables that they read. */
function writeParts(parts: readonly (Call | Let)[], templates: Templates) {
  const lets: { [name: string]: Json } = {}
  const written: JsonObject[] = []
  for (const part of parts) {
    if (!isLet(part)) written.push(writeCall(part, templates))
    else {
      // Before the name is defined, because the value may read an earlier one of the same name.
      const value = templates.value(part.value)
      lets[templates.define(part.target)] = value
    }
  }
  return { lets, written }
}

const createCallKey = ({ kind, plain }: Call): string => JSON.stringify([kind, plain])

/** Whether calls differ in nothing but fixed values, so that one operation can take them in turn. */
function canRotate(calls: readonly Call[]): boolean {
  const [first] = calls
  return (
    first !== undefined &&
    calls.length > 1 &&
    calls.every((other) => createCallKey(other) === createCallKey(first) && !hasTemplate(other.values))
  )
}

/** One operation that takes the values of each call in turn. */
function rotated(calls: readonly Call[], templates: Templates): JsonObject {
  const [first] = calls as readonly [Call, ...Call[]]
  const turn = (): Json => ({ '@mod': [templates.round(), calls.length] })
  const values = Object.fromEntries(
    Object.entries(first.values).map(([field, value]) => {
      const each = calls.map((other) => templates.value(other.values[field] ?? null))
      const differs = new Set(each.map((one) => JSON.stringify(one))).size > 1
      return [field, differs ? { '@arrayElemAt': [each, turn()] } : templates.value(value)]
    }),
  )
  const lets = templates.lets()
  return { kind: first.kind, ...first.plain, ...(Object.keys(lets).length > 0 && { let: lets }), ...values }
}

const writeCall = ({ kind, values, plain }: Call, templates: Templates): JsonObject => ({
  kind,
  ...plain,
  ...Object.fromEntries(Object.entries(values).map(([field, value]) => [field, templates.value(value)])),
})

/** Steps of one kind need names of their own. */
function named(steps: readonly JsonObject[]): readonly JsonObject[] {
  const counts = new Map<string, number>()
  return steps.map(({ kind, ...step }) => {
    const name = String(kind)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return { kind: name, ...(count > 1 && { name: `${name}${count}` }), ...step }
  })
}
