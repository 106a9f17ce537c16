import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { serialize } from 'bson'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaFor } from '../../src/cli/specs/new-spec-file.ts'
import { loadSpecFile, loadSpecText } from '../../src/spec/load-spec.ts'
import { foreignFile } from '../../src/spec/schema/data-file.ts'
import { runCommandLine } from '../fakes/fake-cli-context.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-init-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const inFolder = (name: string): string => path.join(folder, name)

describe('files that are neither specs nor lines of JSON are named for what they are', () => {
  test.each([
    ['orders.csv', Buffer.from('_id,name\n1,a\n'), 'is a CSV file'],
    ['orders.tsv', Buffer.from('_id\tname\n'), 'is a CSV file'],
    ['orders.bson', Buffer.from(serialize({ _id: 1, name: 'a' })), 'is a BSON file'],
    ['orders.bson.gz', gzipSync(serialize({ _id: 1, name: 'a' })), 'is a BSON file'],
    ['all.archive', Buffer.from([0x6d, 0xe2, 0x99, 0x81, 1, 2, 3]), 'is an archive of mongodump'],
  ])('%s', async (name, bytes, words) => {
    const file = inFolder(name)
    await writeFile(file, bytes)
    const written = await runCommandLine(['init', file])
    expect({ code: written.code, stderr: written.stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) })
    const read = await runCommandLine(['check', file])
    expect({ code: read.code, stderr: read.stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) })
    const spec = {
      name: 'e',
      data: { collection: 'c', file: name },
      phases: [{ name: 'r', stopAfter: { operations: 1 }, operations: [{ kind: 'find' }] }],
    }
    await writeFile(inFolder('of-file.json'), JSON.stringify(spec))
    const checked = await runCommandLine(['check', inFolder('of-file.json')])
    expect({ code: checked.code, stderr: checked.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`data.file: "${name}" ${words}`),
    })
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
  const { code, stderr } = await runCommandLine([
    'init',
    file,
    '--from',
    'shop.orders',
    '--uri',
    'mongodb://127.0.0.1:1',
  ])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('cannot be written (ENOENT)') })
  expect(stderr).toContain('hint: Name a file in an existing folder that you may write to.')
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
  ])('%s names the schema %s below this folder as %s', (file, schema, named) => {
    expect(schemaFor(file, path.resolve(schema))).toBe(named)
  })

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
    const { stderr, code } = await runCommandLine(['init', file])
    expect(code).toBe(2)
    expect(stderr).toContain('--force')
    expect(await readFile(file, 'utf8')).toBe('mine')
    expect((await runCommandLine(['init', file, '--force'])).code).toBe(0)
    expect(await readFile(file, 'utf8')).toContain('"phases"')
  })
})

describe('a wrong usage ends with 2 and a hint', () => {
  test.each([
    [['init', 'no-such-folder/x.json'], 'no-such-folder/x.json cannot be written (ENOENT)'],
    [['init', '--existing', '--print'], '--existing needs a collection'],
    [['init', '--index', '{"a":1}', '--print'], '--index needs a collection'],
    [['init', '--write-concerns', '1', '--print'], '--write-concerns needs a collection'],
    [['init', '--query', '{"a":1}', '--print'], '--query needs a collection'],
    [['init', '--from', 'a.b', '--existing', '--write-concerns', '1'], 'cannot be used with'],
    [['init', '--from', 'a.b', '--existing', '--query', '{}', '--update', '{}'], 'cannot be used with'],
    [['init', '--from', 'a.b', '--pipeline', '[]', '--sort', '{"a":1}'], 'cannot be used with'],
    [['init', '--from', 'a.b', '--query', '{a:1}', '--uri', 'mongodb://127.0.0.1:1', '--print'], '--query:1:2'],
    [['init', '--from', 'a.b', '--index', 'a', '--uri', 'mongodb://127.0.0.1:1', '--print'], 'not the key of an index'],
    [['init', '--from', 'shop.orders', '--print'], 'No server is given'],
    [
      ['init', '--from', 'shop', '--print', '--uri', 'mongodb://127.0.0.1:1'],
      'does not name a database and a collection',
    ],
    [['init', '--from', 'a.b', '--from-profile', 'a'], 'cannot be used with'],
    [['init', '--from', 'a.b', '--sample', '0'], 'a whole number from 1 to'],
  ])('%j', async (args, words) => {
    const { stdout, stderr, code } = await runCommandLine(args)
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr).toContain(words)
    expect(stderr).toMatch(/\nhint: .+\n$/)
  })

  test('a server elsewhere is refused', async () => {
    const { stderr, code } = await runCommandLine([
      'init',
      '--print',
      '--from',
      'a.b',
      '--uri',
      'mongodb://db.invalid/',
    ])
    expect(code).toBe(3)
    expect(stderr).toContain('--allow-remote')
  })
})
