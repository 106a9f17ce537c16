import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { aPhase, aSpec } from '../fakes/a-spec.ts'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'
import { useFolder } from '../fakes/temporary-folder.ts'

const folder = useFolder()
const elsewhere = useFolder()
const inFolder = (name: string): string => path.join(folder, `${name}.json`)

beforeAll(async () => {
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
const [fixed, varied, without] = [inFolder('fixed'), inFolder('varied'), inFolder('without')]

const check = (...options: readonly string[]) => runCommandLine(['check', folder, ...options])

test('--set changes the specs that have the parameter, and one line names the others', async () => {
  const { stdout, stderr, code } = await check('--json', '--set', 'limit=7')
  expect(code).toBe(0)
  expect(stderr).toSay('set-not-of-all-specs', { varied, without })
  expect(stdout.match(/"limit": \d/g)).toContain('"limit": 7')
  expect(stdout.match(/"limit": \d/g)).toContain('"limit": 3')
})

test('--profile has to be one of every spec: none runs at a size that was not asked for', async () => {
  const { stderr, code } = await check('--profile', 'smoke')
  expect(code).toBe(2)
  expect(stderr).toSay('profile-not-of-all-specs', { profile: 'smoke' })
})

test('--only leaves out the specs that have no such row', async () => {
  const { stdout, stderr, code } = await check('--only', 'limit=4')
  expect(code).toBe(0)
  expect(stderr).toSay('only-not-of-all-specs', { fixed, without })
  expect(stdout).toContain('limit 4')
  expect(stdout).not.toContain(fixed)
})

test('--threshold holds for the specs that measure it', async () => {
  const { stderr, code } = await check('--threshold', 'findOne.meanMs < 5', '--threshold', 'errors == 0')
  expect(code).toBe(0)
  expect(stderr).toSay('threshold-not-of-all-specs', { fixed, varied })
})

test.each([
  [['--set', 'limti=7'], 'set-of-no-spec'],
  [['--only', 'limit=5'], 'only-of-no-spec'],
  [['--threshold', 'p99ms < 5'], 'threshold-of-no-spec'],
  [['--engine', 'native'], 'cli-engine-unknown', { engine: 'native' }],
])('%j, which none of them has, is refused', async (options, code, data?) => {
  for (const command of ['check', 'run']) expect(await runRefused([command, folder, ...options])).toSay(code, data)
})

test('two files of one name, whose results would be in one folder, are refused', async () => {
  const twin = path.join(elsewhere, 'twin.json')
  await writeFile(twin, JSON.stringify(aSpec({ name: 'without' })))
  expect(await runRefused(['run', without, twin])).toSay('run-same-folder', {
    first: without,
    second: twin,
    spec: 'without',
  })
})

test('--engine is the engine of all specs', async () => {
  const { stdout, stderr, code } = await check('--engine', 'wire')
  expect([stderr, code]).toEqual(['', 0])
  expect(stdout.match(/phase read: .*/g)).toEqual(
    Array.from({ length: 4 }, () => expect.stringContaining('1 worker, engine wire, ')),
  )
})

test('one spec alone has to have what an option names', async () => {
  const refused = await runRefused(['check', fixed, '--set', 'limti=7'])
  expect(refused).toSay('cli-parameter-unknown', { given: 'limti', nearest: 'limit' })
})

test('a spec that is wrong is reported all the same', async () => {
  const wrong = path.join(folder, 'wrong.txt')
  await writeFile(wrong, '{ "name": "wrong", "fases": [] }')
  const { stdout, stderr, code } = await runCommandLine(['check', wrong, folder, '--set', 'limit=7'])
  expect(code).toBe(2)
  expect(stderr).toContain(`${wrong}:1:20: `)
  expect(stdout).toContain(fixed)
})
