import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { listUntrue, parseProse, withProse } from '../../../src/report/document/prose-file.ts'
import { filledText } from '../../../src/report/prose/finding.ts'
import { readResult } from '../../../src/results/files/results-file.ts'

const batches = await readResult('fixtures/invented-results/insert-batch-size.json')

const values = `<!-- let: {
  "one": { "@metric": { "of": "docsPerSecond", "at": { "batch": 1 } } },
  "most": { "@max": { "@metric": { "of": "docsPerSecond", "where": true } } },
  "mostOfSmall": { "@max": { "@metric": { "of": "docsPerSecond", "where": { "@lt": [{ "@param": "batch" }, 10] } } } },
  "faster": { "@ratio": { "of": "docsPerSecond", "at": { "batch": 10 }, "to": { "batch": 1 }, "noun": "documents per second" } }
} -->
`

const parse = (text: string) => parseProse(`${values}${text}`, 'batches.md')
const untrue = (text: string): readonly string[] => listUntrue(batches, parse(text))
const use = (text: string) => (): void => void withProse(batches, parse(text))

describe('the texts of a file', () => {
  const shown = withProse(
    batches,
    parse(
      '## Key Takeaways\n\n- Batch.\n\n## Analysis\n\nOne per call: {{one}}\n<!-- holds: one < 1 -->\na second. <!-- a note -->\n\n```\n# code\n```\n',
    ),
  )
  const { spec } = evaluateReport(shown)
  const evaluation = evaluateReport(shown)

  test('replace those of the report, with their figures and without comments', () => {
    expect(filledText(spec.keyTakeaways, evaluation).trim()).toBe('- Batch.')
    expect(filledText(spec.analysis, evaluation).trim()).toMatch(
      /^One per call: 2036(?:\.\d+)?\na second\.\n\n```\n# code\n```$/,
    )
  })

  test('leave the other texts of the report, and its description', () => {
    expect(shown.spec.description).toBe(batches.spec.description)
    const described = withProse(batches, parse('## Description\n\nMine.'))
    expect(described.spec.description).toBe('')
    expect(filledText(evaluateReport(described).spec.description, evaluateReport(described)).trim()).toBe('Mine.')
    expect(evaluateReport(described).spec.analysis).toEqual(evaluateReport(batches).spec.analysis)
  })
})

describe('an assertion', () => {
  test.each([
    'one between 2000 and 2100',
    'one >= 2000',
    'one > 2000',
    'one <= 2100',
    'one < 2100',
    'faster > 4',
    'one < most',
    'mostOfSmall == one',
    'one between 1 and most',
    'faster is no verdict',
  ])('holds: %s', (text) => expect(untrue(`<!-- holds: ${text} -->`)).toEqual([]))

  test('that does not hold is named with its line and the figure', () => {
    expect(untrue('A.\n<!-- holds: one > 1 -->\nB. <!-- holds: one between 18 and 30 -->')).toSay('prose-untrue')
    expect(untrue('<!-- holds: faster is lower -->')).toSay('prose-untrue-ratio')
    expect(untrue('<!-- holds: one >= most -->')).toSay('prose-untrue-of-two')
    expect(untrue('<!-- holds: faster contains published -->')).toSay('prose-untrue-without-interval')
    const missing = batches.variants.filter(({ parameters }) => parameters['batch']?.value !== 1)
    expect(listUntrue({ ...batches, variants: missing }, parse('<!-- holds: one > 1 -->'))).toSay('prose-not-measured')
  })
})

test.each([
  ['<!-- hold: one > 1 -->', 'prose-mistyped'],
  ['<!-- holds: one maybe 1 -->', 'prose-no-assertion'],
  ['<!-- holds: ones > 1 -->', 'prose-assertion-unknown'],
  ['<!-- let: {x} -->', 'prose-let-not-json'],
  ['<!-- let: {"x": {"@metric": {"of": "docsPerSec", "at": {"batch": 1}}}} -->', 'prose-let-misfit'],
  ['It makes {{ones}}.', 'prose-figure-unknown'],
  ['## Analisys', 'prose-part-unknown'],
])('the line of %j is named', (text, code) => expect(use(text)).toSay(code))

const stored = (name: string) => readResult(`fixtures/results/performance-tables/${name}/result.json`)

describe('a ratio beside the published one', () => {
  test.each([
    ['insert-batch-size', 'more', 'contains', 'published-contains'],
    ['instance-size', 'first', 'excludes', 'published-excludes'],
    ['hot-document', 'indexed', 'contains', 'published-contains-a-loss'],
    ['instance-size', 'last', 'is too wide to tell', 'published-too-wide'],
  ])('of %s: %s %s it', async (spec, ratio, verdict, code) => {
    const result = await stored(spec)
    const prose = parseProse(`Then {{${ratio}.published}}.\n<!-- holds: ${ratio} ${verdict} published -->`, 'a.md')
    expect(listUntrue(result, prose)).toEqual([])
    const evaluation = evaluateReport(withProse(result, prose))
    expect([filledText(evaluation.spec.analysis, evaluation)]).toSay(code)
    for (const other of ['contains', 'excludes', 'is too wide to tell'])
      expect(listUntrue(result, parseProse(`<!-- holds: ${ratio} ${other} published -->`, 'a.md'))).toHaveLength(
        other === verdict ? 0 : 1,
      )
  })

  test('needs published figures of its metric', async () => {
    const result = await stored('batched-updates')
    expect(() => withProse(result, parseProse('Then {{hundred.published}}.', 'a.md'))).toSay('prose-not-published')
    expect(() => withProse(result, parseProse('Then {{perCall.published}}.', 'a.md'))).toSay(
      'prose-figure-unknown-here',
    )
  })
})

/** The shipped texts, and the stored results that they are about. */
const shipped = 'fixtures/specs/performance-tables'
const names = readdirSync(shipped).flatMap((file) => /^(?!document\.)(.*)\.md$/.exec(file)?.[1] ?? [])

test.each(names)('the shipped text on %s is true of its stored result', async (name) => {
  const file = `${shipped}/${name}.md`
  const prose = parseProse(readFileSync(file, 'utf8'), file)
  expect(prose.assertions.length).toBeGreaterThan(0)
  expect(listUntrue(await stored(name), prose)).toEqual([])
})

test('the documented text is true of the stored result', async () => {
  const page = readFileSync('docs/documents.md', 'utf8')
  const prose = parseProse(/^```md\n([^]*?)^```$/m.exec(page)?.[1] ?? '', 'documents.md')
  expect(prose.assertions.map(({ names: [name] }) => name)).toEqual(['perIndex', 'four'])
  expect(listUntrue(await stored('insert-indexes'), prose)).toEqual([])
})
