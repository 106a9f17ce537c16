import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import markdownIt from 'markdown-it'
import { expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { type PackedValues, unpackValues } from '../../../src/report/html/packed-values.ts'
import { type PageData } from '../../../src/report/html/page-data.ts'
import { resultsHtml } from '../../../src/report/html/report-html.ts'
import { unpackResult } from '../../../src/results/files/pack-result.ts'
import { readResult, validateResult } from '../../../src/results/files/results-file.ts'

const quickstart = await readResult('fixtures/results/quickstart/result.json')
const page = resultsHtml([quickstart])

const dataIn = (html: string): readonly PageData[] =>
  [...html.matchAll(/data-packed="">([^<]*)</g)].map(
    ([, text = '']) =>
      unpackValues(
        JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as PackedValues,
      ) as unknown as PageData,
  )

test('all shipped results together are one page of at most 1.1 MB, whose results can be read', async () => {
  const folder = 'fixtures/results'
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('result.json'),
  )
  const results = await Promise.all(names.map((name) => readResult(`${folder}/${name}`)))
  const html = resultsHtml(results)
  // Twice as many runs of two tables, so that smaller differences show, took 50 KB.
  expect(Buffer.byteLength(html)).toBeLessThan(1_100_000)
  const [first] = dataIn(html)
  const content = first?.files[0]?.content
  const unpacked = unpackResult((content?.kind === 'json' ? content.value : {}) as Record<string, unknown>)
  const saved = validateResult('saved', unpacked)
  expect(saved.variants.map(({ label }) => label)).toEqual(results[0]?.variants.map(({ label }) => label))
  expect(first?.files[0]?.leftOut).toSay('page-result-left-out')
})

test('a page holds its result whole, and its tables as CSV', () => {
  const [data] = dataIn(page)
  expect(data?.files.map(({ name, leftOut }) => ({ name, leftOut }))).toEqual([
    { name: 'quickstart.json', leftOut: '' },
    { name: 'performance.csv', leftOut: '' },
  ])
  expect(data?.files[0]?.content).toEqual({ kind: 'json', value: quickstart as unknown as Json })
})

test('results of one spec have distinct files to save', () => {
  const files = dataIn(resultsHtml([quickstart, quickstart])).flatMap((data) => data.files.map(({ name }) => name))
  expect(files).toEqual(['quickstart', 'quickstart-2'].flatMap((name) => [`${name}.json`, `${name}-performance.csv`]))
})

test('a condition on rows of operations is not asked of whole rows', () => {
  const where = { '@eq': [{ '@metric': 'errors' }, 0] }
  const tables = [{ title: 'All', rows: 'operations', where, columns: ['errors'] }]
  const variants = quickstart.variants.map((variant) => ({
    ...variant,
    phases: variant.phases.flatMap((phase) => [phase, { ...phase, name: 'again' }]),
  }))
  const twoPhases = { ...quickstart, variants, spec: { ...quickstart.spec, thresholds: [], report: { tables } } }
  expect(resultsHtml([twoPhases])).toContain('<h2')
})

test('a result without rows is not called comparable, but said to have measured nothing', () => {
  const empty = resultsHtml([quickstart, { ...quickstart, variants: [] }])
  const cells = [...empty.matchAll(/<td class="long">([^<]*)<\/td><\/tr>/g)].map(([, text]) => text)
  expect(cells).toEqual(['comparable (1 remark)', 'nothing measured'])
})

test('a run of which no row has ended does not look as if it had measured nothing', () => {
  const running = resultsHtml([{ ...quickstart, status: 'running', variants: [] }])
  expect(running.split(/[<>]/)).toHaveLine('page-no-row-yet')
  expect(running).not.toContain('nothing measured')
})

const hashOf = (text = ''): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('the policy of a page allows its own script and style alone', () => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? ''
  expect(policy).toBe(
    [
      "default-src 'none'",
      `script-src ${hashOf(/<script>([^]*?)<\/script>/.exec(page)?.[1])}`,
      `style-src ${hashOf(/<style>([^]*?)<\/style>/.exec(page)?.[1])}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
  )
  expect(page).not.toMatch(/ (?:style|on\w+)="/)
})

test('no text of a result can end or begin an element', () => {
  const text = `</script></style><!-- <b> "quoted" 'too' & -->`
  const html = resultsHtml([{ ...quickstart, spec: { ...quickstart.spec, title: text } }])
  expect(html).not.toContain('</script></style>')
  expect(html).toContain(markdownIt().utils.escapeHtml(text).replaceAll("'", '&#39;'))
})

test('images, HTML and links to scripts in a description stay text', () => {
  const description =
    '![a](https://example.com/a.png) <b>bold</b> [x](javascript:alert(1)) [y](https://example.com) # h\n\n# Heading'
  const html = resultsHtml([{ ...quickstart, spec: { ...quickstart.spec, description } }])
  const shown = /<div class="prose">([^]*?)<\/div>/.exec(html)?.[1] ?? ''
  expect(shown).not.toMatch(/<img|<b>|href="javascript/)
  expect(shown).toContain('<a href="https://example.com" rel="noopener noreferrer">y</a>')
  expect(shown).toContain('<h4>Heading</h4>')
})

test('no credentials of a server are in a page', () =>
  expect(page).not.toMatch(/mongodb(?:\+srv)?:\/\/[^/\s"*]*:[^/\s"*]*@/))

const figuresIn = (html: string): readonly string[] =>
  [...html.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)/g)].map(([, title, value]) => `${title}: ${value}`)

test('the first figures of an open loop are its response times, those of a closed one its latencies', async () => {
  expect(figuresIn(page)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Median response time: [\d.]+ ms$/),
      expect.stringMatching(/^p99 response time: [\d.]+ ms$/),
    ]),
  )
  const closed = await readResult('fixtures/invented-results/quickstart.json')
  expect(figuresIn(resultsHtml([closed]))).toContainEqual(expect.stringMatching(/^Median latency: [\d.]+ ms$/))
})

test('where the tables of an open loop have latencies, as those of a replay, the first figures are the same ones', () => {
  const tables = [{ title: 'Shapes', columns: ['p50Ms', 'p99Ms'] }]
  const html = resultsHtml([{ ...quickstart, spec: { ...quickstart.spec, report: { tables } } }])
  const medians = figuresIn(html).filter((figure) => figure.startsWith('Median'))
  expect(medians).toEqual([expect.stringMatching(/^Median latency: [\d.]+ ms$/)])
})

test('the first figures of a search are those of its best step, which the table has too', async () => {
  const search = await readResult('fixtures/results/quickstart-capacity/result.json')
  expect(figuresIn(resultsHtml([search]))).toEqual(
    expect.arrayContaining([
      'Best number of workers: 4 workers (2 to 8, not confirmed)',
      'Throughput: 3817 ops/s',
      'Median latency: 0.88 ms',
      'p99 latency: 4.39 ms',
    ]),
  )
})

const cellsOf = (caption: string): readonly string[] =>
  [...(page.split(`<caption>${caption}</caption>`)[1]?.split('</table>')[0] ?? '').matchAll(/<td( class="n")?>/g)].map(
    ([cell]) => cell,
  )

test('a number stands to the right only where it is one of many in its column', () => {
  expect(new Set(cellsOf('Settings'))).not.toContain('<td class="n">')
  expect(cellsOf('Performance')).toContain('<td class="n">')
})

test('a page begins with what a load that fell behind should have reached, and with missed thresholds', () => {
  const behind = structuredClone(quickstart)
  behind.spec.thresholds = ['findOne.responseP95Ms < 0.001']
  const loads = behind.variants.flatMap(({ phases }) => phases.flatMap(({ openLoop }) => openLoop ?? []))
  for (const load of loads) load.ratePerSecond = 90_000
  const html = resultsHtml([behind])
  expect(html).toMatch(/<dt>Throughput<\/dt><dd>\d+ of 90,000 ops\/s</)
  expect(html).toMatch(/<dt>Threshold missed<\/dt><dd>findOne\.responseP95Ms &lt; 0\.001<span>measured \d/)
  expect(page).not.toContain('Threshold missed')
  expect(page).toMatch(/<dt>Throughput<\/dt><dd>\d+ ops\/s</)
})

test('the contents list what is there, in its order', () => {
  const [contents = ''] = /<nav class="contents".*<\/nav>/.exec(page) ?? []
  const links = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  const headings = [...page.matchAll(/<section id="([^"]+)"[^>]*><h3>/g)].map(([, id]) => id)
  expect(links.filter((id) => headings.includes(id))).toEqual(headings)
  expect(links.filter((id) => !page.includes(` id="${id}"`))).toEqual([])
})
