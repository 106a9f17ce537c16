import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { saveBaseline } from '../../src/report/baselines/folder.ts'
import { type Result } from '../../src/results/schema.ts'
import { around, resultWith } from '../fakes/compared-results.ts'
import { runCommandLine } from '../fakes/fake-cli-context.ts'

let folder: string
let baselines: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-baselines-'))
  baselines = path.join(folder, 'baselines')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const base = resultWith({ '': around(1000) })
const slower = resultWith({ '': around(900) })

async function stored(result: Result): Promise<string> {
  const place = path.join(folder, 'fresh', result.spec.name)
  await mkdir(place, { recursive: true })
  await writeFile(path.join(place, 'result.json'), JSON.stringify(result))
  return path.join(place, 'result.json')
}

const save = (result: Result, name = 'main'): Promise<string> =>
  saveBaseline({ folder: baselines, name }, { result, commit: 'abc1234' })

const compare = async (result: Result, ...args: readonly string[]) =>
  runCommandLine(['compare', await stored(result), '--baselines', baselines, ...args])

const run = (...args: readonly string[]) => runCommandLine(['run', 'quickstart', '--baselines', baselines, ...args])

describe('compare with a baseline', () => {
  test('has it as A, says of when it is, and judges as always', async () => {
    await save(base)
    const { stdout, stderr, code } = await compare(slower, '--baseline', 'main')
    expect([stderr, code]).toEqual(['', 5])
    expect(stdout).toMatch(/^Of 3 metrics, B is worse in 2 /)
    expect(stdout).toMatch(/\n\nA is the baseline "main" of 2026-11-20, commit abc1234; B is the new result\.\n$/)
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
    const args = ['compare', path.join(folder, 'fresh'), '--baselines', baselines, '--baseline', 'main']
    expect((await runCommandLine(args)).stdout).toMatch(/^Of 6 metrics, B is the same in 6\./)
  })

  test('refuses another version of the spec, unless that is the point', async () => {
    await save(base)
    const other = resultWith({ '': around(1000) }, { spec: { hash: 'b'.repeat(64) } })
    const { stderr, code } = await compare(other, '--baseline', 'main')
    expect(code).toBe(2)
    expect(stderr).toContain('spec: A has "example" with the hash')
    expect((await compare(other, '--baseline', 'main', '--difference', 'spec')).code).toBe(0)
  })
})

describe('it is refused', () => {
  test('to compare with a baseline that is not there, and the known ones are listed', async () => {
    const { stderr: none, code } = await compare(base, '--baseline', 'main')
    expect(code).toBe(2)
    expect(none).toContain(`There is no baseline "main" of the spec "example" in ${baselines}`)
    expect(none).toContain('There is none at all. `mongo-perf run example --repeat 10 --save-baseline main` saves it.')
    await save(base, 'release-1.2')
    await save(resultWith({ '': [1] }, { spec: { name: 'other' } }), 'main')
    const { stderr } = await compare(base, '--baseline', 'mian')
    expect(stderr).toContain('There are "main" of other; "release-1.2" of example.')
  })

  test.each(['../main', 'a/b', '.hidden', '', 'a b'])('to name one %j', async (name) => {
    const { stderr, code } = await compare(base, '--baseline', name)
    expect(code).toBe(2)
    expect(stderr).toContain(`"${name}" cannot be the name of a baseline`)
  })

  test('to compare one result with nothing, or two with a baseline', async () => {
    const alone = await compare(base)
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('There is nothing to compare with')])
    const both = await compare(base, await stored(base), '--baseline', 'main')
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--baseline is one side of the comparison')])
  })

  test('before anything runs: no baseline, a bad name, another version of the spec, or --strict alone', async () => {
    expect((await run('--baseline', 'main')).stderr).toContain('There is no baseline "main" of the spec "quickstart"')
    expect((await run('--save-baseline', 'a/b')).stderr).toContain('"a/b" cannot be the name of a baseline')
    expect((await run('--save-history', '..')).stderr).toContain('".." cannot be the name of a baseline')
    expect((await run('--strict')).stderr).toContain('--strict judges a comparison')
    await save(resultWith({ '': around(1000) }, { spec: { name: 'quickstart' } }))
    const { stderr, code } = await run('--baseline', 'main')
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /The baseline "main" is of another version of the spec "quickstart" \(hash \w{8} there, \w{8} now\)\nhint: .*--save-baseline main/,
    )
  })
})
