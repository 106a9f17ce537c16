import { placeKey, Stream } from '../../src/core/random.ts'
import { type Distribution } from '../../src/language/generators/distributions/distribution.ts'
import { createDistributionPicker, distributions } from '../../src/language/generators/distributions/index.ts'
import { createDrawContext } from '../../src/language/values/draw-context.ts'
import { seed } from './draw.ts'
import { toSchema } from './editor/editor-schema.ts'
import { fieldTable } from './fields.ts'
import { linkTo, code, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'
import { createSections, type Section } from './sections.ts'

const numbers = 100
const draws = 10_000
const parts = 10
/** Characters of a bar with all draws. */
const barLength = 60

/** The arguments of every distribution. */
export const distributionSections = (): readonly Section[] => {
  const sections = createSections({ titleOf: (path) => path })
  return distributions.map(({ kind, summary, spec }) => ({
    title: kind,
    intro: summary,
    fields: sections.fieldsOf(toSchema(spec), kind),
  }))
}

const renderDistributions = (): string =>
  paragraphs(
    'A distribution determines how often each document is drawn. `@key`, `@pickRow` and `@document` take its name, or `{"kind": name, …}` with arguments:',
    code('{"@key": {"distribution": "zipfian"}}'),
    table(
      ['Distribution', 'Draws'],
      distributions.map(({ kind, summary }) => [linkTo(kind, code(kind)), summary]),
    ),
    `The bars show the shares of ${draws} draws from ${numbers} documents, with the default arguments and seed ${seed}.`,
    ...distributionSections().map((section, i) => renderDistribution(section, distributions[i])),
  )

function renderDistribution({ title, intro, fields }: Section, distribution: Distribution | undefined): string {
  const source = distribution?.source ?? ''
  return paragraphs(
    `## ${title}`,
    intro,
    source === '' ? '' : `Source: ${source}`,
    fieldTable(fields),
    `\`\`\`text\n${bars(title)}\n\`\`\``,
  )
}

/** Shares of the draws in each tenth of the range, as bars. */
function bars(kind: string): string {
  return drawnShares(kind)
    .map((share, part) => {
      const width = numbers / parts
      const range = `${part * width}-${(part + 1) * width - 1}`.padStart(5)
      return `${range} ${`${(share * 100).toFixed(1)} %`.padStart(7)} ${'#'.repeat(Math.round(share * barLength))}`.trimEnd()
    })
    .join('\n')
}

/** Share of the draws in each tenth of the range, from 0 to 1. */
export function drawnShares(kind: string): readonly number[] {
  const pick = createDistributionPicker({ kind }, numbers, new Stream(placeKey(seed, `example of ${kind}`)))
  const counts = Array.from({ length: parts }, () => 0)
  const moment = createDrawContext()
  for (moment.n = 0; moment.n < draws; moment.n++) {
    const part = Math.floor((pick(moment) * parts) / numbers)
    counts[part] = (counts[part] ?? 0) + 1
  }
  return counts.map((count) => count / draws)
}

/** `docs/distributions.md`. */
export const distributionsPage: Page = {
  file: 'distributions.md',
  title: 'Distributions',
  summary: 'How often each document is drawn, with the source of each formula.',
  render: renderDistributions,
}
