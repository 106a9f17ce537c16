import { expect, test } from 'vitest'
import { CommandError } from '../../../../src/protocol/wire/wire-error.ts'
import { joinCluster } from '../../../../src/servers/targets/sharded.ts'

const commands = [{ addShard: 'shard0/a:1' }, { addShard: 'shard1/b:1' }]

test('a router is sent one command after the other', async () => {
  const sent: unknown[] = []
  let under = 0
  await joinCluster(commands, async (command) => {
    under++
    expect(under).toBe(1)
    await Promise.resolve()
    sent.push(command)
    under--
  })
  expect(sent).toEqual(commands)
})

test('what a router refuses is named, and nothing is sent after it', async () => {
  const sent: unknown[] = []
  const join = joinCluster(commands, async (command) => {
    sent.push(command)
    throw new CommandError({ ok: 0, errmsg: 'of another cluster' })
  })
  await expect(join).rejects.toSay('router-refused-command', { command: 'addShard', reason: 'of another cluster' })
  expect(sent).toEqual(commands.slice(0, 1))
})

test('any other failure keeps its stack', async () => {
  const failure = new Error('a bug')
  await expect(joinCluster(commands, () => Promise.reject(failure))).rejects.toBe(failure)
})
