import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'

const root = new URL('../../', import.meta.url)

test('the example of the library in the README runs as it stands', () => {
  const readme = readFileSync(new URL('README.md', root), 'utf8')
  const example = /^```ts\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'mongo-perf-readme-'))
  const file = join(folder, 'example.mts')
  const entry = new URL('src/index.ts', root).href
  writeFileSync(
    file,
    `${example.replace("'mongo-perf'", `'${entry}'`)}\nconsole.log(result.variants[0]?.phases[0]?.operations[0]?.ok)\n`,
  )

  const ran = spawnSync(process.execPath, ['--import', 'tsx', file], {
    cwd: fileURLToPath(root),
    env: { ...process.env, MONGOMS_SYSTEM_BINARY: inject('mongodPath') },
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })

  expect(ran).toMatchObject({ status: 0, stdout: '2000\n', stderr: '' })
})
