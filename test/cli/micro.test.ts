import { expect, test } from 'vitest'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'

test.each([
  [['flat-bson-encodin'], 'micro-unknown', { given: 'flat-bson-encodin', nearest: 'flat-bson-encoding' }],
  [['--filter', 'nothing'], 'micro-filter-finds-none', { filter: 'nothing' }],
  [['--min-seconds', '10', '--max-seconds', '5'], 'micro-times-crossed', { minimum: 10, maximum: 5 }],
  [['--min-seconds', 'soon'], 'micro-seconds-unreadable', { given: 'soon' }],
  [['--iterations', '0'], 'cli-number-not-above-0', { option: '--iterations <n>' }],
  [['--uri', 'fast=mongodb://127.0.0.1/'], 'micro-uri-named'],
  [['find-many', '--data', 'no-such-folder'], 'cli-micro-data-missing', { folder: 'no-such-folder' }],
])('%j is a wrong usage', async (args, code, data?) => expect(await runRefused(['micro', ...args])).toSay(code, data))

test('the list of microbenchmarks has the names that the command takes', async () => {
  const { stdout, code } = await runCommandLine(['list', 'micro'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ldjson-multi-import +LDJSON multi-file import$/m)
})
