import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findDocumentTemplate, findSpecs } from '../../src/cli/specs/find-specs.ts'
import { runCommandLine } from '../fakes/fake-cli-context.ts'

const stored = fileURLToPath(new URL('../../fixtures/invented-results/', import.meta.url))

const documentIn = (folder: string): string => path.join(folder, 'docs (all)', 'P.md')
const resultIn = (folder: string, name: string): string => path.join(folder, 'results', name, 'result.json')

async function folderOfResults(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'mongo-perf-document-'))
  await mkdir(path.dirname(documentIn(made)))
  for (const name of ['insert-batch-size', 'query-types'])
    await cp(path.join(stored, `${name}.json`), resultIn(made, name), { recursive: true })
  return made
}

const reportIn = (folder: string, names: readonly string[]) =>
  runCommandLine([
    'report',
    ...names.map((name) => resultIn(folder, name)),
    '--into',
    documentIn(folder),
    '--format',
    'json',
  ])

/** Drawing takes seconds: tests that begin with a document of both results take a copy of this one. */
let made: string
let making: Awaited<ReturnType<typeof reportIn>>
beforeAll(async () => {
  made = await folderOfResults()
  making = await reportIn(made, ['insert-batch-size', 'query-types'])
})
const copyMade = (): Promise<void> => cp(made, folder, { recursive: true })

let folder: string
let document: string
beforeEach(async () => {
  folder = await folderOfResults()
  document = documentIn(folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))
afterAll(() => rm(made, { recursive: true, force: true }))

const resultOf = (name: string): string => resultIn(folder, name)
const report = (...names: readonly string[]) => reportIn(folder, names)
const check = (...more: readonly string[]) => runCommandLine(['check', '--document', document, ...more])
const text = (): Promise<string> => readFile(document, 'utf8')

describe('report --into', () => {
  test('makes a document, with links that lead to the charts', async () => {
    const { stdout, stderr, code } = making
    const madeDocument = documentIn(made)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveLength(2)
    expect(stderr).toContain(`${madeDocument} shows query-types as it is now\n`)
    const links = [...(await readFile(madeDocument, 'utf8')).matchAll(/(?:src|srcset)="([^"]+)"/g)].map(
      ([, link = '']) => link,
    )
    const chart = '../results/insert-batch-size/speed-docs-s-by-write-batch-size'
    expect(links.slice(0, 2)).toEqual([`${chart}-dark.png`, `${chart}.png`])
    for (const link of links) expect((await stat(path.join(path.dirname(madeDocument), link))).size).toBeGreaterThan(0)
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
    const { stderr, code } = await report('other')
    expect(code).toBe(2)
    expect(stderr).toContain(
      'the section "insert-batch-size" shows another result, ../results/insert-batch-size/result.json, which ../results/other/result.json would replace\n',
    )
    expect(await text()).toBe(before)
  })

  test('writes through a link', async () => {
    const real = path.join(folder, 'real.md')
    await writeFile(real, 'Mine.\n')
    await symlink(real, document)
    await report('insert-batch-size')
    const written = await readFile(real, 'utf8')
    expect(written).toMatch(/^Mine\.\n\n## Impact of client write batch size/)
    expect(written).toContain(' src="results/insert-batch-size/speed-docs-s-by-write-batch-size.png">')
    expect(await check()).toEqual({ code: 0, stdout: `${document}: up to date with its result\n`, stderr: '' })
  })

  test.each([
    ['# P\n<!-- mongo-perf a/b -->\n', ':2: the marker "a/b" is not closed'],
    [Uint8Array.of(0xff, 0xfe, 0x41), ' is not written in UTF-8'],
  ])('leaves a document alone that it cannot read right', async (before, message) => {
    await writeFile(document, before)
    const { stderr, code } = await report('insert-batch-size')
    expect(code).toBe(2)
    expect(stderr).toContain(`${document}${message}`)
    expect(stderr.startsWith(document)).toBe(message.startsWith(':'))
    expect(await readFile(document)).toEqual(Buffer.from(before as string))
  })
})

describe('check --document', () => {
  test('reports that a document is up to date, from any folder', async () => {
    await copyMade()
    expect(await check()).toEqual({ code: 0, stdout: `${document}: up to date with 2 results\n`, stderr: '' })
  })

  test('lists each block that is older than its result, and ends with 5', async () => {
    await copyMade()
    await writeFile(resultOf('query-types'), `${await readFile(resultOf('query-types'), 'utf8')}\n`)
    const { stdout, stderr, code } = await check('quickstart')
    expect(code).toBe(5)
    expect(stdout).toContain('Response times of a shop at half load')
    const line = (await text())
      .split('\n')
      .findIndex((one) => one.startsWith('<!-- mongo-perf query-types/description'))
    expect(stderr).toContain(
      `${document}:${line + 1}: query-types/description: older than result ../results/query-types/result.json\n`,
    )
    expect(stderr).not.toContain('insert-batch-size/')
    await report('query-types')
    expect((await check()).code).toBe(0)
  })

  test('ends with 2 when a result is not there', async () => {
    await copyMade()
    await rm(resultOf('insert-batch-size'))
    const { stderr, code } = await check()
    expect(code).toBe(2)
    expect(stderr).toContain('the result ../results/insert-batch-size/result.json cannot be read')
  })

  test.each([
    ['Only prose.\n', ' has no block that was made from a result'],
    ['<!-- /mongo-perf a/b -->\n', ':1: the closing marker "a/b" has no opening marker'],
    [null, ' does not exist'],
  ])('ends with 2 for %j', async (before, message) => {
    if (before !== null) await writeFile(document, before)
    const { stderr, code } = await check()
    expect(code).toBe(2)
    expect(stderr).toContain(`${document}${message}`)
  })

  test('wants something to check', async () => {
    expect(await runCommandLine(['check'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing to check'),
    })
  })
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
