import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, inject, test } from 'vitest'
import { fencesOf, pageOf } from '../docs/pages.ts'

const root = new URL('../../', import.meta.url)

/** Examples run in a folder of their own, where they may write files. */
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

const examplesIn = (file: string): readonly string[] =>
  [...readFileSync(new URL(file, root), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, example = '']) => example)

const [ofRun, ofFunctions, ofColumns, ofSinks, ...others] = examplesIn('docs/library.md')

const library = 'dist/entries/index.js'
const first = 'result.variants[0]?.phases[0]?.operations'

test.each([
  ['run', ofRun, library, `${first}[0]?.ok`, '2000', /^$/],
  [
    'functions',
    ofFunctions,
    library,
    `${first}.map(({ name, ok }) => [name, ok > 50].join()).join(' ')`,
    'totalOfCustomer,true findOne,true',
    /^$/,
  ],
  [
    'columns',
    ofColumns,
    library,
    `[markdown.includes('Throughput of a Worker (ops/s)'), Number(result.variants[1]?.phases[0]?.columns?.perWorker) > 0].join()`,
    'true,true',
    /^$/,
  ],
  ['sinks', ofSinks, library, `counts.get('findOne') === ${first}[0]?.ok`, 'true', /^$/],
])('the example of %s in the documentation runs as it stands', (_, example = '', source, shown, expected, printed) => {
  const folder = mkdtempSync(join(tmpdir(), 'mongo-perf-readme-'))
  const file = join(folder, 'example.mts')
  const entry = new URL(source, root).href
  writeFileSync(file, `${example.replace(/'mongo-perf.*'/, `'${entry}'`)}\nconsole.log(${shown})\n`)

  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', loader, file], {
    cwd: folder,
    env: { ...process.env, MONGOMS_SYSTEM_BINARY: inject('mongodPath') },
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })

  expect({ status, stdout }).toEqual({ status: 0, stdout: `${expected}\n` })
  expect(stderr).toMatch(printed)
})

/** Whole files of tests: the comment in their first line has their names. */
const filesIn = (page: string): readonly (readonly [name: string, text: string])[] =>
  fencesOf(pageOf(page), 'js').flatMap((text) => {
    const [, name] = /^\/\/ (test\/\S+\.test\.\w+)\n/.exec(text) ?? []
    return name === undefined ? [] : [[name, text] as const]
  })

/** Jest and mongoose are installed in the example app alone, whose tests run these. */
const isForApp = ([, text]: readonly [string, string]): boolean => /mongo-perf\/jest|'mongoose'/.test(text)

const runnerOf = (text: string): readonly string[] =>
  text.includes("from 'vitest'") ? ['node_modules/vitest/vitest.mjs', 'run', '--no-color'] : ['--test']

test.each([...filesIn('README.md'), ...filesIn('docs/test-suites.md')].filter((file) => !isForApp(file)))(
  'the tests of %s pass',
  (name, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'mongo-perf-readme-'))
    mkdirSync(join(folder, 'node_modules'))
    mkdirSync(join(folder, 'test'))
    symlinkSync(fileURLToPath(root), join(folder, 'node_modules/mongo-perf'), 'dir')
    for (const used of ['mongodb', 'vitest'])
      symlinkSync(fileURLToPath(new URL(`node_modules/${used}`, root)), join(folder, 'node_modules', used), 'dir')
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, name), text)
    const { status, stdout, stderr } = spawnSync(process.execPath, [...runnerOf(text), name], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], MONGOMS_SYSTEM_BINARY: inject('mongodPath') },
      encoding: 'utf8',
    })
    rmSync(folder, { recursive: true })
    expect(`${status} ${stdout}${stderr}`).toMatch(/^0 [\s\S]*(?:Tests +1 passed|pass 1\n)/)
  },
)

test('every example of the page about the library is run', () => expect(others).toEqual([]))
