import { isObject, type Json, type JsonObject } from '../json.ts'

/** An object whose only key begins with `@`. */
export type Expression = { readonly word: string; readonly argument: Json }

export function asExpression(node: Json | undefined): Expression | undefined {
  if (!isObject(node)) return undefined
  const keys = Object.keys(node)
  const [word] = keys
  return keys.length === 1 && word?.startsWith('@') ? { word, argument: (node as JsonObject)[word] ?? null } : undefined
}

/** Words that are neither a function nor a generator: they steer how the others are read. */
export const forms = [
  { word: '@param', summary: 'The value of a parameter, by name or by a dotted path into it.' },
  {
    word: '@var',
    summary: 'A value named around here (by `let`, `@map` or a step), by name or by a dotted path into it.',
  },
  { word: '@literal', summary: 'The value as it stands, sent untouched.' },
  { word: '@cond', summary: '[if, then, else]: only the chosen one is evaluated.' },
  {
    word: '@map',
    summary:
      '{input, as, in}: a list with `in` evaluated for each element of `input`, which `@var` reads by the name `as`.',
  },
] as const

/** Stands for what could not be folded. It has been reported, so whatever meets it later passes over it. */
export const unresolved: Json = { '@param': '' }

/** Whether something in here could not be folded. */
export function isUnresolved(node: Json): boolean {
  if (node === null || typeof node !== 'object') return false
  const { word, argument } = asExpression(node) ?? {}
  // A parameter that has a name is one that the report reads when all has been measured.
  if (word === '@param') return argument === ''
  return word !== '@literal' && Object.values(node).some(isUnresolved)
}

/** True when nothing is left to draw or to look up: the value is what it is. */
export function isStatic(node: Json): boolean {
  if (Array.isArray(node)) return node.every(isStatic)
  if (!isObject(node)) return true
  if (asExpression(node)) return false
  return Object.values(node).every(isStatic)
}

/** Every expression in a value, the outer ones first. What stands in `@literal` is none. */
export function expressionsIn(node: Json): readonly Expression[] {
  if (typeof node !== 'object' || node === null) return []
  const expression = asExpression(node)
  if (expression?.word === '@literal') return [expression]
  const inner = Object.values(node).flatMap(expressionsIn)
  return expression ? [expression, ...inner] : inner
}

/** Whether `@var` reads one of these names in a value. */
export const readsVariable = (node: Json, names: ReadonlySet<string>): boolean =>
  expressionsIn(node).some(({ word, argument }) => word === '@var' && names.has(nameRead(argument)))

/** The name at the beginning of a dotted path that an expression reads; empty where a spec has something else there. */
export const nameRead = (argument: unknown): string =>
  typeof argument === 'string' ? (argument.split('.')[0] ?? '') : ''
