import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { type HistoryEntry } from '../../src/report/history/entry.ts'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'
import { exampleHistory, fakeEntry } from '../fakes/histories.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'

const inFolder = useFreshFolder()

async function stored(name: string, spec: string, entries: readonly HistoryEntry[]): Promise<string> {
  const file = inFolder(name, `${spec}.history.jsonl`)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return file
}

const history = (...args: readonly string[]) => runCommandLine(['history', '--baselines', inFolder(), ...args])
const historyRefused = (...args: readonly string[]) => runRefused(['history', '--baselines', inFolder(), ...args])

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
    const out = inFolder('out')
    const { stderr } = await history('example', '--baseline', 'main', '--out', out)
    const images = ['main-example-opspersecond', 'main-example-findone-p99ms']
    const files = ['history.md', ...images.flatMap((name) => [`${name}.png`, `${name}-dark.png`])]
    expect(stderr).toBe(`Report: ${path.join(out, 'history.md')}\n`)
    expect((await readdir(out)).toSorted()).toEqual(files.toSorted())
  })

  test.each([
    [['none'], 'history-unknown'],
    [['--baseline', 'none'], 'history-unknown'],
    [['--measure', 'findOne.p99'], 'history-measure-misspelt'],
    [['--measure', 'something'], 'history-measure-unknown'],
  ])('of %j is refused', async (args, code) =>
    expect(await historyRefused(...args)).toSay(code, code === 'history-unknown' ? { folder: inFolder() } : {}),
  )
})

test('a line that is none is named with its file', async () => {
  const file = await stored('main', 'example', exampleHistory)
  await writeFile(file, `${JSON.stringify(exampleHistory[0])}\n{}\n`)
  expect(await historyRefused()).toSay('history-line-unreadable', { file, line: 2 })
})

test('a collection is named by a whole URI, whose password is not repeated', async () => {
  const uri = 'mongodb://ann:c4nary.0.0.1:1/perf'
  expect(await runRefused(['history', uri], { uris: [uri] })).toSay('saved-history-nowhere')
  expect(await runRefused(['run', 'quickstart', '--save', 'RESULTS_URI'])).toSay('save-without-uri')
})

test('a folder without histories is reported with how to begin one', async () =>
  expect(await historyRefused()).toSay('history-none', { folder: inFolder() }))
