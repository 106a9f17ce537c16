import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { ReceivedRecording } from '../../../src/run/agents/agent/received-recording.ts'
import { sendRecording } from '../../../src/run/agents/coordinator/send-recording.ts'
import { agentRequest, type AgentRequest } from '../../../src/run/agents/messages.ts'
import { pack, unpack } from '../../../src/run/agents/pack.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'

const place = useFreshFolder()

/** An agent that takes what it is sent, as it passes a queue. */
function anAgent() {
  const received = new ReceivedRecording()
  const link = {
    name: 'north',
    markLost: () => {},
    async ask(request: AgentRequest) {
      const arrived = agentRequest.parse(unpack(pack(request)))
      if (arrived.kind === 'recording') received.add(arrived.at, arrived.bytes)
      return { kind: 'done' as const }
    },
  }
  return { link, received }
}

test('a recording arrives at all agents as it is, readable for its user alone, until it is removed', async () => {
  const bytes = randomBytes(2_500_000)
  await writeFile(place('shop.mprec'), bytes)
  const agents = [anAgent(), anAgent()]
  const links = agents.map(({ link }) => link)
  const { signal } = new AbortController()
  const digest = await sendRecording(place('shop.mprec'), links, { clock: systemClock, signal })
  for (const { received } of agents) {
    const file = received.fileOf(digest)
    expect((await readFile(file)).equals(bytes)).toBe(true)
    const { mode } = await stat(path.dirname(file))
    expect(process.platform === 'win32' ? 0 : mode & 0o77).toBe(0)
    expect(() => received.fileOf('another')).toThrow('not arrived')
    expect(() => received.add(7, Buffer.alloc(1))).toThrow('at byte 7')
    received.remove()
    expect(existsSync(path.dirname(file))).toBe(false)
  }
})

test('nothing more is sent once the run is to end', async () => {
  await writeFile(place('shop.mprec'), 'calls')
  const sending = sendRecording(place('shop.mprec'), [anAgent().link], {
    clock: systemClock,
    signal: AbortSignal.abort(),
  })
  expect(await sending.catch((error: unknown) => error)).toSay('agents-recording-stopped')
})
