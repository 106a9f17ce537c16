import { execFile } from 'node:child_process'
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../bench/start/mongod.ts'
import { type JsonObject } from '../../src/core/json.ts'
import { run, type RunOptions, type SpecInput } from '../../src/entries/index.ts'
import { main, workplace, type Workplace } from '../contract/support/program.ts'
import { commandsOf, exampleSpecs, fencesOf, pageOf, pages } from '../docs/pages.ts'
import { exampleAfter, exampleBefore } from '../fakes/compared-results.ts'

/** A server of the reader. */
let server: TestMongod
let place: Workplace

beforeAll(async () => {
  server = await startTestMongod(inject('mongodPath'))
  place = await workplace()
  await symlink(inClone('node_modules'), path.join(place.folder, 'node_modules'))
  await write('durable-inserts.json', fencesOf(pageOf('docs/comparing.md'), 'json spec')[0] ?? '')
  await write('shop.mjs', fencesOf(pageOf('docs/tutorial.md'), 'js')[0] ?? '')
})

const inClone = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url))

/** Writes a file into the folder of the reader. */
async function write(file: string, text: string): Promise<void> {
  const name = path.join(place.folder, file)
  await mkdir(path.dirname(name), { recursive: true })
  await writeFile(name, text)
}

afterAll(async () => {
  await place[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** A threshold that was missed: this machine may be slow. */
const missedExitCode = 5

/** Runs a command as a shell does, with the built program in place of the package, and returns all that it prints. */
async function inShell(command: string): Promise<string> {
  const script = `npx() { shift; "${process.execPath}" "${main}" "$@"; }; ${command} 2>&1`
  const { uri } = server
  // A variable that nothing reads is reported.
  const named = command.includes('uri:') ? { MONGO_PERF_URI_SMALL: uri, MONGO_PERF_URI_LARGE: uri } : {}
  const env = { ...place.env, MONGO_PERF_URI: uri, ...named }
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

/** The same on the server of the reader, which runs already, at a port that is free. Options go before what a shell does with the output. */
function quickOnServer(command: string): string {
  // In the second of a test, a p99 needs 1000 calls.
  const sized = command
    .replace('--metrics 9464', '--metrics 0')
    .replace('/var/lib/node_exporter/', '')
    .replace('rate=400', 'rate=1000')
    .replace('documents=300000', 'documents=3000')
  const [text = '', ...output] = quick(sized).split(' > ')
  const isAb = text.startsWith('ab ')
  const options = [
    ...(isAb ? ['--rounds 1'] : []),
    ...(isAb && text.includes('quickstart') ? ['--profile smoke'] : []),
    // A baseline is only saved where the thresholds hold. Shorter, and `run` refuses them: a p95 needs 200 calls.
    ...(/^(?:run|ab) quickstart/.test(text) && !text.includes('-baseline') ? ['--set seconds=1'] : []),
    ...(/^(?:run|ab) /.test(text) && !text.includes('uri:') ? ['--target existing'] : []),
    // A cache is only resized on a server of our own.
    ...(text.includes('--by cache') ? ['--seconds 0.5'] : []),
    ...(text.startsWith('size ') && !text.includes('--by cache')
      ? ['--from 1000 --to 1100 --seconds 0.5 --profile smoke', `--uri ${server.uri}`]
      : []),
  ]
  return [[text, ...options].join(' '), ...output].join(' > ')
}

test('the tutorial runs as it stands, and prints what it shows', async () => {
  await inShell(`"${process.execPath}" shop.mjs`)
  const page = pageOf('docs/tutorial.md')
  const printed: string[] = []
  for (const command of commandsOf(page)) printed.push(await inShell(`npx mongo-perf ${quick(command)}`))
  const lines = new Set(printed.join('\n').split('\n').map(withoutFigures))
  const shown = fencesOf(page, 'text').flatMap((text) => text.trimEnd().split('\n'))
  expect(shown.map(withoutFigures).filter((line) => !lines.has(line))).toEqual([])
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
  ...commandsOf(pageOf('docs/comparing.md')).filter((command) => command.startsWith('ab durable-inserts')),
  ...commandsOf(pageOf('docs/own-server.md')).filter((command) => command.startsWith('check ')),
])('npx mongo-perf %s', async (command) => expect(await inShell(`npx mongo-perf ${quick(command)}`)).not.toBe(''))

/** A spec whose operations are a function of the reader. */
const functionSpec = {
  name: 'shop',
  data: { collection: 'orders', rows: 100, document: { _id: { '@row': {} } } },
  phases: [{ name: 'read', stopAfter: { operations: 100 }, operations: [{ kind: 'function', function: 'readOne' }] }],
}
const functionModule = `export const readOne = ({ collection }) => collection.findOne({ _id: 1 })\n`

/** A spec with the indexes that a page compares. */
const specWith = (indexes: readonly JsonObject[]) => ({
  ...functionSpec,
  name: 'orders',
  data: { ...functionSpec.data, indexes },
  phases: [{ ...functionSpec.phases[0], operations: [{ kind: 'findOne', filter: { _id: 1 } }] }],
})

/** A spec that is small already, with a profile for it. */
const withSmoke = (text: string): string =>
  JSON.stringify({ ...(JSON.parse(text) as JsonObject), profiles: { smoke: {} } })

/** What pages take for granted: results, specs and functions. */
async function writeFilesOfPages(): Promise<void> {
  await write('before/result.json', JSON.stringify(exampleBefore))
  await write('after/result.json', JSON.stringify(exampleAfter))
  await write('shop.json', JSON.stringify(functionSpec))
  for (const folder of ['main', 'branch']) await write(`${folder}/perf.js`, functionModule)
  await write('package.json', '{ "type": "module" }')
  await write('without-index.json', JSON.stringify(specWith([])))
  await write('with-index.json', JSON.stringify(specWith([{ key: { customer: 1 } }])))
  for (const text of ['sizing', 'slo'].flatMap((page) => fencesOf(pageOf(`docs/${page}.md`), 'json spec').map(small)))
    await write(`${String((JSON.parse(text) as JsonObject)['name'])}.json`, withSmoke(text))
  await mkdir(path.join(place.folder, 'fixtures'))
  await symlink(inClone('fixtures/examples'), path.join(place.folder, 'fixtures/examples'))
}

/** Commands that need other servers or machines: their names and options are checked in `test/docs`. */
const needsOthers = (command: string): boolean => /…|mongod:\/opt/.test(command)

/** What other tests run, so that these take seconds: those of `ab`, this test for another page, and those of histories. */
const runElsewhere = new Set([
  'ab quickstart --b rate=4000',
  'ab quickstart --b target.server.cacheGB=0.25',
  'ab quickstart --b engine:wire',
  'ab quickstart --b driver:old/node_modules/mongodb',
  'ab shop.json --a functions:main/perf.js --b functions:branch/perf.js',
  'run quickstart --repeat 10 --save-history main',
  // The contract tests of pipelines have a collector.
  'run quickstart --otlp http://127.0.0.1:4318',
  // Collections of results have a contract test.
  ...commandsOf(pageOf('docs/baselines.md')).filter((command) => /perf\.results|RESULTS_URI/.test(command)),
  // `advise` on a server has contract tests.
  ...commandsOf(pageOf('docs/own-query.md')).filter((command) => command.startsWith('advise ')),
  // Run above.
  ...commandsOf(pageOf('docs/comparing.md')).filter((command) => command.startsWith('ab durable-inserts')),
])

/** Runs that differ only in their options become one run with all of them. */
function withAllOptions(commands: readonly string[]): readonly string[] {
  const options = commands.flatMap(
    (command) => /^run quickstart( --(?:live|metrics|stream).*)$/.exec(command)?.[1] ?? [],
  )
  const [first, ...others] = commands.filter((command) => !options.some((option) => command.endsWith(option)))
  return options.length === 0 || first === undefined ? commands : [[first, ...options].join(''), ...others]
}

describe('the commands of a page run in its order', () => {
  beforeAll(writeFilesOfPages)

  test.each([
    ['docs/watching-a-run.md', 4],
    ['docs/reading-a-report.md', 2],
    ['docs/comparing.md', 4],
    ['docs/own-query.md', 4],
    ['docs/sizing.md', 5],
    ['docs/slo.md', 3],
    ['docs/ci.md', 3],
    ['docs/baselines.md', 3],
  ])('%s', async (file, count) => {
    const all = commandsOf(pageOf(file)).filter((command) => !needsOthers(command) && !runElsewhere.has(command))
    const commands = withAllOptions(all)
    expect(commands).toHaveLength(count)
    for (const command of commands) await inShell(`npx mongo-perf ${quickOnServer(command)}`)
    for (const html of commands.flatMap((command) => /--html (\S+)/.exec(command)?.[1] ?? []))
      expect((await stat(path.join(place.folder, html))).size).toBeGreaterThan(10_000)
  })
})

test('the recipe for N+1 queries fails as it shows', async () => {
  const page = pageOf('docs/recipes.md')
  const [recipe = ''] = fencesOf(page, 'js')
  const testing = pathToFileURL(path.join(path.dirname(main), '../entries/testing.js')).href
  await write('orders.test.mjs', recipe.replace('mongo-perf/testing', testing))
  const printed = await inShell(`"${process.execPath}" --test orders.test.mjs || true`)
  expect(printed).toContain(
    fencesOf(page, 'text')
      .find((text) => text.startsWith("error: 'items"))
      ?.trim(),
  )
})

test('the stored results can be put on one page, and compared on another', async () => {
  const [quickstart, a, b] = ['quickstart', 'durable-inserts/a', 'durable-inserts/b'].map((name) =>
    inClone(`fixtures/results/${name}/result.json`),
  )
  await inShell(`npx mongo-perf report "${quickstart}" "${a}" --out reports --html stored.html`)
  await inShell(`npx mongo-perf compare "${a}" "${b}" --difference spec --difference load --html sides.html`)
  for (const html of ['stored.html', 'sides.html'])
    expect((await stat(path.join(place.folder, html))).size).toBeGreaterThan(10_000)
})

/** What one plain mongod cannot do, what needs a file or a word of the command line, or what other tests run in full. */
const needsMore = ({ target = null, phases, data = null, allow }: JsonObject): boolean =>
  allow !== undefined ||
  JSON.stringify(data).includes('"file"') ||
  /sharded|journalPath/.test(JSON.stringify(target)) ||
  JSON.stringify(phases).includes('faults')

/** Specs that name their servers have several. */
const uriFor = (spec: JsonObject): Pick<RunOptions, 'uri' | 'uris'> =>
  JSON.stringify(spec).includes('MONGO_PERF_URI_SMALL')
    ? { uris: { MONGO_PERF_URI_SMALL: server.uri, MONGO_PERF_URI_LARGE: server.uri } }
    : { uri: server.uri }

/** A spec with short phases and little data. */
const small = (text: string): string =>
  text
    .replaceAll(/"(seconds|secondsPerStep)": [\d.]+/g, '"$1": 0.5')
    .replaceAll(/"rows": \d+/g, '"rows": 500')
    .replaceAll(/"to": \d+/g, '"to": 2')

const shownSpecs = [...pages].flatMap(([file, page]) => fencesOf(page, 'json spec').map((text) => ({ file, text })))
/** The test of the tutorial makes and runs the spec of its result. */
const examples = [...exampleSpecs].flatMap(([file, text]) =>
  file.endsWith('/index-of-orders.json') ? [] : [{ file, text }],
)

const specs = [...shownSpecs, ...examples].flatMap(({ file, text }) => {
  const spec = JSON.parse(small(text)) as JsonObject & SpecInput
  return needsMore(spec) ? [] : [{ file, name: spec.name, spec }]
})

test.each(specs)('the spec $name of $file runs without an error', async ({ spec }) => {
  const { variants } = await run(spec, uriFor(spec))
  const operations = variants.flatMap(({ phases }) => phases.flatMap((phase) => phase.operations))
  expect(operations.length).toBeGreaterThan(0)
  expect(operations.flatMap(({ errors }) => errors)).toEqual([])
})
