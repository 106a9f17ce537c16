import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'

const root = new URL('../../', import.meta.url)

const examplesIn = (file: string): readonly string[] =>
  [...readFileSync(new URL(file, root), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, example = '']) => example)

const [ofRun, ofMeasure] = examplesIn('README.md')
const [ofFunctions, ofColumns, ofSinks, ...others] = examplesIn('docs/extending.md')

const library = 'src/index.ts'
const first = 'result.variants[0]?.phases[0]?.operations'

test.each([
  ['run', ofRun, library, `${first}[0]?.ok`, '2000'],
  ['measure', ofMeasure, 'src/testing/index.ts', 'orders.sent.kind', 'seen'],
  [
    'functions',
    ofFunctions,
    library,
    `${first}.map(({ name, ok }) => [name, ok > 50].join()).join(' ')`,
    'totalOfCustomer,true findOne,true',
  ],
  [
    'columns',
    ofColumns,
    library,
    `[markdown.includes('Speed of a Worker (ops/s)'), Number(result.variants[1]?.phases[0]?.columns?.perWorker) > 0].join()`,
    'true,true',
  ],
  ['sinks', ofSinks, library, `counts.get('findOne') === ${first}[0]?.ok`, 'true'],
])('the example of %s in the documentation runs as it stands', (_, example = '', source, shown, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'mongo-perf-readme-'))
  const file = join(folder, 'example.mts')
  const entry = new URL(source, root).href
  writeFileSync(file, `${example.replace(/'mongo-perf.*'/, `'${entry}'`)}\nconsole.log(${shown})\n`)

  const ran = spawnSync(process.execPath, ['--import', 'tsx', file], {
    cwd: fileURLToPath(root),
    env: { ...process.env, MONGOMS_SYSTEM_BINARY: inject('mongodPath') },
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })

  expect(ran).toMatchObject({ status: 0, stdout: `${expected}\n`, stderr: '' })
})

test('every example of the page about extending is run', () => {
  expect(others).toEqual([])
})
