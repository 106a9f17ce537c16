import { placeKey, Stream } from '../../src/core/random.ts'
import { type Distribution } from '../../src/language/generators/distributions/distribution.ts'
import { createDistributionPicker, distributions } from '../../src/language/generators/distributions/index.ts'
import { createDrawContext } from '../../src/language/values/draw-context.ts'
import { seed } from './draw.ts'
import { toSchema } from './editor/editor-schema.ts'
import { fieldTable } from './fields.ts'
import { code, paragraphs, table } from './markdown.ts'
import { createSections, type Section } from './sections.ts'

const numbers = 100
const draws = 10_000
const parts = 10

/** The arguments of every distribution. */
export const distributionSections = (): readonly Section[] => {
  const sections = createSections({ titleOf: (path) => path })
  return distributions.map(({ kind, summary, spec }) => ({
    title: kind,
    intro: summary,
    fields: sections.fieldsOf(toSchema(spec), kind),
  }))
}

/** How often each document is drawn, with the arguments and the source of each formula. */
export const renderDistributions = (): string =>
  paragraphs(
    '## Distributions',
    'A distribution determines how often each document is drawn. Generators take its name, or `{"kind": name, …}` with arguments: `{"@key": {"distribution": "zipfian"}}`.',
    `The table shows the shares, in percent, of ${draws} draws from ${numbers} documents, with the default arguments and seed ${seed}.`,
    table(
      ['Documents', ...Array.from({ length: parts }, (_, part) => rangeText(part))],
      distributions.map(({ kind }) => [code(kind), ...drawnShares(kind).map((share) => (share * 100).toFixed(1))]),
    ),
    ...distributionSections().map((section, i) => renderDistribution(section, distributions[i])),
  )

const rangeText = (part: number): string => `${(part * numbers) / parts}-${((part + 1) * numbers) / parts - 1}`

function renderDistribution({ title, intro, fields }: Section, distribution: Distribution | undefined): string {
  const source = distribution?.source ?? ''
  return paragraphs(
    `### ${title} distribution`,
    source === '' ? intro : `${intro} Source: ${source}`,
    fieldTable(fields),
  )
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
