import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { run, type RunOptions, type SpecInput } from '../../src/index.ts'
import { type JsonObject } from '../../src/json.ts'
import { commandsOf, fencesOf, pageOf, pages } from '../docs/pages.ts'
import { startTestMongod, type TestMongod } from './start-mongod.ts'
import { main, workplace, type Workplace } from './support/program.ts'

/** A server of the reader. */
let server: TestMongod
let place: Workplace

beforeAll(async () => {
  server = await startTestMongod(inject('mongodPath'))
  place = await workplace()
  await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), path.join(place.folder, 'node_modules'))
  await writeFile(path.join(place.folder, 'durable-inserts.json'), fencesOf(pageOf('README.md'), 'json spec')[0] ?? '')
  await writeFile(path.join(place.folder, 'shop.mjs'), fencesOf(pageOf('docs/tutorial.md'), 'js')[0] ?? '')
})

afterAll(async () => {
  await place[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** A threshold that was missed: this machine may be slow. */
const missedExitCode = 5

/** Runs a command as a shell does, with the built program in place of the package, and returns all that it prints. */
async function inShell(command: string): Promise<string> {
  const script = `npx() { shift; "${process.execPath}" "${main}" "$@"; }; ${command} 2>&1`
  const env = { ...place.env, MONGO_PERF_URI: server.uri }
  return new Promise((resolve, reject) =>
    execFile('bash', ['-c', script], { cwd: place.folder, env }, (error, printed) => {
      if (error === null || error.code === missedExitCode) resolve(printed)
      else reject(new Error(`${command}\n${printed}`, { cause: error }))
    }),
  )
}

/** A command at the size of a test. */
function quick(command: string): string {
  const once = command.replace(/--repeat \d+/, '--repeat 1')
  if (once.startsWith('ab durable-inserts')) return `${once} --rounds 1 --set seconds=0.5`
  return once.startsWith('run') && !once.includes('--profile') ? `${once} --profile smoke` : once
}

describe('the tutorial', () => {
  test('runs as it stands, and prints what it shows', { timeout: 120_000 }, async () => {
    await inShell(`"${process.execPath}" shop.mjs`)
    const page = pageOf('docs/tutorial.md')
    const printed: string[] = []
    for (const command of commandsOf(page)) printed.push(await inShell(`npx mongo-perf ${quick(command)}`))
    const lines = new Set(printed.join('\n').split('\n').map(withoutFigures))
    const shown = fencesOf(page, 'text').flatMap((text) => text.trimEnd().split('\n'))
    expect(shown.map(withoutFigures).filter((line) => !lines.has(line))).toEqual([])
  })
})

/** Hashes, figures and the order of values differ from run to run. */
const withoutFigures = (line: string): string =>
  line.includes('"')
    ? line.split(/[ ,]+/).toSorted().join(' ')
    : line
        .replaceAll(/\b[0-9a-f]{12}\b/g, '#')
        .replaceAll(/\d+(\.\d+)?/g, '#')
        .trimEnd()

test.each([
  ...commandsOf(pageOf('README.md')).filter((command) => command.startsWith('ab ')),
  ...commandsOf(pageOf('docs/ci.md')).filter((command) => command.startsWith('run quickstart')),
  ...commandsOf(pageOf('docs/own-server.md')).filter((command) => command.startsWith('check ')),
])('npx mongo-perf %s', { timeout: 60_000 }, async (command) => {
  expect(await inShell(`npx mongo-perf ${quick(command)}`)).not.toBe('')
})

/** What one plain mongod cannot do, or what other tests run in full. */
const needsMore = ({ target, phases }: JsonObject): boolean =>
  JSON.stringify(target).includes('sharded') || JSON.stringify(phases).includes('faults')

/** Specs that name their servers have several. */
const uriFor = ({ target }: JsonObject): Pick<RunOptions, 'uri' | 'uris'> =>
  JSON.stringify(target).includes('@param')
    ? { uris: { MONGO_PERF_URI_SMALL: server.uri, MONGO_PERF_URI_LARGE: server.uri } }
    : { uri: server.uri }

/** A spec with short phases and little data. */
const small = (text: string): string =>
  text
    .replaceAll(/"(seconds|secondsPerStep)": \d+/g, '"$1": 0.5')
    .replaceAll(/"rows": \d+/g, '"rows": 500')
    .replaceAll(/"to": \d+/g, '"to": 2')

const specs = [...pages].flatMap(([file, page]) =>
  fencesOf(page, 'json spec').flatMap((text) => {
    const spec = JSON.parse(small(text)) as JsonObject & SpecInput
    return needsMore(spec) ? [] : [{ file, name: spec.name, spec }]
  }),
)

test.each(specs)('the spec $name of $file runs without an error', { timeout: 60_000 }, async ({ spec }) => {
  const { variants } = await run(spec, uriFor(spec))
  const operations = variants.flatMap(({ phases }) => phases.flatMap((phase) => phase.operations))
  expect(operations.length).toBeGreaterThan(0)
  expect(operations.flatMap(({ errors }) => errors)).toEqual([])
})
