import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestMongod } from '../../../bench/start/mongod.ts'
import { packTool } from '../../../bench/start/pack-tool.ts'
import { startProgram } from '../../../bench/start/program.ts'
import { find, specOf } from '../../contract/support/agents.ts'
import { startTestRedis } from '../../contract/support/redis.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const files = fileURLToPath(new URL('../../../fixtures/installed/', import.meta.url))

/** A project of somebody who has installed the packed tool. */
let folder: string
let env: Record<string, string | undefined>

const call = promisify(execFile)
const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']
const inFolder = (program: string, args: readonly string[], more: object = {}) =>
  call(program, args, { cwd: folder, env: { ...env, ...more } })

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  env = {
    ...process.env,
    MONGOMS_SYSTEM_BINARY: inject('mongodPath'),
    XDG_STATE_HOME: path.join(folder, 'state'),
    NO_COLOR: '1',
  }
  await cp(files, folder, { recursive: true })
  const packed = await packTool(folder)
  // Its own driver is of another major version than ours, and so is its BSON.
  await inFolder('npm', ['install', packed, 'mongodb@6', ...quick])
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

test('the package has no script, about which npm would warn, and none of the tools that build it', async () => {
  const packed = JSON.parse(await readFile(path.join(folder, 'node_modules/mongo-perf/package.json'), 'utf8'))
  expect(Object.keys(packed).filter((key) => ['scripts', 'devDependencies', 'overrides'].includes(key))).toEqual([])
})

test('the program runs by its name, and its charts look the same on a machine without fonts', async () => {
  const { stdout } = await inFolder('npx', ['mongo-perf', 'run', 'quickstart', '--profile', 'smoke'])
  expect(stdout).toHaveLine('quickstart-heading')

  const result = path.join('mongo-perf-results', 'quickstart', 'result.json')
  await mkdir(path.join(folder, 'no-fonts'))
  await writeFile(path.join(folder, 'fonts.conf'), '<fontconfig></fontconfig>')
  const noFonts = { FONTCONFIG_FILE: path.join(folder, 'fonts.conf'), FONTCONFIG_PATH: path.join(folder, 'no-fonts') }
  await inFolder('npx', ['mongo-perf', 'report', result, '--out', 'bare'], noFonts)
  const charts = (await readdir(path.join(folder, 'bare', 'quickstart'))).filter((name) => name.endsWith('.png'))
  expect(charts).toContain('response-time-by-percentile.png')
  for (const chart of charts) {
    const drawn = await readFile(path.join(folder, 'mongo-perf-results', 'quickstart', chart))
    expect(drawn.subarray(1, 4).toString()).toBe('PNG')
    expect(drawn.equals(await readFile(path.join(folder, 'bare', 'quickstart', chart)))).toBe(true)
  }
})

test('microbenchmarks in memory run in tinybench, which comes with the package', async () => {
  const { stdout } = await inFolder('npx', [
    'mongo-perf',
    'micro',
    'draw-int',
    '--min-seconds',
    '0',
    '--iterations',
    '2',
  ])
  expect(stdout).toMatch(/^\| Draw int +\| +100,000 \|/m)
})

test('VS Code is set up with tasks that check a spec by the installed program', async () => {
  await inFolder('npx', ['mongo-perf', 'init', '--editor'])
  await writeFile(path.join(folder, 'wrong.mongo-perf.json'), '{\n  "name": "wrong",\n  "phases": []\n}\n')
  const { tasks } = JSON.parse(await readFile(path.join(folder, '.vscode/tasks.json'), 'utf8'))
  const [{ command, args, problemMatcher }] = tasks
  const given = args.map((arg: string) => arg.replace('${relativeFile}', 'wrong.mongo-perf.json'))
  const failed = await inFolder(command, given).catch((error: unknown) => error as { stderr: string })
  const pattern = new RegExp(problemMatcher.pattern.regexp, 'm')
  expect(pattern.exec(failed.stderr)?.slice(1, 4)).toEqual(['wrong.mongo-perf.json', '3', '13'])
})

test('a test suite runs specs, ends them early, and hears nothing from it', async () => {
  const { stdout, stderr } = await inFolder('node', [
    '--test',
    '--test-reporter=tap',
    'suite.test.mjs',
    'common.test.cjs',
  ])
  expect(stdout).toMatch(/^# pass 5$/m)
  expect(stderr).toBe('')
  const ofTheReporter = /^ *(TAP version|#|ok |1\.\.|---|\.\.\.|duration_ms|type:|$)/
  expect(stdout.split('\n').filter((line) => !ofTheReporter.test(line))).toEqual([])
})

test('functions work with the driver of their project, and plans are those of its BSON types', async () => {
  const { stdout } = await inFolder('node', ['--test', '--test-reporter=tap', 'two-drivers.test.mjs'])
  expect(stdout).toMatch(/^# pass 10$/m)
})

test('agents meet at a queue with the oldest BullMQ 5 and ioredis 5 beside which the package installs', async () => {
  const app = path.join(folder, 'agents')
  await mkdir(app)
  await writeFile(path.join(app, 'package.json'), '{}')
  const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  await call('npm', ['install', `../${packed}`, 'bullmq@5.30.0', 'ioredis@5.4.1', ...quick], { cwd: app, env })
  await writeFile(path.join(app, 'spec.json'), JSON.stringify(specOf(find({ operations: 100 }))))
  await using mongod = await startTestMongod(inject('mongodPath'))
  await using redis = await startTestRedis()
  const start = (...args: readonly string[]) =>
    startProgram(['node_modules/mongo-perf/dist/cli/main.js', ...args], app, { ...env, MONGO_PERF_URI: mongod.uri })
  const agent = start('agent', '--queue', redis.url, '--name', 'a', '--threads', '1')
  try {
    await agent.says('waits for runs')
    expect(await start('run', 'spec.json', '--agents', redis.url).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('### Agents'),
    })
  } finally {
    agent.child.kill('SIGTERM')
  }
  expect(await agent.ended).toMatchObject({ code: 0 })
})

test('a result is read, reported, compared and drawn where neither the driver nor zod can be loaded', async () => {
  const result = path.join(root, 'fixtures/results/quickstart/result.json')
  const { stdout } = await inFolder('node', ['--import', './without-driver.mjs', 'read-result.mjs', result])
  const { charts, ...read } = JSON.parse(stdout)
  expect(read).toEqual({
    heading: expect.toSay('quickstart-heading'),
    opsPerSecond: expect.any(Number),
    figures: expect.any(Number),
    document: '# Performance',
  })
  expect(charts).toEqual(['PNG', 'PNG'])
})

/** The files below a folder, with their sizes in bytes. */
async function sizesIn(below: string): Promise<ReadonlyMap<string, number>> {
  const entries = await readdir(below, { recursive: true, withFileTypes: true })
  const found = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name))
  return new Map(await Promise.all(found.map(async (file) => [file, (await stat(file)).size] as const)))
}

const total = (sizes: Iterable<number>): number => [...sizes].reduce((sum, size) => sum + size, 0)

test('the package stays small, and brings few others and one driver to an app that has the driver', async () => {
  const app = path.join(folder, 'fresh')
  await mkdir(app)
  await writeFile(path.join(app, 'package.json'), '{}')
  const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  // Older than the newest, as a lockfile may keep it.
  await call('npm', ['install', `../${packed}`, 'mongodb@7.3.0', ...quick], { cwd: app, env })
  const tool = await sizesIn(path.join(app, 'node_modules/mongo-perf'))
  // A third of the files are pages, examples and lists of words. Recordings, imports, completion and licences took 30 files and 0.5 MB;
  // replays with data and on agents, saved results and downloads of releases 16 files and 0.06 MB.
  expect(tool.size).toBeLessThanOrEqual(475)
  expect(total(tool.values())).toBeLessThan(7_600_000)
  const types = [...tool].flatMap(([file, bytes]) => (/\.d\.c?ts$/.test(file) ? bytes : []))
  expect(total(types)).toBeLessThan(450_000)

  const { packages } = JSON.parse(await readFile(path.join(app, 'node_modules/.package-lock.json'), 'utf8'))
  const names = Object.keys(packages).filter((name) => !name.startsWith('node_modules/@napi-rs/canvas-'))
  expect(names.length).toBeLessThanOrEqual(20)
  expect(names.filter((name) => /\/(?:mongodb|bson)$/.test(name))).toEqual([
    'node_modules/bson',
    'node_modules/mongodb',
  ])
  expect(total((await sizesIn(path.join(app, 'node_modules'))).values())).toBeLessThan(60_000_000)
})

const parts = ['mongo-perf/results', 'mongo-perf/report', 'mongo-perf/testing']

test.each([
  ['an ES module', 'module'],
  ['CommonJS', 'commonjs'],
])('%s imports the parts of the package, and they share the class of problems', async (_, type) => {
  const script = `Promise.all(${JSON.stringify(['mongo-perf', ...parts])}.map((name) => import(name))).then((modules) => {
    const classes = new Set(modules.map(({ Problem }) => Problem))
    console.log(...[...classes].map(({ name }) => name))
  })`
  expect((await inFolder('node', [`--input-type=${type}`, '-e', script])).stdout).toBe('Problem\n')
})

test.each([
  ['vitest', `await import('mongo-perf/vitest')`],
  ['jest', `await import('mongo-perf/jest')`],
  ['jest', `require('mongo-perf/jest')`],
])('where %s is not installed, its entry names the one for other runners', async (entry, code) => {
  const kind = code.startsWith('await') ? 'module' : 'commonjs'
  const failing = inFolder('node', [`--input-type=${kind}`, '-e', code])
  await expect(failing).rejects.toMatchObject({
    stderr: expect.stringMatching(
      `mongo-perf/${entry} works in \\w+, which is not installed here. .*mongo-perf/testing`,
    ),
  })
})

const bundle = async (entry: string): Promise<string> => {
  const packed = JSON.parse(await readFile(path.join(folder, 'node_modules/mongo-perf/package.json'), 'utf8'))
  const { outputFiles } = await build({
    stdin: { contents: `import { Problem } from 'mongo-perf/${entry}'`, resolveDir: folder },
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: Object.keys({ ...packed.dependencies, ...packed.peerDependencies }),
    write: false,
    logLevel: 'silent',
  })
  return outputFiles.map(({ text }) => text).join('')
}

test('a bundler leaves out an entry of which nothing is used, but none that extends a test runner', async () => {
  expect(await bundle('results')).toBe('')
  expect(await bundle('report')).toBe('')
  expect(await bundle('vitest')).toContain('.extend(')
  expect(await bundle('jest')).toContain('.extend(')
})

test('every file that the package exports is packed', async () => {
  const folderOfPackage = path.join(folder, 'node_modules/mongo-perf')
  const { exports } = JSON.parse(await readFile(path.join(folderOfPackage, 'package.json'), 'utf8'))
  const listFiles = (target: unknown): readonly string[] =>
    typeof target === 'string' ? [target] : Object.values(target as object).flatMap(listFiles)
  const targets = listFiles(exports)
  expect(targets.length).toBeGreaterThan(parts.length * 2)
  for (const target of targets) await expect(stat(path.join(folderOfPackage, target))).resolves.toBeDefined()
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
  ['required.cts', ['--module', 'node16']],
])('%s compiles with %j', async (file, settings) => {
  expect((await compile(file, settings)).stdout).toBe('')
})
