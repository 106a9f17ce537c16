import { isObject, type Json, type JsonObject, partAt, listParts, type Path } from '../../core/json.ts'
import { asExpression, isUnresolved } from '../../language/expression.ts'
import { type Origins } from '../../language/prune.ts'

/** Stand-ins for a required key that is omitted, so that what it belongs to stays. */
const standIns: JsonObject = {
  title: 'omitted',
  name: 'omitted',
  phases: [{ name: 'omitted', operations: [{ kind: 'findOne', filter: {} }], stopAfter: { operations: 1 } }],
}

/** Whether a folded spec has lost its phases. */
export const lacksPhases = (spec: JsonObject): boolean =>
  JSON.stringify(spec['phases']) === JSON.stringify(standIns['phases'])

/** Parts omitted from a row. */
export type Omitted = {
  /** Keys of the spec in which something was omitted. */
  readonly keys: ReadonlySet<string>
  /** The places in the file of all flaws. */
  readonly paths: readonly Path[]
}

/** Whether what is found at a place in the file may only be so because of what was omitted: it is inside of that, or around it. */
export const isConsequence = (issuePath: Path, { paths }: Omitted): boolean =>
  paths.some((flaw) => issuePath.every((step, i) => i >= flaw.length || flaw[i] === step))

/** Whether a key may only be missing, or be one too many, because a neighbour of it was omitted. */
export const lacksNeighbour = (issuePath: Path, { paths }: Omitted): boolean =>
  typeof issuePath.at(-1) === 'string' &&
  paths.some((flaw) => flaw.length >= issuePath.length && issuePath.slice(0, -1).every((step, i) => flaw[i] === step))

/**
 * Omits the parts at some paths from a folded spec. A part that is not there is a required one: what it is missing from goes.
 * @returns What is left, and the paths of what went.
 */
export function omitFlaws(
  spec: JsonObject,
  flaws: readonly Path[],
  origins: Origins,
): { readonly spec: JsonObject; readonly gone: readonly Path[] } {
  const findPart = (path: Path): Path => {
    const part = path.slice(0, isOperation(path) ? 4 : path.length)
    return Object.hasOwn(standIns, part.at(-1) ?? '') || partAt(spec, part) !== undefined
      ? part
      : findPart(part.slice(0, -1))
  }
  const gone = flaws.map(findPart)
  const texts = new Set(gone.map((path) => JSON.stringify(path)))
  return { spec: without(spec, [], [], { gone: texts, origins }) as JsonObject, gone }
}

/** The paths of all values that could not be computed. */
export function unresolvedIn(node: Json, path: Path = []): readonly Path[] {
  if (!isUnresolved(node)) return []
  if (asExpression(node) !== undefined) return [path]
  return listParts(node).flatMap(([step, part]) => unresolvedIn(part, [...path, step]))
}

/** An operation goes as a whole: without one of its parts it would mean something else. */
const isOperation = ([part, , list, index]: Path): boolean =>
  part === 'phases' && list === 'operations' && index !== undefined

type Omission = { readonly gone: ReadonlySet<string>; readonly origins: Origins }

/** @param source The path in the file. What is moved in its list keeps it. */
function without(node: Json, path: Path, source: Path, omission: Omission): Json {
  if (typeof node !== 'object' || node === null) return node
  const { gone, origins } = omission
  const isGone = (step: string | number): boolean => gone.has(JSON.stringify([...path, step]))
  const kept = listParts(node)
    .filter(([step]) => !isGone(step))
    .map(([step, part]) => {
      const from = origins.get(node)?.get(step) ?? [...source, step]
      return { step, from, part: without(part, [...path, step], from, omission) }
    })
  const standing = Object.entries(standIns).filter(([key]) => isGone(key))
  const left = isObject(node)
    ? Object.fromEntries([...kept.map(({ step, part }) => [step, part] as const), ...standing])
    : kept.map(({ part }) => part)
  origins.set(left, new Map(kept.map(({ step, from }, i) => [isObject(node) ? step : i, from])))
  return left
}
