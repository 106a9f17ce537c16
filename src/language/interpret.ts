import { type Json, isObject, type Path } from '../core/json.ts'
import { NoResult } from './issues.ts'
import {
  type Call,
  type Fields,
  type Malformed,
  type Mapping,
  parse,
  type Part,
  type Reading,
  type KeywordForm,
} from './parse.ts'
import { getMember } from './values/bson-types.ts'
import { isWrapper, toJson } from './values/extended-json.ts'

/** Meaning of the forms of the language somewhere: where they are folded, drawn, evaluated in a report, or checked. */
export type Interpretation<Scope, Value> = {
  /** The scope of a part, one step further inside. */
  readonly inside: (scope: Scope, step: string | number) => Scope
  /** Interprets a part: calls `interpret`, unless it needs not to. */
  readonly part: (node: Json, scope: Scope) => Value
  readonly constant: (node: Json, scope: Scope) => Value
  /** @param node The literal as it is written. */
  readonly literal: (value: Json, scope: Scope, node: Json) => Value
  readonly list: (items: readonly Value[], parts: readonly Part[], scope: Scope) => Value
  /** @param values Those of the fields, in their order. */
  readonly document: (values: readonly Value[], form: Fields, scope: Scope) => Value
  readonly parameter: (reading: Reading, scope: Scope) => Value
  readonly variable: (reading: Reading, scope: Scope) => Value
  /** @param ifTrue Interprets that part: one that is not chosen need not be. */
  readonly condition: (test: Value, ifTrue: () => Value, ifFalse: () => Value, scope: Scope) => Value
  /** @param body Interprets the body in a scope that has the name of the element. */
  readonly map: (input: Value, form: Mapping, body: (scope: Scope) => Value, scope: Scope) => Value
  readonly call: (args: readonly Value[], form: Call, scope: Scope) => Value
  readonly keyword: (form: KeywordForm, scope: Scope) => Value
  readonly malformed: (form: Malformed, scope: Scope) => Value
}

/** Interprets a value. All that evaluates or checks expressions goes through here. */
export function interpret<Scope, Value>(node: Json, scope: Scope, by: Interpretation<Scope, Value>): Value {
  const form = parse(node)
  const make = (part: Part, outer: Scope): Value =>
    by.part(
      part.node,
      part.path.reduce((at, step) => by.inside(at, step), outer),
    )
  const makeAll = (parts: readonly Part[]): readonly Value[] => parts.map((part) => make(part, scope))
  switch (form.kind) {
    case 'constant':
      return by.constant(node, scope)
    case 'literal':
      return by.literal(form.value, scope, node)
    case 'list':
      return by.list(makeAll(form.items), form.items, scope)
    case 'document':
      return by.document(makeAll(form.fields), form, scope)
    case 'parameter':
      return by.parameter(form, scope)
    case 'variable':
      return by.variable(form, scope)
    case 'condition': {
      const { test, ifTrue, ifFalse } = form
      return by.condition(
        make(test, scope),
        () => make(ifTrue, scope),
        () => make(ifFalse, scope),
        scope,
      )
    }
    case 'map':
      return by.map(make(form.input, scope), form, (inner) => make(form.body, inner), scope)
    case 'call':
      return by.call(makeAll(form.args), form, scope)
    case 'keyword':
      return by.keyword(form, scope)
    case 'malformed':
      return by.malformed(form, scope)
  }
}

/** Compiles a call to a function of its argument values. As in MongoDB, `{"@max": x}` takes the greatest element where x turns out to be a list. */
export function createFunction({ called, spreads }: Call): (values: readonly unknown[]) => unknown {
  const { apply } = called
  return spreads ? (values) => apply(spread(values)) : apply
}

const spread = (values: readonly unknown[]): readonly unknown[] => (Array.isArray(values[0]) ? values[0] : values)

/**
 * The same, for a spec: as in MongoDB, null makes null, and other arguments without a result are refused.
 * @param path The place of the call.
 */
export function createStrictFunction({ called, spreads }: Call, path: Path): (values: readonly unknown[]) => unknown {
  const { apply, keyword, mayBeNull } = called
  return (values) => {
    const args = spreads ? spread(values) : values
    const result = apply(args)
    if (result !== null || args.length === 0 || args.some(isAbsent) || mayBeNull?.(args)) return result
    throw new NoResult(path, `"${keyword}" has no result for ${shortText(args)}`)
  }
}

const isAbsent = (arg: unknown): boolean => arg === null || arg === undefined

const maxText = 80

function shortText(args: readonly unknown[]): string {
  const text = args.map((arg) => (typeof arg === 'number' ? String(arg) : JSON.stringify(toJson(arg)))).join(', ')
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text
}

/** Returns the value at a dotted path in a value. Null where there is nothing. */
export function valueAt(value: unknown, steps: readonly string[]): unknown {
  let found = value
  for (const step of steps) found = getMember(found, step)
  return found ?? null
}

/** A field or an element of JSON, as `valueAt` finds it in the value: a typed value of Extended JSON has none. */
export const jsonMember = (node: Json | undefined, step: string): Json | undefined =>
  isObject(node) && isWrapper(node) ? undefined : (getMember(node, step) as Json | undefined)
