import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const files = fileURLToPath(new URL('../../../fixtures/installed/', import.meta.url))

/** A project of somebody who has installed the packed tool. */
let folder: string
let env: Record<string, string | undefined>

const call = promisify(execFile)
const inFolder = (program: string, args: readonly string[], more: object = {}) =>
  call(program, args, { cwd: folder, env: { ...env, ...more } })

/** What is packed, in a folder where packing does not build the program again: other tests run it meanwhile. */
async function stage(): Promise<string> {
  const staged = path.join(folder, 'staged')
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  for (const name of [...manifest.files, 'README.md', 'LICENSE'])
    await cp(path.join(root, name), path.join(staged, name), { recursive: true })
  manifest.scripts.build = 'node --version'
  await writeFile(path.join(staged, 'package.json'), JSON.stringify(manifest, null, 2))
  return staged
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  env = {
    ...process.env,
    MONGOMS_SYSTEM_BINARY: inject('mongodPath'),
    XDG_STATE_HOME: path.join(folder, 'state'),
    NO_COLOR: '1',
  }
  await cp(files, folder, { recursive: true })
  const staged = await stage()
  await call('npm', ['pack', '--pack-destination', folder], { cwd: staged })
  await rm(staged, { recursive: true })
  const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']
  // Its own driver is of another major version than ours, and so is its BSON.
  await inFolder('npm', ['install', `./${packed}`, 'mongodb@6', ...quick])
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

test('the package asks for no build where it is unpacked and installed', async () => {
  const { scripts } = JSON.parse(await readFile(path.join(folder, 'node_modules/mongo-perf/package.json'), 'utf8'))
  expect(scripts).toMatchObject({ build: expect.any(String) })
  expect(scripts).not.toHaveProperty('prepare')
})

test('the program runs by its name, and its charts look the same on a machine without fonts', async () => {
  const { stdout } = await inFolder('npx', ['mongo-perf', 'run', 'quickstart', '--profile', 'smoke'])
  expect(stdout).toContain('## A mix people recognise')

  const result = path.join('mongo-perf-results', 'quickstart', 'result.json')
  await mkdir(path.join(folder, 'no-fonts'))
  await writeFile(path.join(folder, 'fonts.conf'), '<fontconfig></fontconfig>')
  const noFonts = { FONTCONFIG_FILE: path.join(folder, 'fonts.conf'), FONTCONFIG_PATH: path.join(folder, 'no-fonts') }
  await inFolder('npx', ['mongo-perf', 'report', result, '--out', 'bare'], noFonts)
  const charts = (await readdir(path.join(folder, 'bare', 'quickstart'))).filter((name) => name.endsWith('.png'))
  expect(charts).toContain('latency-by-percentile.png')
  for (const chart of charts) {
    const drawn = await readFile(path.join(folder, 'mongo-perf-results', 'quickstart', chart))
    expect(drawn.subarray(1, 4).toString()).toBe('PNG')
    expect(drawn.equals(await readFile(path.join(folder, 'bare', 'quickstart', chart)))).toBe(true)
  }
})

test('a test suite runs specs, ends them early, and hears nothing from it', async () => {
  const { stdout, stderr } = await inFolder('node', [
    '--test',
    '--test-reporter=tap',
    'suite.test.mjs',
    'common.test.cjs',
  ])
  expect(stdout).toMatch(/^# pass 4$/m)
  expect(stderr).toBe('')
  const ofTheReporter = /^ *(TAP version|#|ok |1\.\.|---|\.\.\.|duration_ms|type:|$)/
  expect(stdout.split('\n').filter((line) => !ofTheReporter.test(line))).toEqual([])
})

const compile = (file: string, settings: readonly string[]) => {
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  return inFolder('node', [tsc, '--noEmit', '--strict', '--types', '', '--skipLibCheck', ...settings, file])
}

test('the compiler takes a right spec and names the key of a wrong one', async () => {
  const settings = ['--module', 'nodenext']
  expect((await compile('right.ts', settings)).stdout).toBe('')
  await expect(compile('wrong.ts', settings)).rejects.toMatchObject({
    stdout: expect.stringContaining("'workerz' does not exist"),
  })
})

test.each([
  ['right.ts', ['--module', 'node16']],
  ['right.ts', ['--module', 'preserve']],
  ['right.ts', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ['common.cts', ['--module', 'nodenext']],
])('%s compiles with %j', async (file, settings) => {
  expect((await compile(file, settings)).stdout).toBe('')
})
