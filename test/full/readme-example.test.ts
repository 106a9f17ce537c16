import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, inject, test } from 'vitest'

const root = new URL('../../', import.meta.url)

/** Examples run in a folder of their own, where they may write files. */
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

const examplesIn = (file: string): readonly string[] =>
  [...readFileSync(new URL(file, root), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, example = '']) => example)

const [ofMeasure] = examplesIn('README.md')
const [ofRun] = examplesIn('docs/library.md')
const [ofOperation, ofBaseline, ofWork] = examplesIn('docs/test-suites.md')
const [ofFunctions, ofColumns, ofSinks, ...others] = examplesIn('docs/extending.md')

const library = 'dist/entries/index.js'
const testing = 'dist/entries/testing.js'
const first = 'result.variants[0]?.phases[0]?.operations'

test.each([
  ['run', ofRun, library, `${first}[0]?.ok`, '2000', /^$/],
  ['measure', ofMeasure, testing, 'orders.sent.kind', 'seen', /^$/],
  ['measureInTurn', ofOperation, testing, 'now.rounds.length', '6', /^$/],
  ['baseline', ofBaseline, testing, 'count.rounds.length', '6', /count all orders had no baseline/],
  ['work', ofWork, testing, 'page.work?.commands', '1', /page of orders had no baseline.*any-machine/],
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
    `[markdown.includes('Speed of a Worker (ops/s)'), Number(result.variants[1]?.phases[0]?.columns?.perWorker) > 0].join()`,
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

test('every example of the page about extending is run', () => {
  expect(others).toEqual([])
})
