import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeDraft } from '../../src/sources/init/draft.ts'
import { createNotes } from '../../src/sources/init/notes.ts'
import { specOfRecording } from '../../src/sources/init/recording/spec-of-recording.ts'
import { findData } from '../../src/traffic/data/find-data.ts'
import { summarize } from '../../src/traffic/inspect/summarize.ts'
import { openRecording } from '../../src/traffic/recording/open-recording.ts'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'
import { aCall, writeAll } from '../traffic/calls.ts'

const inFolder = useFreshFolder()

async function recordingOf(calls = [aCall({ find: 'orders', filter: { _id: 1 } })]): Promise<string> {
  const file = inFolder('new', 'folder', 'a.mprec')
  await writeAll(file, calls)
  return file
}

test('a page does not replace the recording that it shows, but an older page', async () => {
  const file = await recordingOf()
  const bytes = readFileSync(file)
  expect(await runCommandLine(['inspect', file, '--html', file])).toMatchObject({
    code: 2,
    stderr: expect.toSay('page-over-another-file', { file }),
  })
  expect(readFileSync(file)).toEqual(bytes)
  const page = inFolder('a.html')
  writeFileSync(page, '')
  for (const _ of ['over an empty file', 'over a page'])
    expect(await runCommandLine(['inspect', file, '--html', page])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 call of 1 shape over 1 connection in'),
    })
  expect(readFileSync(page, 'utf8')).toContain('find orders')
})

test('a recording without calls has no table of shapes', async () => {
  const { stdout } = await runCommandLine(['inspect', await recordingOf([]), '--format', 'text'])
  expect(stdout).toContain('0 calls of 0 shapes')
  expect(stdout).not.toContain('p50')
})

test('of a file that is no log of slow operations, no recording is begun', async () => {
  const log = inFolder('mongod.log')
  const out = inFolder('a.mprec')
  writeFileSync(log, 'hello\n')
  expect(await runRefused(['record', '--from-log', log, '--out', out])).toSay('record-log-empty', { log })
  expect(existsSync(out)).toBe(false)
})

test.each([
  ['record-option-of-proxy', ['record', '--from-log', 'a.log', '--for', '5s'], { option: '--for <time>' }],
  ['record-option-of-proxy', ['record', '--from-log', 'a.log', '--listen', '1'], { option: '--listen <address>' }],
  ['replay-speed-unreadable', ['replay', 'a.mprec', '--speed', 'fast'], {}],
] as const)('%s: %j', async (code, args, data) => expect(await runRefused(args)).toSay(code, data))

test('a part of a recording ends after it begins', async () => {
  const args = ['replay', await recordingOf(), '--from', '5s', '--until', '2s']
  expect(await runRefused(args)).toSay('replay-until-before-from')
})

const refuse = (database: string): never => {
  throw new Error(database)
}

test('no documents are made up for a database that may not be loaded', async () => {
  const file = await recordingOf()
  await using recording = await openRecording(file)
  await expect(findData('recorded', file, recording, refuse)).rejects.toThrow('shop')
  expect(existsSync(inFolder('new', 'folder', 'a-made-up-data'))).toBe(false)
})

test('the spec of a recording has notes about the recording', async () => {
  await using recording = await openRecording(await recordingOf())
  const notes = createNotes()
  notes.add('2 in the profile')
  const draft = { name: '', title: '', description: ['', 'as in the profile'], notes, data: [], phases: [{}] }
  const calls = { database: 'shop', found: undefined as never, summary: await summarize(recording) }
  const made = writeDraft(specOfRecording(calls, draft))
  expect([made.notes, made.spec['description']]).toEqual([
    ['2 in the recording'],
    [expect.any(String), 'as in the recording', '2 in the recording'],
  ])
})
