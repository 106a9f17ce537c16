import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { main, workplace } from '../contract/support/program.ts'

type Coverage = { readonly result: readonly { readonly url: string }[] }

test('help loads the command line and nothing behind it', async () => {
  await using place = await workplace()
  const folder = path.join(place.folder, 'coverage')
  expect((await place.start(['run', '--help'], { NODE_V8_COVERAGE: folder }).ended).code).toBe(0)
  const [file = ''] = await readdir(folder)
  const { result } = JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Coverage
  const loaded = result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
  expect(loaded.filter((url) => /\/dist\/(cli\/main|program-[^/]*|commander-[^/]*)\.js$/.test(url))).toHaveLength(3)
  const packages = loaded.filter(
    (url) => !url.includes('/dist/') || /\/(zod|jsonc-parser|markdown-it|tinybench)-/.test(url),
  )
  expect(packages).toEqual([])
})

test.runIf(process.platform === 'linux').each([32, 64])(
  '%i open files are too few, which is reported at once',
  async (files) => {
    await using place = await workplace()
    const script = `ulimit -n ${files} && exec "$0" "$@"`
    const command = ['-c', script, process.execPath, main, 'check', 'quickstart']
    const { status, stderr } = spawnSync('sh', command, { env: place.env, encoding: 'utf8', timeout: 120_000 })
    expect(status).toBe(4)
    expect(stderr).toContain(`mongo-perf needs 256 open files, and this shell allows ${files}`)
    expect(stderr).toContain('hint: Raise the limit first: ulimit -n 16384')
  },
)
