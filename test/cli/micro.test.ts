import { expect, test } from 'vitest'
import { runCommandLine } from '../fakes/fake-cli-context.ts'

test.each([
  [
    ['micro', 'flat-bson-encodin'],
    'There is no microbenchmark "flat-bson-encodin"; did you mean "flat-bson-encoding"?',
  ],
  [['micro', '--filter', 'nothing'], 'No microbenchmark has "nothing" in its name'],
  [['micro', '--min-seconds', '10', '--max-seconds', '5'], 'The minimum time is 10 s and the maximum time 5 s'],
  [['micro', '--min-seconds', 'soon'], 'It must be a number of seconds'],
  [['micro', '--iterations', '0'], 'a whole number above 0'],
  [['micro', '--uri', 'fast=mongodb://127.0.0.1/'], 'has a name'],
  [['micro', 'find-many', '--data', 'no-such-folder'], 'no-such-folder has no tweet.json'],
])('%j is a wrong usage', async (args, words) => {
  const { stdout, stderr, code } = await runCommandLine(args)
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
  expect(stderr).toContain(words)
  expect(stderr).toMatch(/\nhint: .+\n$/)
})

test('the list of microbenchmarks has the names that the command takes', async () => {
  const { stdout, code } = await runCommandLine(['list', 'micro'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ldjson-multi-import +LDJSON multi-file import$/m)
})
