import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findDocumentTemplate, findSpecs } from '../../src/cli/specs/find-specs.ts'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'
import { useFolder, useFreshFolder } from '../fakes/temporary-folder.ts'

const stored = fileURLToPath(new URL('../../fixtures/invented-results/', import.meta.url))

const documentIn = (folder: string): string => path.join(folder, 'docs (all)', 'P.md')
const resultIn = (folder: string, name: string): string => path.join(folder, 'results', name, 'result.json')

async function copyResults(folder: string): Promise<void> {
  await mkdir(path.dirname(documentIn(folder)))
  for (const name of ['insert-batch-size', 'query-types'])
    await cp(path.join(stored, `${name}.json`), resultIn(folder, name), { recursive: true })
}

const reporting = (folder: string, names: readonly string[], format = 'json'): readonly string[] => {
  const results = names.map((name) => resultIn(folder, name))
  return ['report', ...results, '--into', documentIn(folder), '--format', format]
}

/** Drawing takes seconds: tests that begin with a document of both results take a copy of this one. */
const made = useFolder()
let making: Awaited<ReturnType<typeof runCommandLine>>
beforeAll(async () => {
  await copyResults(made)
  making = await runCommandLine(reporting(made, ['insert-batch-size', 'query-types']))
})
const copyMade = (): Promise<void> => cp(made, folder, { recursive: true })

const freshFolder = useFreshFolder()
let folder: string
let document: string
beforeEach(async () => {
  folder = freshFolder()
  document = documentIn(folder)
  await copyResults(folder)
})

const resultOf = (name: string): string => resultIn(folder, name)
const report = (...names: readonly string[]) => runCommandLine(reporting(folder, names, 'csv'))
const reportRefused = (...names: readonly string[]) => runRefused(reporting(folder, names, 'csv'))
const check = (...more: readonly string[]) => runCommandLine(['check', '--document', document, ...more])
const checkRefused = () => runRefused(['check', '--document', document])
const text = (): Promise<string> => readFile(document, 'utf8')

describe('report --into', () => {
  test('makes a document, with links that lead to the charts', async () => {
    const { stdout, stderr, code } = making
    const madeDocument = documentIn(made)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveLength(2)
    expect(stderr).toHaveLine('document-shows', { document: madeDocument, spec: 'query-types' })
    const links = [...(await readFile(madeDocument, 'utf8')).matchAll(/(?:src|srcset)="([^"]+)"/g)].map(
      ([, link = '']) => link,
    )
    const chart = '../results/insert-batch-size/speed-docs-s-by-write-batch-size'
    expect(links.slice(0, 2)).toEqual([`${chart}-dark.png`, `${chart}.png`])
    for (const link of links) expect((await stat(path.join(path.dirname(madeDocument), link))).size).toBeGreaterThan(0)
  })

  test('prints a line for each section, and writes only the charts besides the document', async () => {
    const { stdout, stderr } = await runCommandLine(['report', resultOf('query-types'), '--into', document])
    expect([stdout, stderr]).toEqual(['', `${document} shows query-types as it is now\n`])
    const written = (await readdir(path.dirname(resultOf('query-types')))).filter((file) => !file.endsWith('.png'))
    expect(written).toEqual(['result.json'])
  })

  test('keeps what people wrote, and writes nothing when nothing is new', async () => {
    await copyMade()
    const written = (await text()).replace('### Performance\n', '### How fast?\n\nMy own words.\n')
    await writeFile(document, written)
    const { mtimeMs } = await stat(document)
    await report('insert-batch-size')
    expect(await text()).toBe(written)
    expect((await stat(document)).mtimeMs).toBe(mtimeMs)
  })

  test('does not replace a section with another result of its spec', async () => {
    await copyMade()
    const before = await text()
    const other = await readFile(resultOf('insert-batch-size'), 'utf8')
    await mkdir(path.dirname(resultOf('other')))
    await writeFile(resultOf('other'), `${other}\n`)
    const spec = 'insert-batch-size'
    const results = { shown: `../results/${spec}/result.json`, other: '../results/other/result.json' }
    const { stderr, code } = await report('other')
    expect(code).toBe(2)
    expect(stderr).toSay('document-shows-other', { document, spec, ...results })
    expect(await text()).toBe(before)
  })

  test('names the old section of a spec that was renamed', async () => {
    await copyMade()
    const old = JSON.parse(await readFile(resultOf('insert-batch-size'), 'utf8'))
    await mkdir(path.dirname(resultOf('batches')), { recursive: true })
    await writeFile(resultOf('batches'), JSON.stringify({ ...old, spec: { ...old.spec, name: 'batches' } }))
    const { stderr, code } = await report('batches')
    expect(code).toBe(0)
    expect(stderr.replace(/:\d+:/, ':N:')).toHaveLine('document-section-renamed', { document, spec: 'batches' })
  })

  test('writes through a link', async () => {
    const real = path.join(folder, 'real.md')
    await writeFile(real, 'Mine.\n')
    await symlink(real, document)
    await report('insert-batch-size')
    const written = await readFile(real, 'utf8')
    expect(written).toMatch(/^Mine\.\n\n## Impact of client write batch size/)
    expect(written).toContain(' src="results/insert-batch-size/speed-docs-s-by-write-batch-size.png">')
    const stdout: unknown = expect.toSay('document-up-to-date', { document })
    expect(await check()).toEqual({ code: 0, stdout, stderr: '' })
  })

  test.each([
    ['# P\n<!-- mongo-perf a/b -->\n', 'document-marker-not-closed'],
    [Uint8Array.of(0xff, 0xfe, 0x41), 'document-not-utf-8'],
  ])('leaves a document alone that it cannot read right', async (before, code) => {
    await writeFile(document, before)
    expect(await reportRefused('insert-batch-size')).toSay(code, { document })
    expect(await readFile(document)).toEqual(Buffer.from(before as string))
  })
})

const asArticle = (...more: readonly string[]) =>
  runCommandLine([...reporting(folder, ['insert-batch-size', 'query-types']), ...more])

describe('--layout article', () => {
  test('is kept by the document: a second update gives what the first gave', async () => {
    await asArticle('--layout', 'article')
    const first = await text()
    expect(first).toContain('<!-- mongo-perf @title layout="article" -->')
    expect(first.match(/^### .*/gm)?.slice(0, 2)).toEqual(['### Performance', '### Resource Usage'])
    expect(first).toMatch(/^(?:Unlike|As) the base instance/m)
    await asArticle()
    expect(await text()).toBe(first)
    expect((await check()).code).toBe(0)
    for (const [, link = ''] of first.matchAll(/(?:src|srcset)="([^"]+)"/g))
      expect((await stat(path.join(path.dirname(document), link))).size).toBeGreaterThan(0)
  })

  test('is refused without a document, or in one that has no place for it', async () => {
    const result = resultOf('insert-batch-size')
    expect(await runRefused(['report', result, '--layout', 'article'])).toSay('document-layout-alone')
    await writeFile(document, 'Mine.\n')
    expect(await runRefused([...reporting(folder, ['query-types'], 'csv'), '--layout', 'article'])).toSay(
      'document-layout-nowhere',
      { document },
    )
    await writeFile(document, '<!-- mongo-perf @title layout="essay" -->\n<!-- /mongo-perf @title -->\n')
    expect(await reportRefused('query-types')).toSay('document-layout-unknown', { document })
    expect(await text()).toContain('essay')
  })
})

describe('the texts of a writer', () => {
  const written = [
    '<!-- let: {"one": {"@metric": {"of": "docsPerSecond", "at": {"batch": 1}}}} -->',
    'One per call makes {{one}} a second.',
    '<!-- holds: one between 2000 and 2100 -->',
  ]

  test('come from the folder of --prose, and stay; check finds what is not true', async () => {
    const prose = path.join(folder, 'texts', 'insert-batch-size.md')
    await mkdir(path.dirname(prose))
    await writeFile(prose, written.join('\n'))
    await runCommandLine([...reporting(folder, ['insert-batch-size']), '--prose', path.dirname(prose)])
    const first = await text()
    expect(first).toMatch(/\nOne per call makes 2036\S* a second\.\n<!-- \/mongo-perf insert-batch-size\/analysis -->/)
    expect(first).toContain('prose="../texts/insert-batch-size.md"')
    await report('insert-batch-size')
    expect(await text()).toBe(first)
    expect((await check()).code).toBe(0)

    await writeFile(prose, written.join('\n').replace('2100', '2010'))
    const line = first.split('\n').findIndex((one) => one.startsWith('<!-- mongo-perf insert-batch-size/measured'))
    const untrue = await check()
    expect(untrue).toMatchObject({ code: 5, stdout: '' })
    expect(untrue.stderr).toSay('prose-changed-and-untrue', { document, prose, line: line + 1 })
    const [, line3 = ''] = untrue.stderr.trimEnd().split('\n')
    expect((await report('insert-batch-size')).stderr.split('\n')).toContain(line3)

    await rm(prose)
    expect((await check()).stderr).toSay('prose-missing', { document, prose, line: line + 1 })
    const refused = await report('insert-batch-size')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(`${prose} is missing, the source of the texts of insert-batch-size`)
    expect(await text()).toContain('One per call makes')
  })
})

describe('check --document', () => {
  test('reports that a document is up to date, from any folder', async () => {
    await copyMade()
    const stdout: unknown = expect.toSay('document-up-to-date-with', { document, results: 2 })
    expect(await check()).toEqual({ code: 0, stdout, stderr: '' })
  })

  test('lists each block that is older than its result, and ends with 5', async () => {
    await copyMade()
    await writeFile(resultOf('query-types'), `${await readFile(resultOf('query-types'), 'utf8')}\n`)
    const { stdout, stderr, code } = await check('quickstart')
    expect(code).toBe(5)
    expect(stdout.split(/: |\n/)).toHaveLine('quickstart-title')
    const line = (await text())
      .split('\n')
      .findIndex((one) => one.startsWith('<!-- mongo-perf query-types/description'))
    expect(stderr).toHaveLine('document-block-older', { document, line: line + 1 })
    expect(stderr).not.toContain('insert-batch-size/')
    await report('query-types')
    expect((await check()).code).toBe(0)
  })

  test('lists each block that was edited by hand, and ends with 5', async () => {
    await copyMade()
    await writeFile(document, (await text()).replace(/(?<=query-types\/description[^>]*-->\n)/, 'My words.\n'))
    const { stdout, stderr, code } = await check()
    expect([stdout, code]).toEqual(['', 5])
    expect(stderr).toContain(': query-types/description was edited by hand; an update replaces that')
    expect((await report('query-types')).stderr).toContain(stderr)
    expect(await text()).not.toContain('My words.')
  })

  test('ends with 2 when a result is not there', async () => {
    await copyMade()
    await rm(resultOf('insert-batch-size'))
    const missing = { document, result: '../results/insert-batch-size/result.json' }
    expect(await checkRefused()).toSay('document-result-unreadable', missing)
  })

  test.each([
    ['Only prose.\n', 'document-without-blocks'],
    ['<!-- /mongo-perf a/b -->\n', 'document-marker-not-opened'],
    [null, 'document-missing'],
  ])('ends with 2 for %j', async (before, code) => {
    if (before !== null) await writeFile(document, before)
    expect(await checkRefused()).toSay(code, { document })
  })

  test('wants something to check', async () => expect(await runRefused(['check'])).toSay('check-nothing'))
})

describe('a folder of specs', () => {
  test('is run in the order of its document, the others by their names', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await writeFile(path.join(folder, 'results', `${name}.json`), '{}')
    await writeFile(
      path.join(folder, 'results', 'document.md'),
      ['d', 'not-yet', 'b'].map((name) => `<!-- mongo-perf ${name} -->\n<!-- /mongo-perf ${name} -->\n`).join(''),
    )
    const names = (await findSpecs(path.join(folder, 'results'))).map((file) => path.basename(file, '.json'))
    expect(names).toEqual(['d', 'b', 'a', 'c', 'result', 'result'])
    expect(await findDocumentTemplate(['nowhere', path.join(folder, 'results')])).toBe(
      path.join(folder, 'results', 'document.md'),
    )
  })

  test('holds the specs that links in it lead to, and leaves out links that lead nowhere', async () => {
    const specs = path.join(folder, 'specs')
    await mkdir(path.join(specs, 'folder.json'), { recursive: true })
    await writeFile(path.join(folder, 'elsewhere.json'), '{}')
    await symlink(path.join('..', 'elsewhere.json'), path.join(specs, 'linked.json'))
    await symlink('nowhere.json', path.join(specs, 'broken.json'))
    expect(await findSpecs(specs)).toEqual([path.join(specs, 'linked.json')])
  })

  test('that ships comes in the published order', async () => {
    const [first, second] = await findSpecs('performance-tables')
    expect(first).toMatch(/insert-document-size\.json$/)
    expect(second).toMatch(/insert-batch-size\.json$/)
  })
})
