import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packTool } from '../../../bench/start/pack-tool.ts'

const call = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']

/** A project that has installed the packed tool, compilers and test runners. */
let folder: string
let packed: string

const compilers = { ts54: '5.4', ts59: '5.9', ts7: '7.0' } as const
/** Versions of Vitest beside that of the project, each in a project of its own. */
const runners = { vitest3: '3.2', vitest5: '5' } as const

const inFolder = (program: string, args: readonly string[]) =>
  call(program, args, { cwd: folder, maxBuffer: 1e8 }).catch((error: { stdout: string; stderr: string }) => error)

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  packed = await packTool(folder)
  const others = [
    'vitest@4.1.12',
    '@types/jest@30',
    '@types/node@20',
    'publint@0.3',
    '@arethetypeswrong/cli@0.18',
    '@mongodb-js/mongodb-downloader@2',
  ]
  const typescript = Object.entries(compilers).map(([name, version]) => `${name}@npm:typescript@${version}`)
  await call('npm', ['install', packed, ...others, ...typescript, ...quick], { cwd: folder })
  // Aliases of Vitest in one folder would not agree on their peers.
  for (const [name, version] of Object.entries(runners)) {
    const project = path.join(folder, name)
    await mkdir(project)
    await writeFile(path.join(project, 'package.json'), '{ "private": true, "type": "module" }')
    await call('npm', ['install', packed, `vitest@${version}`, '@types/node@22', ...quick], { cwd: project })
  }
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Prints the codes of what publint finds, and where. */
const lint = `
import { readFileSync } from 'node:fs'
import { publint } from 'publint'
const { buffer, byteOffset, byteLength } = readFileSync(process.argv[1])
const { messages } = await publint({ pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) } })
for (const { code, path } of messages) console.log(code, path.join(' '))
`

test('publint finds nothing wrong with the package', async () => {
  const { stdout } = await inFolder('node', ['--input-type=module', '-e', lint, packed])
  expect(stdout).toBe('')
})

test('the types of all entries are found however they are imported by a compiler that knows "exports"', async () => {
  const ignored = ['--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm', '--no-color']
  await expect(call('npx', ['attw', packed, ...ignored], { cwd: folder, maxBuffer: 1e8 })).resolves.toBeDefined()
})

const source = `
import { run, type Result } from 'mongo-perf'
import { report } from 'mongo-perf/report'
import { readResult } from 'mongo-perf/results'
import { measure, verify } from 'mongo-perf/testing'

export const markdown = async (): Promise<string> => report(await run('spec.json')).markdown
export const stored: Promise<Result> = readResult('result.json')
verify(await measure(async (db) => db.collection('orders').findOne({}))).toUseIndex()
`

const required = `
import testing = require('mongo-perf/testing')
import { type Measurement, measure, verify } from 'mongo-perf/testing'

export const name = ({ name: own }: Measurement): string => own
export const check = async (): Promise<void> => {
  try {
    verify(await measure((db) => db.collection('orders').findOne({}))).toUseIndex()
  } catch (error) {
    if (!(error instanceof testing.Problem)) throw error
  }
}
`

const suites = {
  vitest: `
import { measure } from 'mongo-perf/vitest'
import { expect, test } from 'vitest'
test('a query', async () => expect(await measure({ kind: 'findOne', collection: 'orders' })).toUseIndex('_id_'))
// @ts-expect-error: there is no such matcher, which shows that the types of Vitest were found
test('another', () => expect(1).toUseNoIndex())
`,
  jest: `
import { measure } from 'mongo-perf/jest'
test('a query', async () => expect(await measure({ kind: 'findOne', collection: 'orders' })).toSendAtMost(1))
`,
} as const

/** Files that are compiled together, with the types that are known everywhere. Each folder has a Vitest of its own. */
const programs: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
  [{ 'index.ts': source, 'vitest.test.ts': suites.vitest, 'required.cts': required }, 'node'],
  [{ 'vitest3/vitest.test.ts': suites.vitest }, 'node'],
  [{ 'vitest5/vitest.test.ts': suites.vitest }, 'node'],
  [{ 'jest.test.ts': suites.jest, 'jest.test.cts': suites.jest }, 'node,jest'],
]

describe.each(Object.keys(compilers))('the compiler %s, which reads the types of packages too', (compiler) => {
  test.each(programs.map(([texts, types]) => [Object.keys(texts).join(' and '), texts, types] as const))(
    'takes %s',
    async (_, texts, types) => {
      for (const [file, text] of Object.entries(texts)) await writeFile(path.join(folder, file), text)
      const files = Object.keys(texts)
      const settings = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'esnext']
      const compile = [`node_modules/${compiler}/bin/tsc`, ...settings, '--types', types, ...files]
      const { stdout } = await inFolder('node', compile)
      // Packages of others have mistakes of their own.
      const ofOurs = stdout
        .split('\n')
        .filter((line) => [...files, 'error'].some((start) => line.startsWith(start)) || line.includes('/mongo-perf/'))
      expect(ofOurs).toEqual([])
    },
  )
})

test.each(['ts54', 'ts59'])(
  'the compiler %s finds the types of all entries without knowing "exports"',
  async (compiler) => {
    const entries = ['testing', 'jest', 'vitest', 'results', 'report', 'global-setup']
    const text = entries.map((entry, i) => `import * as entry${i} from 'mongo-perf/${entry}'\nexport { entry${i} }\n`)
    await writeFile(path.join(folder, 'classic.ts'), text.join(''))
    const settings = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'commonjs', '--target', 'es2022']
    const { stdout } = await inFolder('node', [`node_modules/${compiler}/bin/tsc`, ...settings, 'classic.ts'])
    expect(stdout).toBe('')
  },
)

test('with the package of MongoDB that downloads, the newest release of a series is found, and its mongos', async () => {
  // As it is once it has been downloaded: the package looks there first.
  const release = `mongodb-${process.platform}-none-${process.arch}-82-community`
  const bin = path.join(folder, 'cache/mongo-perf/releases', release, 'bin')
  await mkdir(bin, { recursive: true })
  await writeFile(path.join(bin, '.artifact_info'), '{}')
  await writeFile(path.join(bin, 'mongod'), '#!/bin/sh\necho db version v8.2.9\n')
  await chmod(path.join(bin, 'mongod'), 0o755)
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_CACHE_HOME: path.join(folder, 'cache') }
  const program = ['node_modules/mongo-perf/dist/cli/main.js']
  const found = await call('node', [...program, 'doctor', '--download', '8.2'], { cwd: folder, env })
  expect(found.stdout).toBe(`${path.join(bin, 'mongod')}\n`)
  const listed = await call('node', [...program, 'list', 'binaries'], { cwd: folder, env })
  expect(listed.stdout.replaceAll(/ +/g, ' ')).toHaveLine('mongos-fetched-when-needed')
})

type Published = { readonly name: string; readonly files: readonly { readonly path: string }[] }

test('publishing changes no file, and asks for a statement of provenance', async () => {
  const before = await readFile(path.join(root, 'package.json'), 'utf8')
  const { stdout } = await inFolder('npm', ['publish', packed, '--dry-run', '--json'])
  // npm 11 prints it below the name of the package.
  const printed = JSON.parse(stdout) as Published & { readonly 'mongo-perf'?: Published }
  const { name, files } = printed['mongo-perf'] ?? printed
  expect(name).toBe('mongo-perf')
  const packedFiles = files.map(({ path: file }) => file)
  expect(packedFiles).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/THIRD-PARTY-LICENSES.txt']))
  expect(packedFiles.filter((file) => /^(?:src|test|build|\.github)\//.test(file))).toEqual([])
  expect(await readFile(path.join(root, 'package.json'), 'utf8')).toBe(before)
  const workflow = await readFile(path.join(root, '.github/workflows/release.yml'), 'utf8')
  expect(workflow).toContain('npm publish ./mongo-perf-*.tgz --provenance')
})
