import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPhase, aSpec } from '../fakes/a-spec.ts'
import { runCommandLine } from '../fakes/fake-cli-context.ts'

let folder: string
const inFolder = (name: string): string => path.join(folder, `${name}.json`)

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-several-'))
  const limit = { '@param': 'limit' }
  const phases = [aPhase({ operations: [{ kind: 'find', filter: {}, limit }] })]
  const specs = {
    fixed: { parameters: { limit: 1 }, profiles: { smoke: { limit: 2 } }, phases },
    varied: { variants: { limit: [3, 4] }, phases },
    without: {},
  }
  for (const [name, parts] of Object.entries(specs))
    await writeFile(inFolder(name), JSON.stringify(aSpec({ name, ...parts })))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const check = (...options: readonly string[]) => runCommandLine(['check', folder, ...options])
const checkJson = async (...options: readonly string[]) => await check('--json', ...options)

test('--set changes the specs that have the parameter, and one line names the others', async () => {
  const { stdout, stderr, code } = await checkJson('--set', 'limit=7')
  expect(code).toBe(0)
  expect(stderr).toBe(
    `--set "limit" does not apply to ${inFolder('varied')} (varies from row to row); ${inFolder('without')} (no such parameter)\n`,
  )
  expect(stdout.match(/"limit": \d/g)).toContain('"limit": 7')
  expect(stdout.match(/"limit": \d/g)).toContain('"limit": 3')
})

test('--profile has to be one of every spec: none runs at a size that was not asked for', async () => {
  const { stderr, code } = await check('--profile', 'smoke')
  expect(code).toBe(2)
  expect(stderr).toContain('There is no profile "smoke"')
})

test('--only leaves out the specs that have no such row', async () => {
  const { stdout, stderr, code } = await check('--only', 'limit=4')
  expect(code).toBe(0)
  expect(stderr).toBe(
    `--only "limit=4" does not apply to ${inFolder('fixed')}, ${inFolder('without')} (no such row), which will not run\n`,
  )
  expect(stdout).toContain('limit 4')
  expect(stdout).not.toContain(inFolder('fixed'))
})

test('--threshold holds for the specs that measure it', async () => {
  const { stderr, code } = await check('--threshold', 'findOne.meanMs < 5', '--threshold', 'errors == 0')
  expect(code).toBe(0)
  expect(stderr).toBe(
    `--threshold "findOne.meanMs < 5" does not apply to ${inFolder('fixed')}, ${inFolder('varied')} (no such metric)\n`,
  )
})

test.each([
  [['--set', 'limti=7'], '--set "limti" applies to none of these specs: no such parameter; did you mean "limit"?'],
  [['--only', 'limit=5'], '--only "limit=5" applies to none of these specs: no such row; did you mean "limit=3"?'],
  [['--threshold', 'p99ms < 5'], '--threshold "p99ms < 5" applies to none of these specs: no such metric'],
])('%j, which none of them has, is refused', async (options, message) => {
  for (const command of ['check', 'run']) {
    const { stdout, stderr, code } = await runCommandLine([command, folder, ...options])
    expect([stdout, code]).toEqual(['', 2])
    expect(stderr).toContain(message)
  }
})

test('--engine is the engine of all specs', async () => {
  const { stdout, stderr, code } = await check('--engine', 'wire')
  expect([stderr, code]).toEqual(['', 0])
  expect(stdout.match(/phase read: .*/g)).toEqual(
    Array.from({ length: 4 }, () => expect.stringContaining('1 worker, engine wire, ')),
  )
})

test('an engine that there is not is refused', async () => {
  for (const command of ['check', 'run']) {
    const { stdout, stderr, code } = await runCommandLine([command, folder, '--engine', 'native'])
    expect([stdout, code]).toEqual(['', 2])
    expect(stderr).toBe(
      'error: There is no engine "native"\nhint: Write --engine driver for the official driver, or --engine wire for connections of mongo-perf.\n',
    )
  }
})

test('one spec alone has to have what an option names', async () => {
  const { stderr, code } = await runCommandLine(['check', inFolder('fixed'), '--set', 'limti=7'])
  expect(code).toBe(2)
  expect(stderr).toContain('There is no parameter "limti" to set; did you mean "limit"?')
})

test('a spec that is wrong is reported all the same', async () => {
  const wrong = path.join(folder, 'wrong.txt')
  await writeFile(wrong, '{ "name": "wrong", "fases": [] }')
  const { stdout, stderr, code } = await runCommandLine(['check', wrong, folder, '--set', 'limit=7'])
  expect(code).toBe(2)
  expect(stderr).toContain(`${wrong}:1:20: `)
  expect(stdout).toContain(inFolder('fixed'))
})

test('a number of agents without a place where they meet is refused', async () => {
  const { stdout, stderr, code } = await runCommandLine(['run', folder, '--min-agents', '2'])
  expect([stdout, code]).toEqual(['', 2])
  expect(stderr).toContain('--min-agents counts agents, and there is no place where they meet')
})
