import { isObject, type Json, type JsonObject } from '../core/json.ts'

/** An expression of a spec: an object whose only key begins with `@`. */
export type Expression = { readonly keyword: string; readonly argument: Json }

/** Reads a node as an expression. Undefined where it is none. */
export function asExpression(node: Json | undefined): Expression | undefined {
  if (!isObject(node)) return undefined
  const keys = Object.keys(node)
  const [keyword] = keys
  return keys.length === 1 && keyword?.startsWith('@')
    ? { keyword, argument: (node as JsonObject)[keyword] ?? null }
    : undefined
}

/** Keywords that are neither a function nor a generator: they steer how the others are read. */
export const forms = [
  { keyword: '@param', summary: 'The value of a parameter, by name or by a dotted path into it.' },
  {
    keyword: '@var',
    summary: 'A value that `let`, `@map` or a step has named, by name or by a dotted path into it.',
  },
  { keyword: '@literal', summary: 'The value as it is written, without evaluation.' },
  { keyword: '@cond', summary: '[if, then, else]: only the chosen one is evaluated.' },
  {
    keyword: '@map',
    summary:
      '{input, as, in}: a list with `in` evaluated for each element of `input`, which `@var` reads by the name `as`.',
  },
] as const

/** Placeholder for a node that could not be folded. The issue has been reported, so later steps ignore it. */
export const unresolved: Json = { '@param': '' }

/** Whether a part of a node could not be folded. */
export function isUnresolved(node: Json): boolean {
  if (node === null || typeof node !== 'object') return false
  const { keyword, argument } = asExpression(node) ?? {}
  // A parameter with a name is one that the report reads after the measurement.
  if (keyword === '@param') return argument === ''
  return keyword !== '@literal' && Object.values(node).some(isUnresolved)
}

/** Whether a value holds no expression. */
export function isStatic(node: Json): boolean {
  if (Array.isArray(node)) return node.every(isStatic)
  if (!isObject(node)) return true
  if (asExpression(node)) return false
  return Object.values(node).every(isStatic)
}

/** All expressions in a value, outer ones first. The content of `@literal` is not searched. */
export function expressionsIn(node: Json): readonly Expression[] {
  if (typeof node !== 'object' || node === null) return []
  const expression = asExpression(node)
  if (expression?.keyword === '@literal') return [expression]
  const inner = Object.values(node).flatMap(expressionsIn)
  return expression ? [expression, ...inner] : inner
}

/** Whether `@var` reads one of these names in a value. */
export const readsVariable = (node: Json, names: ReadonlySet<string>): boolean =>
  expressionsIn(node).some(({ keyword, argument }) => keyword === '@var' && names.has(nameRead(argument)))

/** The first name of a dotted path that `@param` or `@var` reads. Empty where the argument is no text. */
export const nameRead = (argument: unknown): string =>
  typeof argument === 'string' ? (argument.split('.')[0] ?? '') : ''

/** Keywords that look at what was measured: they work in `value`, `where` and `let` of the report, and nowhere else. */
export const reportKeywords = [
  {
    keyword: '@metric',
    summary:
      'A measured value of this row, by its address; {of, at} reads the row that differs only in the parameters of `at`, {of, where} lists the values of all rows for which `where` is true, for `@max`, `@min` and `@add`.',
  },
  {
    keyword: '@ratio',
    summary:
      '{of, at, to, noun}: in `let`, the metric `of` in the row `at` divided by the same in the row `to`, paired by round, with its 95 % interval and a verdict that is corrected for all ratios of the report. `noun` is what texts call the metric, such as "queries per second".',
  },
  {
    keyword: '@cluster',
    summary:
      '{of, names}: the name of the group that this row is in, after sorting the rows by `of` and splitting them at the largest ratios between neighbours. Names begin with the smallest values.',
  },
] as const

/** A keyword that works only in the report. */
export type ReportKeyword = (typeof reportKeywords)[number]['keyword']

const known: ReadonlySet<string> = new Set(reportKeywords.map(({ keyword }) => keyword))

/** Whether a keyword works only in the report. */
export const isReportKeyword = (keyword: string): keyword is ReportKeyword => known.has(keyword)
