import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HistoryEntry } from '../../src/report/history/entry.ts'
import { runCommandLine } from '../fakes/fake-cli-context.ts'
import { exampleHistory, fakeEntry } from '../fakes/histories.ts'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-history-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

async function stored(name: string, spec: string, entries: readonly HistoryEntry[]): Promise<string> {
  const file = path.join(folder, name, `${spec}.history.jsonl`)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return file
}

const history = (...args: readonly string[]) => runCommandLine(['history', '--baselines', folder, ...args])

const headings = ({ stdout }: { readonly stdout: string }): readonly string[] =>
  stdout.split('\n').filter((line) => line.startsWith('History'))

describe('the history', () => {
  beforeEach(async () => {
    await stored('main', 'example', exampleHistory)
    await stored('release', 'example', exampleHistory.slice(0, 3))
    await stored('main', 'other', [fakeEntry(1, { '': 1 }, { spec: { name: 'other', hash: 'c'.repeat(64) } })])
  })

  test('of all specs is printed, or that of one, or beside one baseline', async () => {
    const [main, other, release] = ['example (main)', 'other (main)', 'example (release)'].map(
      (of) => `History of ${of}`,
    )
    expect(headings(await history())).toEqual([main, other, release])
    expect(headings(await history('example'))).toEqual([main, release])
    expect(headings(await history('--baseline', 'release'))).toEqual([release])
  })

  test('of one measure is printed alone', async () => {
    const { stdout } = await history('example', '--measure', 'findOne.p99Ms')
    expect(stdout).toContain('findOne: p99 (ms)')
    expect(stdout).not.toContain('Throughput')
  })

  test('is plain data as JSON, and folded as a comment', async () => {
    expect(JSON.parse((await history('--format', 'json')).stdout)).toMatchObject([
      { name: 'main', spec: 'example', runs: { length: 20 }, figures: { length: 4 } },
      { spec: 'other' },
      { name: 'release' },
    ])
    expect((await history('--format', 'github')).stdout).toMatch(/^### History of example \(main\)\n/)
  })

  test('is drawn only with --out', async () => {
    const out = path.join(folder, 'out')
    const { stderr } = await history('example', '--baseline', 'main', '--out', out)
    const images = ['main-example-opspersecond', 'main-example-findone-p99ms']
    const files = ['history.md', ...images.flatMap((name) => [`${name}.png`, `${name}-dark.png`])]
    expect(stderr).toBe(`written to ${out}: ${files.join(', ')}\n`)
    expect((await readdir(out)).toSorted()).toEqual(files.toSorted())
  })

  test.each([
    [['none'], 'There are example (main), other (main), example (release).'],
    [['--baseline', 'none'], 'There are example (main)'],
    [['--measure', 'findOne.p99'], 'Did you mean "findOne.p99Ms"?'],
    [['--measure', 'something'], 'It has opsPerSecond, findOne.p99Ms.'],
  ])('of %j is refused', async (args, hint) => {
    const { stdout, stderr, code } = await history(...args)
    expect([stdout, code]).toEqual(['', 2])
    expect(stderr).toContain(hint)
  })
})

test('a line that is none is named with its file', async () => {
  const file = await stored('main', 'example', exampleHistory)
  await writeFile(file, `${JSON.stringify(exampleHistory[0])}\n{}\n`)
  const { stderr, code } = await history()
  expect(code).toBe(2)
  expect(stderr).toContain(`error: ${file}:2: date: `)
})

test('a folder without histories is reported with how to begin one', async () => {
  const { stderr, code } = await history()
  expect(code).toBe(2)
  expect(stderr).toContain(
    `There is no such history in ${folder}\nhint: There is none at all: \`mongo-perf run <spec> --save-history main\` begins one`,
  )
})
