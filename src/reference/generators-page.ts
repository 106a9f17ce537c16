import { type Generator } from '../generators/generator.ts'
import { generators } from '../generators/index.ts'
import { type Json } from '../json.ts'
import { toSchema } from '../schema/editor-schema.ts'
import { drawFirst, rowsOfExamples, seed } from './draw.ts'
import { type Field, fieldTable } from './fields.ts'
import { code, linkTo, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'
import { createSections, renderSection, type Section } from './sections.ts'

const valuesDrawn = 5
/** Letters of one value, and of all values of a generator: what is more is cut, or not shown. */
const longestValue = 100
const longestList = 220

/** The arguments of every generator, and of objects inside of them. */
export function generatorSections(): readonly Section[] {
  const nested = createSections({
    titleOf: (path) => path.split('.').at(-1) ?? path,
    elsewhere: (path) => (path.endsWith('.distribution') ? '[distribution](distributions.md)' : undefined),
  })
  const own = generators.map(({ keyword, summary, args }) => ({
    title: keyword,
    intro: summary,
    fields: nested.fieldsOf(toSchema(args), keyword),
  }))
  return [...own, ...nested.found()]
}

function renderGenerators(): string {
  const sections = generatorSections()
  const others = sections.filter(({ title }) => !generators.some(({ keyword }) => keyword === title))
  return paragraphs(
    'A generator draws a value anew for every row of a data set and for every call of an operation. What it draws depends on the seed, on its place in the spec and on the number of the row or call, on nothing else: ' +
      'the same spec gives the same values, whatever the number of workers. (`@now` and `@worker` say what else they depend on.) Arguments may hold [functions](functions.md), and generators where their type is *value*.',
    `The values below are those of the first rows or calls with seed ${seed}; row generators look at a collection of ${rowsOfExamples} rows whose \`_id\` is the number of the row. Long values are cut.`,
    table(
      ['Word', 'What it draws'],
      generators.map(({ keyword, summary }) => [linkTo(keyword, code(keyword)), summary]),
    ),
    ...generators.map((generator) =>
      renderGenerator(generator, sections.find(({ title }) => title === generator.keyword)?.fields ?? []),
    ),
    ...others.map((section) => renderSection(section, '##')),
  )
}

function renderGenerator(generator: Generator, fields: readonly Field[]): string {
  const { keyword, summary, example } = generator
  return paragraphs(
    `## ${keyword}`,
    summary,
    `- ${code(JSON.stringify({ [keyword]: example }))} draws ${shown(exampleValues(generator))}`,
    fields.length === 0 ? 'It takes no arguments: `{}`.' : fieldTable(fields),
  )
}

/** What the example of a generator draws. Only documents of data sets have a row for `@row`. */
export const exampleValues = ({ keyword, example }: Generator): readonly Json[] =>
  drawFirst({ [keyword]: example }, valuesDrawn, keyword === '@row')

/** As many values as fit, at least the first. */
function shown(values: readonly Json[]): string {
  const texts = values.map((value) => JSON.stringify(value)).map(cut)
  let length = 0
  const fitting = texts.filter((text, i) => (length += text.length) <= longestList || i === 0)
  return `${fitting.map(code).join(', ')} …`
}

const cut = (text: string): string => (text.length > longestValue ? `${text.slice(0, longestValue)}…` : text)

export const generatorsPage: Page = {
  file: 'generators.md',
  title: 'Generators',
  summary: 'Words that draw values: numbers, dates, texts, documents, rows and their keys.',
  render: renderGenerators,
}
