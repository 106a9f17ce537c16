import { type BsonDocument, isDocument } from '../language/values/bson-types.ts'

/** The fields of a filter, by how an index finds their values. */
export type Branch = {
  /** One value each, or few: their places in an index may come in any order. */
  readonly equal: readonly string[]
  /** Lists of values. Few of them are as good as one; many are read as a range. */
  readonly lists: readonly string[]
  readonly ranges: readonly string[]
  /** Reasons why a condition needs no index, or has no use for one. */
  readonly unusable: readonly string[]
}

type Found = { readonly as: 'equal' | 'lists' | 'ranges'; readonly field: string } | { readonly unusable: string }

/** Branches to look at: a filter may nest `$or`, and each server call has its own limits on them. */
const maxBranches = 16

/**
 * Reads the conditions of a filter. A filter without `$or` has one branch; with it, one for what stands beside it, and one for each of its
 * alternatives with what stands beside it, since the server looks each of them up by itself.
 */
export function readFilter(filter: BsonDocument): readonly Branch[] {
  const clauses = listClauses(filter)
  const common = clauses.flatMap(([name, value]) => (name === '$or' ? [] : readClause(name, value)))
  const alternatives = clauses.flatMap(([name, value]) => (name === '$or' ? toDocuments(value) : []))
  const branches = alternatives
    .flatMap((one) => listAlternatives(readFilter(one)))
    .map(({ unusable, equal, lists, ranges }) =>
      createBranch([...common, ...toFound({ equal, lists, ranges, unusable })]),
    )
  return [createBranch(common), ...branches].slice(0, maxBranches)
}

/** Replaces an alternative that has alternatives itself by these. */
const listAlternatives = ([whole, ...inner]: readonly Branch[]): readonly Branch[] =>
  whole === undefined || inner.length > 0 ? inner : [whole]

const toDocuments = (value: unknown): readonly BsonDocument[] => (Array.isArray(value) ? value.filter(isDocument) : [])

/** Lists the conditions of a filter, including the ones in `$and`. */
const listClauses = (filter: BsonDocument): readonly (readonly [name: string, value: unknown])[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    name === '$and' ? toDocuments(value).flatMap(listClauses) : [[name, value] as const],
  )

function createBranch(found: readonly Found[]): Branch {
  const listAs = (as: 'equal' | 'lists' | 'ranges'): readonly string[] => [
    ...new Set(found.flatMap((one) => ('as' in one && one.as === as ? one.field : []))),
  ]
  const equal = listAs('equal')
  const lists = listAs('lists').filter((field) => !equal.includes(field))
  const ranges = listAs('ranges').filter((field) => !equal.includes(field) && !lists.includes(field))
  return { equal, lists, ranges, unusable: found.flatMap((one) => ('unusable' in one ? one.unusable : [])) }
}

const toFound = ({ equal, lists, ranges, unusable }: Branch): readonly Found[] => [
  ...equal.map((field) => ({ as: 'equal', field }) as const),
  ...lists.map((field) => ({ as: 'lists', field }) as const),
  ...ranges.map((field) => ({ as: 'ranges', field }) as const),
  ...unusable.map((reason) => ({ unusable: reason })),
]

function readClause(name: string, value: unknown): readonly Found[] {
  if (isNumber(name)) return [{ unusable: `the name of the field {${name}} is a number, which has no place in a key` }]
  if (name.startsWith('$'))
    return silent.has(name) ? [] : [{ unusable: `no index that advise proposes serves "${name}"` }]
  const operators = isDocument(value) ? Object.entries(value).filter(([key]) => key.startsWith('$')) : []
  if (operators.length === 0) return [readValue(name, value)]
  return operators.flatMap(([operator, operand]) => readOperator(name, operator, operand, value as BsonDocument))
}

/** Whether a field has the name of a number: objects of JavaScript, and so keys in the shell, have it before all others. */
export const isNumber = (name: string): boolean => /^\d+$/.test(name)

/** They say nothing about documents. */
const silent: ReadonlySet<string> = new Set(['$comment'])

const readValue = (field: string, value: unknown): Found => {
  const pattern = readPattern(value)
  return pattern === undefined ? { as: 'equal', field } : readExpression(field, pattern)
}

type Pattern = { readonly source: string; readonly flags: string }

/** A regular expression, as JavaScript or BSON has it. */
function readPattern(value: unknown): Pattern | undefined {
  if (value instanceof RegExp) return value
  const { _bsontype: type, pattern, options } = (value ?? {}) as Record<string, unknown>
  return type === 'BSONRegExp' ? { source: String(pattern), flags: String(options) } : undefined
}

/** An index holds texts in order, so all texts with the same beginning are next to each other. */
function readExpression(field: string, { source, flags }: Pattern): Found {
  if (/[im]/.test(flags) || !/^(?:\^|\\A)(?:[\w\s@:/-]|\\[^\w\s])/.test(source) || source.includes('|'))
    return {
      unusable: `${flags.includes('i') ? 'a case-insensitive' : 'an unanchored'} expression reads every key of {${field}}`,
    }
  return { as: 'ranges', field }
}

function readOperator(field: string, operator: string, operand: unknown, all: BsonDocument): readonly Found[] {
  const as = roles.get(operator)
  if (as !== undefined) return [{ as, field }]
  if (operator === '$regex') {
    const flags = typeof all['$options'] === 'string' ? all['$options'] : ''
    return [readExpression(field, readPattern(operand) ?? { source: String(operand), flags })]
  }
  if (operator === '$elemMatch' && isDocument(operand)) return readElement(field, operand)
  if (operator === '$exists') return [{ as: operand === false || operand === 0 ? 'equal' : 'ranges', field }]
  if (operator === '$options') return []
  const on = `${operator} on {${field}}`
  const isWide = operator === '$ne' || operator === '$nin' || operator === '$not'
  return [{ unusable: isWide ? `${on} rules out too few documents` : `no index that advise proposes serves ${on}` }]
}

const roles = new Map<string, 'equal' | 'lists' | 'ranges'>([
  ['$eq', 'equal'],
  ['$all', 'equal'],
  ['$in', 'lists'],
  ['$gt', 'ranges'],
  ['$gte', 'ranges'],
  ['$lt', 'ranges'],
  ['$lte', 'ranges'],
])

/** Reads conditions on the elements of a list, or on fields of these elements. */
function readElement(field: string, conditions: BsonDocument): readonly Found[] {
  if (Object.keys(conditions).some((key) => key.startsWith('$') && key !== '$and' && key !== '$or'))
    return readClause(field, conditions)
  const inner = readFilter(conditions)[0]
  const inField = (names: readonly string[]): readonly string[] => names.map((name) => `${field}.${name}`)
  return inner === undefined
    ? []
    : toFound({ ...inner, equal: inField(inner.equal), lists: inField(inner.lists), ranges: inField(inner.ranges) })
}
