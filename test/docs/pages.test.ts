import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { withBlocks } from '../../docs/generator/blocks.ts'
import { commandName, programCommands } from '../../docs/generator/commands-page.ts'
import { brief } from '../../docs/generator/markdown.ts'
import { examples } from '../../src/cli/options/examples.ts'
import { shippedNames } from '../../src/cli/specs/find-specs.ts'
import { limitRules, unknownLimit } from '../../src/metrics/limited-by/index.ts'
import { compareResults } from '../../src/report/comparison/compare-results.ts'
import { comparisonText } from '../../src/report/comparison/text.ts'
import { warningWeights } from '../../src/results/warnings/weights.ts'
import { checks } from '../../src/servers/checks/index.ts'
import { loadSpecText } from '../../src/spec/load-spec.ts'
import { operationKinds } from '../../src/spec/operations/index.ts'
import { exampleAfter, exampleBefore } from '../fakes/compared-results.ts'
import { commandsOf, exampleSpecs, fencesOf, pageOf, pages } from './pages.ts'

/** Specs, and folders of them. */
const specNames = new Set((await shippedNames()).flatMap((name) => [name, name.split('/')[0] ?? name]))

const root = new URL('../../', import.meta.url)
const block = (page: string, name: string): string | undefined =>
  pageOf(page).split(`<!-- ${name} -->\n`)[1]?.split(`<!-- /${name} -->`)[0]?.trimEnd()

/** A page shows what the command line must allow too, and has no files. */
const allowed = { allow: ['$out'], filesElsewhere: true } as const

describe.each([...pages])('%s', (path, page) => {
  test('has generated parts as `npm run docs` fills them', async () =>
    expect((await withBlocks(page)) === page, `${path} is stale: run \`npm run docs\``).toBe(true))

  test('shows specs that are accepted', () => {
    const counts = fencesOf(page, 'json spec').map((spec) => loadSpecText(spec, path, allowed).rows.length)
    expect(counts.filter((rows) => rows === 0)).toEqual([])
  })

  test('names commands and options that exist', () => expect(commandsOf(page).flatMap(unknownIn)).toEqual([]))

  test('names specs that ship', () => {
    const shipped = commandsOf(page).flatMap(
      (command) => /^(?:run|check|ab) ([a-z][a-z-]*(?:\/[a-z-]+)?)(?= |$)/.exec(command)?.[1] ?? [],
    )
    expect(shipped.filter((name) => !specNames.has(name))).toEqual([])
  })
})

test.each([...exampleSpecs])('%s is accepted, and a page leads to it', (path, text) => {
  expect(loadSpecText(text, path, allowed).rows.length).toBeGreaterThan(0)
  expect([...pages.values()].filter((page) => page.includes(path)).length).toBeGreaterThan(0)
})

test.each([
  ['docs/comparing.md', ['durable-inserts']],
  ['docs/reading-a-report.md', ['quickstart']],
  ['docs/recipes.md', ['index-of-orders picture', 'quickstart picture', 'insert-indexes picture']],
  ['docs/methodology.md', ['warnings']],
  ['docs/sizing.md', ['quickstart capacity']],
  ['docs/shipped-specs.md', ['specs']],
  ['docs/tutorial.md', ['index-of-orders query', 'index-of-orders analysis']],
])('%s has its generated parts', (path, names) =>
  expect(names.filter((name) => (block(path, name) ?? '').length < 100)).toEqual([]),
)

test('the reference lists every operation, with its summary, and leads to its page', () => {
  const index = pageOf('docs/operations.md')
  for (const { kind, summary } of operationKinds) {
    const [row, file] =
      new RegExp(`^\\| \\[\`${kind}\`\\]\\((.*)#${kind.toLowerCase()}\\) \\|.*`, 'm').exec(index) ?? []
    expect(row).toContain(` | ${brief(summary)} |`)
    expect(pageOf(`docs/${file === '' ? 'operations.md' : file}`)).toContain(`\n## ${kind}\n\n${summary}\n`)
  }
})

test('the reference lists every check, with its summary', () => {
  const page = pageOf('docs/checks.md')
  for (const { kind, summary } of checks) {
    expect(page).toContain(`| [\`${kind}\`](#${kind.toLowerCase()}) | ${brief(summary)} |`)
    expect(page).toContain(`\n## ${kind}\n\n${summary}\n`)
  }
})

const titleIn = (path: string): string =>
  (JSON.parse(readFileSync(new URL(path, root), 'utf8')) as { readonly title: string }).title

test('the page on shipped specs lists every spec', async () => {
  const rows = (await shippedNames()).map((name) => `| \`${name}\` | ${titleIn(`fixtures/specs/${name}.json`)} |`)
  expect(block('docs/shipped-specs.md', 'specs')).toBe(
    ['| Spec | What it measures |', '| --- | --- |', ...rows].join('\n'),
  )
})

test('the page on comparing shows the comparison of the example', () => {
  const comparison = compareResults(exampleBefore, exampleAfter)
  expect(block('docs/comparing.md', 'compare')).toBe(comparisonText(comparison, 'github').trimEnd())
})

test('the page on methods has every warning', () => {
  const page = pageOf('docs/methodology.md')
  const missing = Object.keys(warningWeights).filter((code) => !page.includes(`| \`${code}\` |`))
  expect(missing).toEqual([])
})

test('pages that are written by hand name every command of the program', () => {
  const text = [...pages].flatMap(([, page]) => (page.startsWith('<!-- Generated') ? [] : page)).join('\n')
  const commands = readdirSync(new URL('src/cli/commands/', root)).map((file) => file.replace('.ts', ''))
  expect(commands.filter((command) => !text.includes(`mongo-perf ${command}`))).toEqual([])
})

test('examples below the options of commands have commands and options that exist', () => {
  const lines = Object.entries(examples).flatMap(([command, args]) => args.map((line) => `${command} ${line}`.trim()))
  expect(lines.flatMap(unknownIn)).toEqual([])
})

test('the page on reports has everything that can limit a row', () => {
  const page = pageOf('docs/reading-a-report.md')
  expect([...limitRules.map(({ name }) => name), unknownLimit].filter((name) => !page.includes(name))).toEqual([])
})

test('options in texts of pages that are written by hand exist', () => {
  const ofProgram = programCommands().flatMap(({ options }) => options.map(({ long }) => long))
  const known = new Set([...ofProgram, ...ofOthers])
  const unknown = [...pages].flatMap(([path, page]) =>
    page.startsWith('<!-- Generated')
      ? []
      : optionsIn(page).flatMap((option) => (known.has(option) ? [] : `${path}: ${option}`)),
  )
  expect(unknown).toEqual([])
})

/** Options of npm, of Node.js, of Mocha, of Docker and of Redis. */
const ofOthers = [
  '--prefix',
  '--experimental-vm-modules',
  '--import',
  '--test',
  '--file',
  '--build-arg',
  '--cpus',
  '--aclfile',
]

const optionsIn = (page: string): readonly string[] =>
  [...page.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`[^`\n]+`/g)].flatMap(
    ([code]) => code.match(/(?<=[` ])--[a-z][a-z\d-]*/g) ?? [],
  )

test('pages have no phrase that a reader has to read twice', () => {
  const habits =
    /\b(of yours|a \w+ of your own|equally often|so many|by chance|from (?:six|ten|\d+(?:\.\d+)?)(?: %| [a-z]+)? on|stands in|(?:some|every|no)body|hands over|itself included|look to look)\b/gi
  expect([...pages].flatMap(([path, page]) => (page.match(habits) ?? []).map((found) => `${path}: ${found}`))).toEqual(
    [],
  )
})

test('the result of the quickstart is that of the quickstart that ships', () => {
  const { spec } = JSON.parse(readFileSync(new URL('fixtures/results/quickstart/result.json', root), 'utf8')) as {
    readonly spec: { readonly title: string }
  }
  expect(spec.title).toBe(titleIn('fixtures/specs/quickstart.json'))
})

/** Commands and options of a line that the program does not have. */
function unknownIn(line: string): readonly string[] {
  const [text = ''] = line.split(/ [>|] | >> |#| -- /)
  const command = programCommands().find((each) => `${text} `.startsWith(`${commandName(each)} `))
  if (command === undefined) return [text]
  const name = commandName(command)
  const words = text.slice(name.length).split(/\s+/)
  const known = new Set(command.options.flatMap(({ short, long }) => [short, long]))
  return words
    .filter((word) => /^--?[a-z]/.test(word) && !known.has(word.split('=')[0]))
    .map((word) => `${name} ${word}`)
}
