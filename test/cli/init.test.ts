import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { schemaFor } from '../../src/cli/specs/new-spec-file.ts'
import { loadSpecFile, loadSpecText } from '../../src/spec/load-spec.ts'
import { foreignFile } from '../../src/spec/schema/data-file.ts'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'
import { useFolder } from '../fakes/temporary-folder.ts'

const folder = useFolder()
const inFolder = (name: string): string => path.join(folder, name)

const at = ['--uri', 'mongodb://127.0.0.1:1']

const exclusive = (option: string, other: string) => ({ option, other })

describe('files that are neither specs nor lines of JSON are named for what they are', () => {
  test.each([
    ['orders.csv', Buffer.from('_id,name\n1,a\n'), 'foreign-file-csv'],
    ['orders.tsv', Buffer.from('_id\tname\n'), 'foreign-file-csv'],
    ['orders.bson', Buffer.from(serialize({ _id: 1, name: 'a' })), 'foreign-file-bson'],
    ['orders.bson.gz', gzipSync(serialize({ _id: 1, name: 'a' })), 'foreign-file-bson'],
    ['all.archive', Buffer.from([0x6d, 0xe2, 0x99, 0x81, 1, 2, 3]), 'foreign-file-archive'],
  ])('%s', async (name, bytes, code) => {
    const file = inFolder(name)
    await writeFile(file, bytes)
    const foreign = foreignFile(file) ?? ''
    expect(foreign).toSay(code)
    expect(await runRefused(['init', file])).toSay('init-over-foreign-file', { file, foreign })
    expect(await runRefused(['check', file])).toSay('check-of-foreign-file', { file, foreign })
  })

  test('and one that no documents are loaded from is refused as "file" of data', async () => {
    const name = 'orders.parquet'
    await writeFile(inFolder(name), 'PAR1....')
    const foreign = foreignFile(inFolder(name)) ?? ''
    const phases = [{ name: 'r', stopAfter: { operations: 1 }, operations: [{ kind: 'find' }] }]
    const ofFile = inFolder('of-file.json')
    await writeFile(ofFile, JSON.stringify({ name: 'e', data: { collection: 'c', file: name }, phases }))
    expect(await runRefused(['check', ofFile])).toSay('data-file-foreign', { file: ofFile, name, foreign })
  })

  test('and lines of JSON, also compressed, are not mistaken for one of them', async () => {
    await writeFile(inFolder('lines.csv'), '{"_id": 1}\n')
    await writeFile(inFolder('lines.json.gz'), gzipSync('{"_id": 1}\n'))
    expect(foreignFile(inFolder('lines.csv'))).toBeUndefined()
    expect(foreignFile(inFolder('lines.json.gz'))).toBeUndefined()
    expect(foreignFile('/dev/stdin')).toBeUndefined()
  })
})

test('a folder that cannot be written to is refused before a server is asked', async () => {
  const file = inFolder('missing/spec.json')
  const args = ['init', file, '--from', 'shop.orders', ...at]
  expect(await runRefused(args)).toSay('init-file-unwritable', { file })
})

describe('a starter', () => {
  test('is written, is a right spec, and the next steps are printed', async () => {
    const file = inFolder('starter.json')
    const { stdout, stderr, code } = await runCommandLine(['init', file])
    expect({ stdout, code }).toEqual({ stdout: '', code: 0 })
    expect(stderr).toContain(`written to ${file}`)
    expect(stderr).toContain(`npx mongo-perf run ${file}`)
    expect((await loadSpecFile(file, { profile: 'smoke' })).rows).toHaveLength(1)
  })

  test('names the schema of the clone in which it is made', async () => {
    const { stdout } = await runCommandLine(['init', '--print'])
    expect(JSON.parse(stdout)).toMatchObject({ $schema: './fixtures/spec.schema.json' })
    expect(loadSpecText(stdout, 'printed.json').rows).toHaveLength(1)
    expect((await runCommandLine(['init', '-'])).stdout).toBe(stdout)
    await runCommandLine(['init', inFolder('here.json')])
    const { $schema } = JSON.parse(await readFile(inFolder('here.json'), 'utf8')) as { $schema: string }
    expect(path.resolve(folder, $schema)).toBe(path.resolve('fixtures/spec.schema.json'))
  })

  test.each([
    ['spec.json', 'node_modules/mongo-perf/fixtures/s.json', './node_modules/mongo-perf/fixtures/s.json'],
    ['specs/spec.json', 'fixtures/s.json', '../fixtures/s.json'],
    ['fixtures/spec.json', 'fixtures/s.json', './s.json'],
  ])('%s names the schema %s below this folder as %s', (file, schema, named) =>
    expect(schemaFor(file, path.resolve(schema))).toBe(named),
  )

  test('names the schema of a package that is installed in its folder or above, and else one that exists', async () => {
    const elsewhere = path.join(path.resolve('..'), 'elsewhere', 's.json')
    const [project, outside] = [inFolder('project'), inFolder('outside')]
    const installed = path.join(project, 'node_modules', 'mongo-perf', 'fixtures')
    await mkdir(installed, { recursive: true })
    await writeFile(path.join(installed, 'spec.schema.json'), '{}')
    const ofPackage = 'node_modules/mongo-perf/fixtures/spec.schema.json'
    expect(schemaFor(path.join(project, 'spec.json'), elsewhere)).toBe(`./${ofPackage}`)
    expect(schemaFor(path.join(project, 'specs', 'deep', 'spec.json'), elsewhere)).toBe(`../../${ofPackage}`)
    expect(schemaFor(path.join(outside, 'spec.json'), elsewhere)).toBe(pathToFileURL(elsewhere).href)
  })

  test('overwrites an existing file only with --force', async () => {
    const file = inFolder('mine.json')
    await writeFile(file, 'mine')
    expect(await runRefused(['init', file])).toSay('cli-file-exists', { file })
    expect(await readFile(file, 'utf8')).toBe('mine')
    expect((await runCommandLine(['init', file, '--force'])).code).toBe(0)
    expect(await readFile(file, 'utf8')).toContain('"phases"')
  })
})

describe('a wrong usage ends with 2 and a hint', () => {
  test.each([
    [['no-such-folder/x.json'], 'init-file-unwritable', { file: 'no-such-folder/x.json' }],
    [['--existing', '--print'], 'init-needs-collection', { option: '--existing' }],
    [['--index', '{"a":1}', '--print'], 'init-needs-collection', { option: '--index' }],
    [['--write-concerns', '1', '--print'], 'init-needs-collection', { option: '--write-concerns' }],
    [['--query', '{"a":1}', '--print'], 'init-needs-collection', { option: '--query' }],
    [
      ['--from', 'a.b', '--existing', '--write-concerns', '1'],
      'cli-options-exclusive',
      exclusive('--write-concerns <list>', '--existing'),
    ],
    [
      ['--from', 'a.b', '--existing', '--query', '{}', '--update', '{}'],
      'cli-options-exclusive',
      exclusive('--update <update>', '--existing'),
    ],
    [
      ['--from', 'a.b', '--pipeline', '[]', '--sort', '{"a":1}'],
      'cli-options-exclusive',
      exclusive('--pipeline <stages>', '--sort <order>'),
    ],
    [['--from', 'a.b', '--query', '{a:1}', ...at, '--print'], 'init-query-unreadable'],
    [['--from', 'a.b', '--index', 'a', ...at, '--print'], 'init-index-unreadable'],
    [['--from', 'shop.orders', '--print'], 'init-no-server'],
    [['--from', 'shop', '--print', ...at], 'init-names-no-collection'],
    [
      ['--from', 'a.b', '--from-profile', 'a'],
      'cli-options-exclusive',
      exclusive('--from-profile <db>', '--from <db.coll>'),
    ],
    [
      ['--from', 'a.b', '--sample', '0'],
      'cli-number-out-of-range',
      { option: '--sample <n>', given: 0, least: 1, most: 100_000 },
    ],
  ])('%j', async (args, code, data?) => expect(await runRefused(['init', ...args])).toSay(code, data))

  test('a server elsewhere is refused', async () => {
    const args = ['init', '--print', '--from', 'a.b', '--uri', 'mongodb://db.invalid/']
    expect(await runRefused(args, {}, 3)).toSay('init-server-remote')
  })
})
