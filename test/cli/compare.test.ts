import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Result } from '../../src/results/schema.ts'
import { around, exampleAfter, exampleBefore, resultWith } from '../fakes/compared-results.ts'
import { runCommandLine } from '../fakes/fake-cli-context.ts'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-compare-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

async function stored(place: string, result: Result): Promise<string> {
  const file = path.join(folder, place, 'result.json')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(result))
  return file
}

/** Compares two results that are stored as files. */
async function compare(a: Result, b: Result, ...args: readonly string[]) {
  return runCommandLine(['compare', await stored('a', a), await stored('b', b), ...args])
}

const base = resultWith({ '': around(1000) })
const slower = resultWith({ '': around(900) })
const noisy = resultWith({ '': around(1010, 0.2) })
const few = resultWith({ '': [1000, 1010] })

describe('the exit code is', () => {
  test('5 where something is worse', async () => {
    const { stdout, stderr, code } = await compare(base, slower)
    expect([stderr, code]).toEqual(['', 5])
    expect(stdout).toMatch(/^Of 3 metrics, B is worse in 2 /)
  })

  test('0 where all is better or the same', async () => {
    expect((await compare(slower, base)).code).toBe(0)
    expect((await compare(base, base, '--strict')).code).toBe(0)
  })

  test.each([
    ['that cannot be told', noisy],
    ['without a verdict', few],
  ])('0 for a figure %s, and 5 with --strict', async (_, other) => {
    expect((await compare(base, other)).code).toBe(0)
    expect((await compare(base, other, '--strict')).code).toBe(5)
  })

  test('5 with --strict for a row that failed in B', async () => {
    const rows = { one: around(1000), two: around(1000) }
    const failed = resultWith(rows).variants.map((variant) =>
      variant.label === 'two' ? Object.assign({}, variant, { status: 'failed', phases: [] }) : variant,
    )
    const { stdout, code } = await compare(resultWith(rows), resultWith(rows, { variants: failed }), '--strict')
    expect(code).toBe(5)
    expect(stdout).toContain('- Not compared: read: Throughput (ops/s): not measured in B.')
  })

  test('5 for what is at least the smallest effect', async () => {
    expect((await compare(base, slower, '--smallest-effect', '20')).code).toBe(0)
  })
})

describe('it is refused', () => {
  test('to compare what differs otherwise, unless that is the point', async () => {
    const other = {
      ...slower,
      environment: { ...slower.environment, driver: { ...slower.environment.driver, version: '6.0.0' } },
    }
    const { stdout, stderr, code } = await compare(base, other)
    expect([stdout, code]).toEqual(['', 2])
    expect(stderr).toContain('driver: A has mongodb 7.8.0; B has mongodb 6.0.0')
    expect(stderr).toContain('--difference driver')
    const allowed = await compare(base, other, '--difference', 'driver')
    expect(allowed.code).toBe(5)
    expect(allowed.stdout).toContain('- The driver differs: A has mongodb 7.8.0; B has mongodb 6.0.0.')
  })

  test.each([
    [['--difference', 'everything'], 'It must be one of spec, topology, server'],
    [['--smallest-effect', '0'], 'It must be a percentage above 0'],
    [['--measure', 'p99'], 'did you mean "p99Ms"?'],
    [['--format', 'html'], 'Allowed choices are text, github, json'],
  ])('to take %j', async (args, message) => {
    const { stderr, code } = await compare(base, slower, ...args)
    expect(code).toBe(2)
    expect(stderr.toLowerCase()).toContain(message.toLowerCase())
  })

  test('a folder without results', async () => {
    const { stderr, code } = await runCommandLine(['compare', folder, folder])
    expect(code).toBe(2)
    expect(stderr).toContain(`There is no result in the folder ${folder}`)
  })
})

describe('a comparison', () => {
  test('of folders has all specs that both have, without earlier results', async () => {
    for (const side of ['a', 'b'])
      for (const name of ['one', 'two']) {
        const result = resultWith({ '': around(1000) }, { spec: { name } })
        await stored(`${side}/${name}`, result)
        await stored(`${side}/${name}/previous/2026-11-20`, result)
      }
    const { stdout, code } = await runCommandLine(['compare', path.join(folder, 'a'), path.join(folder, 'b')])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Of 6 metrics, B is the same in 6\./)
    expect(stdout).toMatch(/\| +two \| +read: Throughput/)
  })

  test('as JSON is plain data', async () => {
    const { stdout } = await compare(base, slower, '--format', 'json', '--measure', 'opsPerSecond')
    expect(JSON.parse(stdout)).toMatchObject({
      figures: [{ measure: 'opsPerSecond', verdict: { kind: 'lower', effect: 'worse', pairing: 'unpaired' } }],
      limits: [expect.stringContaining('A was measured')],
    })
  })

  test('fits a pull request', async () => {
    expect((await compare(exampleBefore, exampleAfter, '--format', 'github')).stdout).toContain('</details>')
  })

  test('is written with its chart only with --out', async () => {
    await compare(base, slower)
    expect((await readdir(folder)).toSorted()).toEqual(['a', 'b'])
    const out = path.join(folder, 'out')
    const { stderr } = await compare(base, slower, '--out', out)
    expect(stderr).toBe(`written to ${out}: comparison.html, comparison.md, comparison.png, comparison-dark.png\n`)
    expect((await readdir(out)).toSorted()).toEqual([
      'comparison-dark.png',
      'comparison.html',
      'comparison.md',
      'comparison.png',
    ])
    const { stderr: withoutChart } = await compare(base, few, '--out', path.join(folder, 'few'))
    expect(withoutChart).toContain(': comparison.html, comparison.md\n')
  })
})
