import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Result } from '../../src/results/schema.ts'
import { around, resultWith } from '../fakes/compared-results.ts'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'

const inFolder = useFreshFolder()

async function stored(place: string, result: Result): Promise<string> {
  const file = inFolder(place, 'result.json')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(result))
  return file
}

/** The command line that compares two results, which are stored as files. */
const comparing = async (a: Result, b: Result, ...args: readonly string[]) => [
  'compare',
  await stored('a', a),
  await stored('b', b),
  ...args,
]
const compare = async (...given: Parameters<typeof comparing>) => runCommandLine(await comparing(...given))

const base = resultWith({ '': around(1000) })
const slower = resultWith({ '': around(900) })
const noisy = resultWith({ '': around(1010, 0.2) })
const few = resultWith({ '': [1000, 1010] })

describe('the exit code is', () => {
  test('5 where something is worse', async () => {
    const { stdout, stderr, code } = await compare(base, slower)
    expect([stderr, code]).toEqual(['', 5])
    expect(stdout.split('\n')[0]).toSay('compared-worse')
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
    expect(stdout).toHaveLine('compared-not-measured')
  })

  test('5 for what is at least the smallest effect', async () =>
    expect((await compare(base, slower, '--smallest-effect', '20')).code).toBe(0))
})

describe('it is refused', () => {
  test('to compare what differs otherwise, unless that is the point', async () => {
    const other = {
      ...slower,
      environment: { ...slower.environment, driver: { ...slower.environment.driver, version: '6.0.0' } },
    }
    const versions = { ofA: '7.8.0', ofB: '6.0.0' }
    expect(await runRefused(await comparing(base, other))).toSay('compare-other-driver', versions)
    const allowed = await compare(base, other, '--difference', 'driver')
    expect(allowed.code).toBe(5)
    expect(allowed.stdout).toHaveLine('compared-other-driver', versions)
  })

  test.each([
    [['--difference', 'everything'], 'compare-difference-unknown'],
    [['--smallest-effect', '0'], 'compare-effect-not-above-0'],
    [['--measure', 'p99'], 'compare-measure-unknown'],
    [['--format', 'html'], 'cli-choice-unknown', { given: 'html', choices: 'text, md, json, csv, github, junit' }],
  ])('to take %j', async (args, code, data?) =>
    expect(await runRefused(await comparing(base, slower, ...args))).toSay(code, data),
  )

  test('a folder without results', async () =>
    expect(await runRefused(['compare', inFolder(), inFolder()])).toSay('compare-folder-empty', { folder: inFolder() }))
})

describe('a comparison', () => {
  test('of folders has all specs that both have, without earlier results', async () => {
    for (const side of ['a', 'b'])
      for (const name of ['one', 'two']) {
        const result = resultWith({ '': side === 'a' ? around(1000) : around(1000).toReversed() }, { spec: { name } })
        await stored(`${side}/${name}`, result)
        await stored(`${side}/${name}/previous/2026-11-20`, result)
      }
    const { stdout, code } = await runCommandLine(['compare', inFolder('a'), inFolder('b')])
    expect(code).toBe(0)
    expect(stdout.split('\n')[0]).toSay('compared-same', { metrics: 6 })
    expect(stdout).toMatch(/\| two +\| read: Throughput/)
  })

  test('as JSON is plain data', async () => {
    const { stdout } = await compare(base, slower, '--format', 'json', '--measure', 'opsPerSecond')
    expect(JSON.parse(stdout)).toMatchObject({
      figures: [{ measure: 'opsPerSecond', verdict: { kind: 'lower', effect: 'worse', pairing: 'unpaired' } }],
      limits: [expect.stringContaining('A was measured')],
    })
  })

  test('is written with its chart only with --out', async () => {
    await compare(base, slower)
    expect((await readdir(inFolder())).toSorted()).toEqual(['a', 'b'])
    const out = inFolder('out')
    const { stderr } = await compare(base, slower, '--out', out)
    expect(stderr).toBe(`Report: ${path.join(out, 'comparison.html')}\n`)
    const files = ['comparison-dark.png', 'comparison.html', 'comparison.md', 'comparison.png']
    expect((await readdir(out)).toSorted()).toEqual(files)
    await compare(base, few, '--out', inFolder('few'))
    expect((await readdir(inFolder('few'))).toSorted()).toEqual(['comparison.html', 'comparison.md'])
  })
})
