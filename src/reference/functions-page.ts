import { type SpecFunction } from '../functions/function.ts'
import { functions } from '../functions/index.ts'
import { type Json } from '../json.ts'
import { drawFirst } from './draw.ts'
import { code, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'

/** What the example of a function gives: computed, not copied from what the function says of it. */
export const exampleResult = ({ example }: SpecFunction): Json => drawFirst(example[0] as Json, 1, false)[0] ?? null

function argumentCount({ arity: [least, most], takesList }: SpecFunction): string {
  if (takesList) return 'a list'
  if (most >= manyArguments) return least === 0 ? 'any' : `${least} or more`
  return least === most ? String(least) : `${least} to ${most}`
}

/** So many arguments are as many as one likes. */
const manyArguments = 100

const renderFunctions = (): string =>
  paragraphs(
    "A function computes a value from values. Names and arguments are those of MongoDB's aggregation, with `@` in place of `$`. " +
      'A function of one argument takes it bare or in a list. Every function has a value for whatever it is given: null where there is nothing sensible to say.',
    'Where all arguments are known when the plan is made, so is the result; with a [generator](generators.md) or `@var` in it, it is computed for every row or call. `@cond`, `@map` and the other words that steer are in [The spec](spec.md#expressions).',
    table(
      ['Word', 'Arguments', 'What it gives', 'Example', 'Result'],
      functions.map((entry) => [
        code(entry.keyword),
        argumentCount(entry),
        entry.summary,
        code(JSON.stringify(entry.example[0])),
        code(JSON.stringify(exampleResult(entry))),
      ]),
    ),
  )

export const functionsPage: Page = {
  file: 'functions.md',
  title: 'Functions',
  summary: 'Words that compute: arithmetic, comparison, lists, texts, conversions.',
  render: renderFunctions,
}
