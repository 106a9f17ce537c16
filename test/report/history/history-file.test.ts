import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { appendEntry, parseHistory, readHistory } from '../../../src/report/history/history-file.ts'
import { fakeEntry } from '../../fakes/histories.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'

const folder = useFreshFolder()

const [one, two] = [fakeEntry(1, { '': 100 }), fakeEntry(2, { '': 110 })]

test('runs are appended, one line each', async () => {
  const file = folder('x.history.jsonl')
  await appendEntry(file, one)
  await writeFile(file, (await readFile(file, 'utf8')).trimEnd())
  await appendEntry(file, two)
  expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(3)
  expect(await readHistory(file)).toEqual([one, two])
})

test('a place that cannot be written is reported', async () => {
  const file = folder('none', 'x.jsonl')
  await expect(appendEntry(file, one)).rejects.toMatchObject({ code: 'output-unwritable' })
})

describe('a history is read', () => {
  test('by date, each run once, also after a merge', () => {
    const lines = [two, one, two].map((entry) => JSON.stringify(entry)).join('\n')
    expect(parseHistory('h', `${lines}\n\n`)).toEqual([one, two])
  })

  test('or all lines that are none are named', () => {
    const { commit: _, ...incomplete } = two
    const lines = [JSON.stringify(one), '<<<<<<< ours', '{"date":', JSON.stringify(incomplete)]
    const file = 'main/x.history.jsonl'
    expect(() => parseHistory(file, lines.join('\n'))).toSay('history-lines-refused', { file })
  })
})
