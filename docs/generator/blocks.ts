import { existsSync } from 'node:fs'
import { listed } from '../../src/cli/actions/list.ts'
import { compareResults } from '../../src/report/comparison/compare-results.ts'
import { findDifferences } from '../../src/report/comparison/differences.ts'
import { comparisonText } from '../../src/report/comparison/text.ts'
import { renderReport } from '../../src/report/report.ts'
import { readResult } from '../../src/results/files/results-file.ts'
import { code, table } from './markdown.ts'
import { renderWarnings } from './warning-meanings.ts'

const results = new URL('../../fixtures/results/', import.meta.url)

const readStoredResult = (name: string) => readResult(new URL(`${name}/result.json`, results).pathname)

/** A section of the report of a stored result, without its heading. */
async function readSection(name: string, heading: string): Promise<string> {
  const { markdown } = renderReport(await readStoredResult(name))
  const [, section = ''] = markdown.split(`\n### ${heading}\n`)
  return (section.split(/\n### |\n_Measured |\n<details>\n<summary>The \d+ commands/)[0] ?? '').trim()
}

async function formatComparison(name: string): Promise<string> {
  const [a, b] = await Promise.all([readStoredResult(`${name}/a`), readStoredResult(`${name}/b`)])
  const differences = findDifferences(a, b).map(({ name: what }) => what)
  return comparisonText(compareResults(a, b, { differences }), 'text')
}

/** The first chart of a stored result that is drawn beside it, as its report shows it. */
async function showPicture(name: string): Promise<string> {
  const { markdown, charts } = renderReport(await readStoredResult(name))
  const drawn = charts.find(({ file }) => existsSync(new URL(`${name}/${file}`, results)))?.file ?? 'none'
  const pictures = markdown.match(/<picture>.*<\/picture>/g) ?? []
  const picture = pictures.find((each) => each.includes(`src="${drawn}"`)) ?? ''
  return picture.replaceAll(/(?<=(?:src|srcset)=")/g, `../fixtures/results/${name}/`)
}

/** Generated parts of pages that are written by hand: what is between `<!-- name -->` and `<!-- /name -->`. */
const blocks: Readonly<Record<string, () => string | Promise<string>>> = {
  warnings: renderWarnings,
  specs: async () =>
    table(
      ['Spec', 'What it measures'],
      (await listed.specs()).map(([name, title]) => [code(name), title]),
    ),
  quickstart: () => readSection('quickstart', 'Performance'),
  'quickstart capacity': () => readSection('quickstart-capacity', 'Steps'),
  'durable-inserts': () => formatComparison('durable-inserts'),
  'index-of-orders query': () => readSection('index-of-orders', 'Query: status_1_at_-1'),
  'index-of-orders analysis': () => readSection('index-of-orders', 'Analysis'),
  'index-of-orders picture': () => showPicture('index-of-orders'),
  'quickstart picture': () => showPicture('quickstart'),
  'insert-indexes picture': () => showPicture('performance-tables/insert-indexes'),
}

const block = /^<!-- (?<name>[a-z][a-z -]*?) -->\n(?<content>(?:(?!<!-- \/).*\n)*?)<!-- \/\k<name> -->$/gm

/** A page with its generated parts as the source and the stored results have them. */
export async function withBlocks(page: string): Promise<string> {
  const names = [...page.matchAll(block)].map(({ groups }) => groups?.['name'] ?? '')
  const contents = new Map(await Promise.all(names.map(async (name) => [name, await blocks[name]?.()] as const)))
  return page.replaceAll(block, (whole, name: string) => {
    const content = contents.get(name)
    return content === undefined ? whole : `<!-- ${name} -->\n${content.trim()}\n<!-- /${name} -->`
  })
}
