import { isObject, type Json, type JsonObject, type Path } from '../core/json.ts'
import { asExpression, isStatic } from './expression.ts'
import { type SpecFunction } from './functions/function.ts'
import { findFunction } from './functions/index.ts'
import { isWrapper } from './values/extended-json.ts'

export type Part = { readonly node: Json; readonly path: Path }

/** A name that is read, and the path into its value. */
export type Reading = { readonly name: string; readonly steps: readonly string[] }

export type Call = {
  readonly kind: 'call'
  readonly called: SpecFunction
  readonly args: readonly Part[]
  /** Whether the only argument is written without a list: if it turns out to be one, its elements are the arguments. */
  readonly spreads: boolean
}

/** A list with a value for each element of another one. */
export type Mapping = { readonly kind: 'map'; readonly input: Part; readonly as: string; readonly body: Part }

/** A word of the surroundings, such as a generator or `@metric`, or one that nothing knows. */
export type KeywordForm = { readonly kind: 'keyword'; readonly keyword: string; readonly argument: Part }

/** Form that looks like an expression, and is none. */
export type Malformed = { readonly kind: 'malformed'; readonly reason: string; readonly argument: Part }

/** A document. */
export type Fields = {
  readonly kind: 'document'
  readonly fields: readonly Part[]
  /** A key that makes an expression only where it stands alone. */
  readonly stray: string | undefined
}

/** Form of a value of a spec, one level deep. */
export type Form =
  /** A scalar, or a typed value of Extended JSON. */
  | { readonly kind: 'constant' }
  | { readonly kind: 'list'; readonly items: readonly Part[] }
  | Fields
  | { readonly kind: 'literal'; readonly value: Json }
  | ({ readonly kind: 'parameter' } & Reading)
  | ({ readonly kind: 'variable' } & Reading)
  | { readonly kind: 'condition'; readonly test: Part; readonly ifTrue: Part; readonly ifFalse: Part }
  | Mapping
  | Call
  | KeywordForm
  | Malformed

/** Parses one level of a value. */
export function parse(node: Json): Form {
  if (Array.isArray(node)) return { kind: 'list', items: listItems(node) }
  if (!isObject(node)) return { kind: 'constant' }
  const expression = asExpression(node)
  if (expression) return parseExpression(expression.keyword, expression.argument)
  if (isWrapper(node) && isStatic(node)) return { kind: 'constant' }
  const fields = Object.entries(node).map(([key, item]) => ({ node: item, path: [key] }))
  return { kind: 'document', fields, stray: Object.keys(node).find((key) => key.startsWith('@')) }
}

const listItems = (list: readonly Json[], within: Path = []): readonly Part[] =>
  list.map((item, i) => ({ node: item, path: [...within, i] }))

function parseExpression(keyword: string, argument: Json): Form {
  const whole = { node: argument, path: [keyword] }
  switch (keyword) {
    case '@literal':
      return { kind: 'literal', value: argument }
    case '@param':
      return parseReading('parameter', whole, '"@param" takes the name of a parameter')
    case '@var':
      return parseReading('variable', whole, '"@var" takes a name')
    case '@cond':
      return parseCondition(whole)
    case '@map':
      return parseMap(whole)
    default: {
      const called = findFunction(keyword)
      return called ? parseCall(called, whole) : { kind: 'keyword', keyword, argument: whole }
    }
  }
}

const malformed = (reason: string, argument: Part): Malformed => ({ kind: 'malformed', reason, argument })

function parseReading(kind: 'parameter' | 'variable', argument: Part, otherwise: string): Form {
  if (typeof argument.node !== 'string') return malformed(otherwise, argument)
  const [name = '', ...steps] = argument.node.split('.')
  return { kind, name, steps }
}

function parseCondition(argument: Part): Form {
  const parts = Array.isArray(argument.node) ? listItems(argument.node as readonly Json[], argument.path) : []
  const [test, ifTrue, ifFalse] = parts
  return test && ifTrue && ifFalse && parts.length === 3
    ? { kind: 'condition', test, ifTrue, ifFalse }
    : malformed('"@cond" takes a list of three: [if, then, else]', argument)
}

function parseMap(argument: Part): Form {
  const given: JsonObject = isObject(argument.node) ? argument.node : {}
  const { input = null, as, in: body = null } = given
  if (Object.keys(given).toSorted().join() !== 'as,in,input' || typeof as !== 'string')
    return malformed('"@map" takes {"input": a list, "as": a name, "in": an expression}', argument)
  const part = (node: Json, key: string): Part => ({ node, path: [...argument.path, key] })
  return { kind: 'map', input: part(input, 'input'), as, body: part(body, 'in') }
}

function parseCall(called: SpecFunction, argument: Part): Form {
  const list = Array.isArray(argument.node) ? (argument.node as readonly Json[]) : undefined
  const [min, max] = called.arity
  const listIsTheArgument = called.takesList === true || (max === 1 && list?.length !== 1)
  const args = list === undefined || listIsTheArgument ? [argument] : listItems(list, argument.path)
  const spreads = list === undefined && max > 1
  if (args.length >= min && args.length <= max) return { kind: 'call', called, args, spreads }
  if (spreads && mayBeList(argument.node)) return { kind: 'call', called, args, spreads }
  const wanted = min === max ? `${min}` : `${min} to ${max}`
  return malformed(`"${called.keyword}" takes ${wanted} argument${max === 1 ? '' : 's'}, not ${args.length}`, argument)
}

/** Whether an expression of the language itself may turn out to be a list: words of the surroundings draw or read single values. */
function mayBeList(node: Json): boolean {
  const keyword = asExpression(node)?.keyword
  return keyword !== undefined && parseExpression(keyword, null).kind !== 'keyword'
}
