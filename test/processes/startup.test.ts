import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { main, type Workplace, workplace } from '../contract/support/program.ts'
import { fewReads, ownTarget } from '../contract/support/specs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const result = path.join(root, 'fixtures/results/quickstart/result.json')

type Coverage = { readonly result: readonly { readonly url: string }[] }

/** The bundler gives its own name to a chunk of ours. */
const bundled = Object.keys(
  JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')).devDependencies as object,
).filter((name) => name !== 'rolldown')

/** The packages behind modules that were loaded: installed, or as a chunk of the bundle. */
function packagesOf(urls: readonly string[]): readonly string[] {
  const names = urls.map(
    (url) =>
      /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ??
      bundled.find((name) => url.includes(`/dist/${name.replace('/', '-')}-`)),
  )
  return [...new Set(names.filter((name) => name !== undefined))].toSorted()
}

test.each([
  [['run', '--help'], ['commander']],
  [
    ['check', 'quickstart'],
    ['bson', 'commander', 'jsonc-parser', 'zod'],
  ],
  [
    ['report', result, '--out', '.'],
    ['@napi-rs/canvas', 'bson', 'chart.js', 'commander', 'markdown-it'],
  ],
])('%j loads no packages but those that it needs', async (command, needed) => {
  await using place = await workplace()
  const folder = path.join(place.folder, 'coverage')
  expect((await place.start(command, { NODE_V8_COVERAGE: folder }).ended).code).toBe(0)
  const [file = ''] = await readdir(folder)
  const coverage = JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Coverage
  const loaded = coverage.result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
  expect(loaded.filter((url) => /\/dist\/(cli\/main|program-[^/]*|commander-[^/]*)\.js$/.test(url))).toHaveLength(3)
  expect(packagesOf(loaded)).toEqual(needed)
})

/** Checks a spec in a shell that allows so many open files. */
function checkWith(files: number, spec: string, { env }: Workplace) {
  const command = ['-c', `ulimit -n ${files} && exec "$0" "$@"`, process.execPath, main, 'check', spec]
  return spawnSync('sh', command, { env, encoding: 'utf8', timeout: 120_000 })
}

test.runIf(process.platform === 'linux').each([32, 64])(
  '%i open files are too few, which is reported at once',
  async (files) => {
    await using place = await workplace()
    const tooFew = expect.toSay('startup-open-files-too-few', { needed: 256, allowed: files })
    expect(checkWith(files, 'quickstart', place)).toMatchObject({ status: 4, stderr: tooFew })
  },
)

test.runIf(process.platform === 'linux')('check refuses more connections than there may be open files', async () => {
  await using place = await workplace()
  const operations = [{ kind: 'findOne', filter: { _id: 1 } }]
  const phases = [{ name: 'read', load: { kind: 'closed', workers: 500 }, stopAfter: { seconds: 1 }, operations }]
  const file = await place.spec(fewReads({ ...ownTarget, phases }))
  const tooFew = expect.toSay('check-open-files-too-few', { phase: 'read', needed: 1270, allowed: 600 })
  expect(checkWith(600, file, place)).toMatchObject({ status: 4, stderr: tooFew })
})

const canUnshare = process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0

test.runIf(canUnshare).each([
  ['doctor', 'stdout'],
  ['clean', 'stderr'],
  ['run', 'stderr', 'quickstart', '--profile', 'smoke'],
] as const)('without /proc, %s says why it starts and ends no server', async (command, output, ...args) => {
  await using place = await workplace()
  const inside = ['-m', 'sh', '-c', 'umount -l /proc && exec "$0" "$@"', process.execPath, main, command, ...args]
  const ended = spawnSync('unshare', inside, { cwd: place.folder, env: place.env, encoding: 'utf8', timeout: 60_000 })
  expect(ended.status).toBe(4)
  expect(ended[output]).toContain('does not show its processes')
  expect(place.servers()).toEqual([])
})
