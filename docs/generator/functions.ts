import { type Json } from '../../src/core/json.ts'
import { type SpecFunction } from '../../src/language/functions/function.ts'
import { functions } from '../../src/language/functions/index.ts'
import { drawFirst } from './draw.ts'
import { code, paragraphs, table } from './markdown.ts'

/** The computed result of a function's example. */
export const exampleResult = ({ example }: SpecFunction): Json => drawFirst(example[0] as Json, 1, false)[0] ?? null

function argumentCount({ arity: [min, max], takesList }: SpecFunction): string {
  if (takesList) return 'a list'
  if (max >= manyArguments) return min === 0 ? 'any' : `${min} or more`
  return min === max ? String(min) : `${min} to ${max}`
}

/** A maximum that means "unlimited". */
const manyArguments = 100

/** Every function with its arguments and an example. */
export const renderFunctions = (): string =>
  paragraphs(
    "A function computes a value from other values. Names and arguments are the same as in MongoDB's aggregation, with `@` in place of `$`; a function of one argument takes it as it is or in a list. " +
      'As in MongoDB, functions of null return null, except `@min`, `@max` and comparisons. Arguments without a result are an error, found when the spec is checked if they are known by then, otherwise when they are drawn. In a report, the cell is empty.',
    'A function of parameters is evaluated once, when the plan is made. With a [generator](generators.md) or `@var` in it, it is evaluated for every document or operation.',
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
