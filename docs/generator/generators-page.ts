import { type Json } from '../../src/core/json.ts'
import { type Generator } from '../../src/language/generators/generator.ts'
import { generators } from '../../src/language/generators/index.ts'
import { renderDistributions } from './distributions.ts'
import { drawFirst, rowsOfExamples, seed } from './draw.ts'
import { toSchema } from './editor/editor-schema.ts'
import { fieldTable } from './fields.ts'
import { code, linkTo, paragraphs } from './markdown.ts'
import { type Page } from './page.ts'
import { shareFields } from './parts.ts'
import { createSections, renderSection, type Section } from './sections.ts'

const valuesDrawn = 5
/** Characters of one value, and of all values of a generator. Longer values are cut, and further ones left out. */
const maxValueLength = 100
const maxListLength = 70

/** The arguments of every generator, and of the objects in them. */
export function generatorSections(): readonly Section[] {
  const nested = createSections({
    titleOf: (path) => path.split('.').at(-1) ?? path,
    elsewhere: (path) => (path.endsWith('.distribution') ? '[distribution](#distributions)' : undefined),
  })
  const own = generators.map(({ keyword, summary, args }) => ({
    title: keyword,
    intro: summary,
    fields: nested.fieldsOf(toSchema(args), keyword),
  }))
  return [...own, ...nested.found()]
}

/** Generators that have an argument alike before it is described once for all of them. */
const minSharing = 3

function renderGenerators(): string {
  const { shared, own } = shareFields(generatorSections(), 'Shared arguments', minSharing)
  const [ofGenerators, others] = [own.slice(0, generators.length), own.slice(generators.length)]
  return paragraphs(
    'A generator draws a new value for every document of a data set and every execution of an operation. The value depends only on the seed, the place in the spec and the number of the document or operation: ' +
      'the same spec generates the same values, whatever the number of workers. (`@now` and `@worker` list what else they depend on.) Arguments may contain [functions](spec.md#functions), and generators where their type is *value*.',
    `The examples show the first values with seed ${seed}. Generators that pick documents use a collection of ${rowsOfExamples} documents whose \`_id\` is their number.`,
    `${[...generators.map(({ keyword }) => linkTo(keyword, code(keyword))), linkTo('Distributions')].join(', ')}.`,
    ...ofGenerators.map((section, at) => renderGenerator(section, generators[at])),
    ...others.map((section) => renderSection(section, '##')),
    renderSection(shared, '##'),
    renderDistributions(),
  )
}

const renderGenerator = (
  { title, intro, fields, also }: Section & { readonly also: string },
  generator: Generator | undefined,
): string =>
  paragraphs(
    `## ${title}`,
    intro,
    generator === undefined
      ? ''
      : `- ${code(JSON.stringify({ [title]: generator.example }))} draws ${shown(exampleValues(generator))}`,
    fields.length === 0 && also === '' ? 'It takes no arguments: `{}`.' : fieldTable(fields),
    also,
  )

/** Values that the example of a generator draws. `@row` works only in documents of data sets. */
export const exampleValues = ({ keyword, example }: Generator): readonly Json[] =>
  drawFirst({ [keyword]: example }, valuesDrawn, keyword === '@row')

/** The values that fit, at least one. */
function shown(values: readonly Json[]): string {
  const texts = values.map((value) => JSON.stringify(value)).map(cut)
  let length = 0
  const fitting = texts.filter((text, i) => (length += text.length) <= maxListLength || i === 0)
  return `${fitting.map(code).join(', ')} …`
}

const cut = (text: string): string => (text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text)

/** `docs/generators.md`. */
export const generatorsPage: Page = {
  file: 'generators.md',
  title: 'Generators and distributions',
  summary: 'Expressions that draw values: numbers, dates, strings, documents and their keys; how often each is drawn.',
  render: renderGenerators,
}
