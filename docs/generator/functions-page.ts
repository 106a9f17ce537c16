import { type Json } from '../../src/core/json.ts'
import { type SpecFunction } from '../../src/language/functions/function.ts'
import { functions } from '../../src/language/functions/index.ts'
import { drawFirst } from './draw.ts'
import { code, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'

/** The computed result of a function's example. */
export const exampleResult = ({ example }: SpecFunction): Json => drawFirst(example[0] as Json, 1, false)[0] ?? null

function argumentCount({ arity: [min, max], takesList }: SpecFunction): string {
  if (takesList) return 'a list'
  if (max >= manyArguments) return min === 0 ? 'any' : `${min} or more`
  return min === max ? String(min) : `${min} to ${max}`
}

/** A maximum that means "unlimited". */
const manyArguments = 100

const renderFunctions = (): string =>
  paragraphs(
    "A function computes a value from values. Names and arguments are the same as in MongoDB's aggregation, with `@` in place of `$`. " +
      'A function of one argument takes it bare or in a list. Of null, functions return null, as in MongoDB, except `@min`, `@max` and comparisons. Arguments without a result are an error with its place in the spec: when the spec is checked, if they are known then or the first call draws them, otherwise when they are drawn. In the report such a cell is empty.',
    'If all arguments are known when the plan is made, the function is evaluated once. With a [generator](generators.md) or `@var` in it, it is evaluated for every document or operation. For `@cond`, `@map` and other control expressions, see [The spec](spec.md#expressions).',
    table(
      ['Function', 'Arguments', 'Returns', 'Example', 'Result'],
      functions.map((entry) => [
        code(entry.keyword),
        argumentCount(entry),
        entry.summary,
        code(JSON.stringify(entry.example[0])),
        code(JSON.stringify(exampleResult(entry))),
      ]),
    ),
  )

/** `docs/functions.md`. */
export const functionsPage: Page = {
  file: 'functions.md',
  title: 'Functions',
  summary: 'Expressions that compute: arithmetic, comparison, lists, strings, conversions.',
  render: renderFunctions,
}
