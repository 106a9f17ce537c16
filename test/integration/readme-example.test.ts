import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'

const root = new URL('../../', import.meta.url)

const readme = readFileSync(new URL('README.md', root), 'utf8')
const [ofRun = '', ofMeasure = ''] = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, example = '']) => example)

test.each([
  ['run', ofRun, 'src/index.ts', 'result.variants[0]?.phases[0]?.operations[0]?.ok', '2000'],
  ['measure', ofMeasure, 'src/testing/index.ts', 'orders.sent.kind', 'seen'],
])('the example of %s in the README runs as it stands', (_, example, source, shown, expected) => {
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
