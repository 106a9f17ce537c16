import { existsSync } from 'node:fs'
import { cp, mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type ReportJson } from '../../../src/report/formats/json.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { fewReads, ownTarget, threeRows } from '../support/specs.ts'

const server = sharedServer()
const there = (): readonly string[] => ['--uri', server.uri]

/** Data that a server refuses: two documents of one key. */
const twice = { collection: 'docs', rows: 2, document: { _id: 1 } }

/** Warnings are shorter in a terminal, which cannot fold them. */
const withoutWarnings = (text: string): string =>
  text.replace(/<details>[^]*?<\/details>\n\n|Trust in \d+ rows[^]*?(?=###|_Measured)/g, '')

test('the report alone is on stdout, what was loaded and a line per row on stderr, and nowhere a code for terminals', async () => {
  await using place = await workplace()
  const { code, stdout, stderr } = await place.run(['run', await place.spec(threeRows({})), ...there()])
  expect(code).toBe(0)
  const results = path.join(place.folder, 'mongo-perf-results', 'three-rows')
  const written = await readFile(path.join(results, 'report.md'), 'utf8')
  expect(withoutWarnings(stdout)).toBe(withoutWarnings(written))
  expect(stderr).not.toContain('\u001B')
  const lines = stderr.trimEnd().split('\n')
  expect(lines).toEqual([
    ...['1/3] first', '2/3] second', '3/3] third'].flatMap((row) => [
      expect.stringContaining(`[${row} docs: 100 documents loaded in `),
      expect.stringMatching(new RegExp(`^\\[${row} read: .* operations/s in `)),
    ]),
    `Report: ${path.join('mongo-perf-results', 'three-rows', 'report.html')}`,
    expect.toSay('run-data-stays', { database: 'mongoperf_three_rows' }),
  ])
  expect(existsSync(path.join(results, 'report.html'))).toBe(true)
})

const nowhere = 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=500'

/** What is said when a result in a folder stays what it is. */
const staysIn = (folder: string) =>
  expect.toHaveLine('run-earlier-result-stays', { file: `mongo-perf-results/${folder}/result.json` })

test.each([
  ['reaches no server', {}, ['--target', 'existing', '--uri', nowhere], 4, staysIn('few-reads')],
  // What is refused before it begins needs no such note.
  ['is refused', {}, ['--uri', 'mongodb://192.0.2.1/'], 3, expect.toSay('run-uri-remote')],
  ['has data that the server refuses', { data: twice }, undefined, 2, staysIn('few-reads')],
])('a run that %s leaves the earlier result and its report as they are', async (_, changes, args, code, said) => {
  await using place = await workplace()
  const folder = path.join(place.folder, 'mongo-perf-results', 'few-reads')
  const texts = (): Promise<readonly string[]> =>
    Promise.all(['result.json', 'report.md', 'report.html'].map((name) => readFile(path.join(folder, name), 'utf8')))
  expect((await place.run(['run', await place.spec(fewReads()), ...there()])).code).toBe(0)
  const earlier = await texts()
  const ended = await place.run(['run', await place.spec(fewReads(changes)), ...(args ?? there())])
  expect(ended).toMatchObject({ code, stderr: said })
  expect(ended.stderr).not.toContain('/previous/')
  expect(await texts()).toEqual(earlier)
})

test('Ctrl-C before the first row leaves the earlier result, and in its window keeps it beside the new one', async () => {
  await using place = await workplace()
  const result = path.join(place.folder, 'mongo-perf-results', 'three-rows', 'result.json')
  expect((await place.run(['run', await place.spec(threeRows({})), ...there()])).code).toBe(0)
  const earlier = await readFile(result, 'utf8')
  const loading = threeRows({})
  const slow = { ...loading, parameters: { ...loading.parameters, documents: 20_000_000 } }
  const run = place.begin(['run', await place.spec(slow), ...there(), '--log-level', 'trace'])
  await run.says('first loading docs')
  run.stop()
  expect(await run.ended).toMatchObject({ code: 130, stderr: staysIn('three-rows') })
  expect(await readFile(result, 'utf8')).toBe(earlier)

  const long = { ...loading, parameters: { ...loading.parameters, seconds: 10 } }
  const again = place.begin(['run', await place.spec(long), ...there(), '--log-level', 'trace'])
  await again.says('first read █')
  again.stop()
  const { code, stderr } = await again.ended
  expect(code).toBe(130)
  const [, kept = ''] = / (\S+\/previous\/\S+)$/m.exec(stderr) ?? []
  expect(stderr).toHaveLine('run-previous-kept', { file: kept })
  expect(await readFile(path.join(place.folder, kept), 'utf8')).toBe(earlier)
})

test('a folder of specs is run in order, and its JSON is one list', async () => {
  await using place = await workplace()
  const folder = path.join(place.folder, 'specs')
  await mkdir(folder)
  for (const name of ['one', 'two']) await cp(await place.spec(fewReads({ name })), path.join(folder, `${name}.json`))
  const options = ['--format', 'json', '--quiet', '--out', 'here']
  const { code, stdout, stderr } = await place.run(['run', folder, ...there(), ...options])
  expect([code, stderr]).toEqual([0, ''])
  expect((JSON.parse(stdout) as ReportJson[]).map(({ name }) => name)).toEqual(['one', 'two'])
  expect(existsSync(path.join(place.folder, 'here', 'two', 'result.json'))).toBe(true)
  // From the results alone, the same again.
  const results = ['one', 'two'].map((name) => path.join('here', name, 'result.json'))
  const again = await place.run(['report', ...results, '--format', 'json', '--out', 'there'])
  expect(JSON.parse(again.stdout)).toEqual(JSON.parse(stdout))
  expect(existsSync(path.join(place.folder, 'there', 'two', 'report.md'))).toBe(true)
})

test('with --quiet nothing is printed but the report that --format asks for', async () => {
  await using place = await workplace()
  const quiet = ['run', await place.spec(fewReads()), ...there(), '--quiet']
  expect(await place.run(quiet)).toMatchObject({ code: 0, stdout: '', stderr: '' })
  const report = expect.stringMatching(/^#/)
  expect(await place.run([...quiet, '--format', 'md'])).toMatchObject({ stdout: report, stderr: '' })
})

test('a missed threshold is told with the figure and ends with 5', async () => {
  await using place = await workplace()
  const spec = fewReads({ thresholds: ['findOne.docsReturned < 0.5', 'errors == 0'] })
  const { code, stderr } = await place.run(['run', await place.spec(spec), ...there()])
  expect(code).toBe(5)
  expect(stderr).toMatch(/threshold missed: findOne\.docsReturned < 0\.5: measured [\d.]+\n/)
  expect(stderr).not.toContain('errors == 0')
})

test('operations that fail without a word of the spec end with 7, and as foreseen with 0', async () => {
  await using place = await workplace()
  const data = { collection: 'docs', options: { validator: { n: { $type: 'string' } } }, document: { n: 1 } }
  const phases = [{ name: 'write', stopAfter: { operations: 500 }, operations: [{ kind: 'insertOne' }] }]
  const spec = fewReads({ data, phases })
  const { code, stdout, stderr } = await place.run(['run', await place.spec(spec), ...there()])
  expect(code).toBe(7)
  expect(stderr).toHaveLine('run-operations-failed', { failed: 20 })
  expect(stdout).toContain('DocumentValidationFailure (121)')
  const [phase] = (await place.result('few-reads')).variants[0]?.phases ?? []
  expect(phase).toMatchObject({ endedBecause: 'everything failed', operations: [{ ok: 0, failed: 20, documents: 0 }] })
  expect(phase?.operations[0]?.errors).toMatchObject([{ code: '121', count: 20, outcome: 'failed' }])

  const foreseen = await place.run(['run', await place.spec({ ...spec, thresholds: ['errors < 100'] }), ...there()])
  expect(foreseen.code).toBe(0)
})

test('data that the server refuses is a wrong spec, and no mongod is a missing server', async () => {
  await using place = await workplace()
  const data = { collection: 'docs', rows: 3, document: { n: 1 }, indexes: [{ key: { n: 1 }, unique: true }] }
  const refused = await place.run(['run', await place.spec(fewReads({ data })), ...there()])
  expect(refused.code).toBe(2)
  const said = refused.stderr.replace(/(?<="docs": ).*duplicate key.*/, 'REASON')
  expect(said).toHaveLine('run-indexes-refused', { collection: 'docs', reason: 'REASON' })

  const missing = expect.toHaveLine('run-mongod-missing', { binary: '/nowhere/mongod' })
  const ended = await place.run(['run', 'quickstart', '--mongod', '/nowhere/mongod'])
  expect(ended).toMatchObject({ code: 4, stderr: missing })
})

test('a run that reaches no server prints the error, and a report only for programs', async () => {
  await using place = await workplace()
  const args = ['run', await place.spec(fewReads({})), '--uri', 'mongodb://127.0.0.1:1/']
  const { code, stdout, stderr } = await place.run(args)
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
  expect(stderr).toMatch(/^error: .*ECONNREFUSED/m)
  expect((await place.run([...args, '--format', 'junit'])).stdout).toContain('<error message=')
})

test('--show-commands prints what starts the same servers and makes the same collections by hand', async () => {
  await using place = await workplace()
  const { stderr } = await place.run(['run', await place.spec(fewReads(ownTarget)), '--show-commands', '--quiet'])
  const [folder, started, collection, ...others] = stderr.trimEnd().split('\n')
  expect(folder).toMatch(/^mkdir -p /)
  expect(started).toMatch(/ --bind_ip=127\.0\.0\.1 --port=\d+ --dbpath=/)
  expect(collection).toMatch(
    /^mongosh --quiet mongodb:.* 'db\.getSiblingDB\("mongoperf_few_reads"\)\.runCommand\({"create":"docs"}\)'$/,
  )
  expect(others).toEqual([])
})

test('logs are JSON lines where a program reads them', async () => {
  await using place = await workplace()
  const run = ['run', await place.spec(fewReads(ownTarget)), '--quiet', '--log-json', '--log-level', 'debug']
  const lines = (await place.run(run)).stderr.trimEnd().split('\n')
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(messages).toContain('[1/1] starting standalone')
})
