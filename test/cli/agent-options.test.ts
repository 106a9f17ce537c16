import { expect, test } from 'vitest'
import { runCommandLine } from '../fakes/fake-cli-context.ts'

test.each([
  ['--name', ''],
  ['--name', '  '],
  ['--name', 'x'.repeat(101)],
  ['--name', 'red\u001b[31m'],
  ['--name', 'two\nlines'],
])('an agent is refused with %s %j', async (option, value) => {
  const { stderr, code } = await runCommandLine(['agent', '--queue', 'redis://127.0.0.1:1', option, value])
  expect(stderr).toContain('It must have 1 to 100 printable characters.')
  expect(code).toBe(2)
})

test('an agent is refused with more threads than a run accepts', async () => {
  const { stderr, code } = await runCommandLine(['agent', '--queue', 'redis://127.0.0.1:1', '--threads', '1025'])
  expect(stderr).toContain('It must be a whole number from 1 to 1024.')
  expect(code).toBe(2)
})

test.each(['agent', 'agents'])('%s without a queue names both ways to give it', async (command) => {
  const { stderr, code } = await runCommandLine([command])
  expect(stderr).toContain('by MONGO_PERF_QUEUE, or by --queue redis://host:6379')
  expect(code).toBe(2)
})

test('examples of URLs are printed whole', async () => {
  const { stderr } = await runCommandLine(['agents', '--queue', 'localhost:6379'])
  expect(stderr).toContain('redis://<user>:<password>@host:6379')
})
