import { expect, test } from 'vitest'
import { runRefused } from '../fakes/fake-cli-context.ts'

const agent = ['agent', '--queue', 'redis://127.0.0.1:1']

test.each(['', '  ', 'x'.repeat(101), 'red\u001b[31m', 'two\nlines'])(
  'an agent is refused with --name %j',
  async (name) => {
    const [, reason] = (await runRefused([...agent, '--name', name])).split(' is invalid. ')
    expect(reason).toSay('agent-name-limits')
  },
)

test('an agent is refused with more threads than a run accepts', async () => {
  const limit = { option: '--threads <n>', given: 1025, least: 1, most: 1024 }
  expect(await runRefused([...agent, '--threads', '1025'])).toSay('cli-number-out-of-range', limit)
})

test.each(['agent', 'agents'])('%s without a queue names both ways to give it', async (command) =>
  expect(await runRefused([command])).toSay('queue-not-set'),
)

test('examples of URLs are printed whole', async () =>
  expect(await runRefused(['agents', '--queue', 'localhost:6379'])).toSay('queue-no-url'))
