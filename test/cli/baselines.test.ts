import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { saveBaseline } from '../../src/report/baselines/folder.ts'
import { type Result } from '../../src/results/schema.ts'
import { around, resultWith } from '../fakes/compared-results.ts'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'

const inFolder = useFreshFolder()
const baselines = (): string => inFolder('baselines')

const base = resultWith({ '': around(1000) })
const slower = resultWith({ '': around(900) })

async function stored(result: Result): Promise<string> {
  const file = inFolder('fresh', result.spec.name, 'result.json')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(result))
  return file
}

const save = (result: Result, name = 'main'): Promise<string> =>
  saveBaseline({ folder: baselines(), name }, { result, commit: 'abc1234' })

const comparing = async (result: Result, ...args: readonly string[]) => [
  'compare',
  await stored(result),
  '--baselines',
  baselines(),
  ...args,
]
const compare = async (result: Result, ...args: readonly string[]) => runCommandLine(await comparing(result, ...args))
const compareRefused = async (result: Result, ...args: readonly string[]) =>
  runRefused(await comparing(result, ...args))
const runSpecRefused = (...args: readonly string[]) =>
  runRefused(['run', 'quickstart', '--baselines', baselines(), ...args])

describe('compare with a baseline', () => {
  test('has it as A, says of when it is, and judges as always', async () => {
    await save(base)
    const { stdout, stderr, code } = await compare(slower, '--baseline', 'main')
    expect([stderr, code]).toEqual(['', 5])
    expect(stdout.split('\n')[0]).toSay('compared-worse')
    expect(stdout.split('\n\n').at(-1)).toSay('compared-with-baseline', { name: 'main', commit: 'abc1234' })
    expect((await compare(base, '--baseline', 'main', '--strict')).code).toBe(0)
  })

  test('is plain data as JSON', async () => {
    await save(base)
    const { stdout } = await compare(slower, '--baseline', 'main', '--format', 'json')
    expect(JSON.parse(stdout)).toMatchObject({ figures: expect.any(Array), explanations: [] })
  })

  test('takes a folder of results', async () => {
    for (const name of ['one', 'two']) {
      await save(resultWith({ '': around(1000) }, { spec: { name } }))
      await stored(resultWith({ '': around(1000) }, { spec: { name } }))
    }
    const args = ['compare', inFolder('fresh'), '--baselines', baselines(), '--baseline', 'main']
    expect((await runCommandLine(args)).stdout.split('\n')[0]).toSay('compared-same', { metrics: 6 })
  })

  test('refuses another version of the spec, unless that is the point', async () => {
    await save(base)
    const other = resultWith({ '': around(1000) }, { spec: { hash: 'b'.repeat(64) } })
    expect(await compareRefused(other, '--baseline', 'main')).toSay('compare-other-spec')
    expect((await compare(other, '--baseline', 'main', '--difference', 'spec')).code).toBe(0)
  })
})

describe('it is refused', () => {
  test('to compare with a baseline that is not there, and the known ones are listed', async () => {
    const named = { name: 'main', spec: 'example', folder: baselines() }
    expect(await compareRefused(base, '--baseline', 'main')).toSay('baseline-missing', named)
    await save(base, 'release-1.2')
    await save(resultWith({ '': [1] }, { spec: { name: 'other' } }), 'main')
    expect(await compareRefused(base, '--baseline', 'mian')).toSay('baseline-misspelt', { ...named, name: 'mian' })
  })

  test.each(['../main', 'a/b', '.hidden', '', 'a b'])('to name one %j', async (name) =>
    expect(await compareRefused(base, '--baseline', name)).toSay('baseline-name-wrong', { name: `"${name}"` }),
  )

  test('to compare one result with nothing, or two with a baseline', async () => {
    expect(await compareRefused(base)).toSay('compare-with-nothing')
    const file = await stored(base)
    expect(await compareRefused(base, file, '--baseline', 'main')).toSay('compare-two-with-baseline', { file })
  })

  test('before anything runs: no baseline, a bad name, or another version of the spec', async () => {
    const spec = { name: 'quickstart' }
    const named = { name: 'main', spec: spec.name, folder: baselines() }
    expect(await runSpecRefused('--baseline', 'main')).toSay('baseline-missing', named)
    expect(await runSpecRefused('--save-baseline', 'a/b')).toSay('baseline-name-wrong', { name: '"a/b"' })
    expect(await runSpecRefused('--save-history', '..')).toSay('baseline-name-wrong', { name: '".."' })
    await save(resultWith({ '': around(1000) }, { spec }))
    const refused = await runSpecRefused('--baseline', 'main')
    const [, hash = ''] = /(\w{8}) now/.exec(refused) ?? []
    expect(refused).toSay('baseline-of-other-version', { name: 'main', spec: spec.name, hash })
  })
})
