import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checks } from '../../src/checks/index.ts'
import { listed } from '../../src/cli/lists.ts'
import { loadSpecText } from '../../src/load-spec.ts'
import { operationKinds } from '../../src/operations/index.ts'
import { compareResults } from '../../src/report/comparison/compare-results.ts'
import { comparisonText } from '../../src/report/comparison/text.ts'
import { renderReport } from '../../src/report/report.ts'
import { readResult } from '../../src/results/results-file.ts'
import { expectations } from '../../src/testing/expectations/index.ts'
import { exampleAfter, exampleBefore } from '../fakes/compared-results.ts'

const root = new URL('../../', import.meta.url)
const readme = readFileSync(new URL('README.md', root), 'utf8')
const block = (name: string): string | undefined =>
  readme.split(`<!-- ${name} -->\n`)[1]?.split(`<!-- /${name} -->`)[0]?.trimEnd()
const blocks = (fence: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1] ?? '')

describe('the README', () => {
  test('lists every operation', () => {
    const rows = operationKinds.map(({ kind, summary }) => `| \`${kind}\` | ${summary} |`)
    expect(block('operations')).toBe(['| Kind | What it does |', '| --- | --- |', ...rows].join('\n'))
  })

  test('lists every check', () => {
    const rows = checks.map(({ kind, summary }) => `| \`${kind}\` | ${summary} |`)
    expect(block('checks')).toBe(['| Kind | What must be true |', '| --- | --- |', ...rows].join('\n'))
  })

  test('lists every spec that ships', async () => {
    const rows = (await listed.specs()).map(([name, title]) => `| \`${name}\` | ${title} |`)
    expect(block('specs')).toBe(['| Spec | What it measures |', '| --- | --- |', ...rows].join('\n'))
  })

  test('shows specs that are accepted', () => {
    const specs = blocks('json spec')
    expect(specs.length).toBeGreaterThan(0)
    for (const spec of specs) expect(loadSpecText(spec, 'README.md').rows.length).toBeGreaterThan(0)
  })

  test('shows the table of the stored quickstart result', async () => {
    const result = await readResult(new URL('fixtures/results/quickstart/result.json', root).pathname)
    const { markdown } = renderReport(result)
    const table = markdown.split('### Performance\n\n')[1]?.split('\n### ')[0]?.trimEnd()
    expect(block('quickstart')).toBe(table)
  })

  test('shows the comparison of the example', () => {
    const comparison = compareResults(exampleBefore, exampleAfter)
    expect(block('compare')).toBe(comparisonText(comparison, 'github').trimEnd())
  })

  test('shows a chart that exists', () => {
    const [, path = ''] = /!\[[^\]]+\]\(([^)]+)\)/.exec(block('quickstart chart') ?? '') ?? []
    expect(path).not.toBe('')
    expect(existsSync(new URL(path, root))).toBe(true)
  })

  test('names every command of the program', () => {
    const commands = readdirSync(new URL('src/cli/commands/', root)).map((file) => file.replace('.ts', ''))
    for (const command of commands) expect(readme).toContain(`\`${command}`)
  })
})

test('the page on test suites has every expectation', () => {
  const page = readFileSync(new URL('docs/test-suites.md', root), 'utf8')
  for (const name of Object.keys(expectations)) expect(page).toContain(`| \`${name}(`)
})
