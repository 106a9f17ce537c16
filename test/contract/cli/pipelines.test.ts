import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseXml } from '../../fakes/parse-xml.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { fewReads } from '../support/specs.ts'

const server = sharedServer()
const thresholds = ['errors == 0', 'findOne.docsReturned < 0.5']

test('JUnit has the thresholds of all specs of a run, and metrics go to a file and a collector', async () => {
  await using place = await workplace()
  const sent: string[] = []
  const collector = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => sent.push(chunk.toString()))
    request.on('end', () => response.end('{}'))
  })
  collector.listen({ host: '127.0.0.1', port: 0 })
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  const specs = await Promise.all([fewReads({ thresholds }), fewReads({ name: 'more' })].map(place.spec))
  const file = path.join(place.folder, 'run.prom')
  const outputs = ['--metrics-file', file, '--otlp', `http://127.0.0.1:${port}`]
  const run = await place.run(['run', ...specs, '--uri', server.uri, '--format', 'junit', ...outputs])
  collector.close()
  expect(run.code).toBe(5)
  const suites = parseXml(run.stdout).children
  expect(suites.map(({ attributes }) => [attributes['name'], attributes['failures']])).toEqual([
    ['few-reads', '1'],
    ['more', '0'],
  ])
  const missed = suites.flatMap(({ children }) => children.filter((one) => one.children[0]?.name === 'failure'))
  expect(missed.map(({ attributes }) => attributes['name'])).toEqual(['findOne.docsReturned < 0.5'])
  const ok = /^mongo_perf_operations_total\{spec="few-reads",.*pass="measured",operation="findOne",outcome="ok"\} 20$/m
  expect(await readFile(file, 'utf8')).toMatch(ok)
  expect(sent.join('')).toContain('{"key":"operation","value":{"stringValue":"findOne"}}')
})

test('on GitHub, a missed threshold is an annotation at its line, and the report is for the summary', async () => {
  await using place = await workplace()
  await place.spec(fewReads({ thresholds }))
  const run = await place.run(['run', 'few-reads.json', '--uri', server.uri, '--format', 'github'])
  const line = (await readFile(path.join(place.folder, 'few-reads.json'), 'utf8'))
    .split('\n')
    .findIndex((text) => text.includes('docsReturned < 0.5'))
  expect(run.stderr).toContain(`\n::error file=few-reads.json,line=${line + 1}::threshold missed: findOne.docsReturned`)
  expect(run.stdout).toMatch(/^## few-reads\n/)
})

test('the defaults of a project name the folder, the URI and the format, and doctor shows them', async () => {
  await using place = await workplace()
  const config = { out: 'perf', uriFrom: 'SHOP_URI', format: 'json', engine: 'wire' }
  await writeFile(path.join(place.folder, 'mongo-perf.config.json'), JSON.stringify(config))
  const env = { SHOP_URI: server.uri }
  const { stdout, code } = await place.run(['run', await place.spec(fewReads())], env)
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ name: 'few-reads' })])
  const result = JSON.parse(await readFile(path.join(place.folder, 'perf/few-reads/result.json'), 'utf8'))
  expect(result.spec.effective).toMatchObject({ engine: 'wire' })
  const text = await place.run(['doctor', '--format', 'text'])
  expect(text.stdout).toHaveLine('doctor-config')
  const refused = await place.run(['run', 'nowhere'], env)
  expect(JSON.parse(refused.stderr)).toMatchObject({ code: 'spec-unreadable', hint: expect.any(String) })
  await writeFile(path.join(place.folder, 'mongo-perf.config.json'), '{ "outt": "perf" }\n')
  expect((await place.run(['list'])).stderr).toSay('config-refused')
})

test('doctor and lists are JSON for programs', async () => {
  await using place = await workplace()
  const doctor = JSON.parse((await place.run(['doctor', '--format', 'json'])).stdout) as readonly object[]
  expect(doctor).toContainEqual({ mark: 'good', text: 'a server starts and answers', needed: false })
  const lists = JSON.parse((await place.run(['list', 'columns', '--format', 'json'])).stdout) as readonly object[]
  expect(lists).toContainEqual({ name: 'p99Ms', text: expect.stringContaining('99th percentile') })
})

test.each([
  ['github', 'init-ci-github'],
  ['gitlab', 'init-ci-gitlab'],
])('init --ci %s writes a pipeline for a spec, once', async (ci, text) => {
  await using place = await workplace()
  await mkdir(path.join(place.folder, 'perf'))
  const written = await place.run(['init', '--ci', ci, 'perf/shop.json'])
  expect([written.code, written.stderr]).toEqual([0, expect.toSay(text)])
  const file = String(/written to (.*)/.exec(written.stderr)?.[1])
  const shipped = await readFile(path.resolve(`fixtures/ci/${ci}.yml`), 'utf8')
  expect(await readFile(path.join(place.folder, file), 'utf8')).toBe(
    shipped.replaceAll('mongo-perf.json', 'perf/shop.json'),
  )
  const again = await place.run(['init', '--ci', ci])
  expect([again.code, again.stderr]).toEqual([2, expect.toSay('init-ci-exists', { file })])
})
