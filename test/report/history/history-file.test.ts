import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { appendEntry, parseHistory, readHistory } from '../../../src/report/history/history-file.ts'
import { fakeEntry } from '../../fakes/histories.ts'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-history-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

const [one, two] = [fakeEntry(1, { '': 100 }), fakeEntry(2, { '': 110 })]

test('runs are appended, one line each', async () => {
  const file = path.join(folder, 'x.history.jsonl')
  await appendEntry(file, one)
  await writeFile(file, (await readFile(file, 'utf8')).trimEnd())
  await appendEntry(file, two)
  expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(3)
  expect(await readHistory(file)).toEqual([one, two])
})

test('a place that cannot be written is reported', async () => {
  await expect(appendEntry(path.join(folder, 'none', 'x.jsonl'), one)).rejects.toMatchObject({
    code: 'output-unwritable',
  })
})

describe('a history is read', () => {
  test('by date, each run once, also after a merge', () => {
    const lines = [two, one, two].map((entry) => JSON.stringify(entry)).join('\n')
    expect(parseHistory('h', `${lines}\n\n`)).toEqual([one, two])
  })

  test('or all lines that are none are named', () => {
    const { commit: _, ...incomplete } = two
    const lines = [JSON.stringify(one), '<<<<<<< ours', '{"date":', JSON.stringify(incomplete)]
    expect(() => parseHistory('main/x.history.jsonl', lines.join('\n'))).toThrow(
      expect.objectContaining({
        code: 'result-unreadable',
        message: [
          'main/x.history.jsonl:2: this is the mark of a merge conflict',
          'main/x.history.jsonl:3: this is not JSON',
          'main/x.history.jsonl:4: commit: Invalid input: expected string, received undefined',
        ].join('\n'),
      }),
    )
  })
})
