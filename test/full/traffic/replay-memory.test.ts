import path from 'node:path'
import { serialize } from 'bson'
import { expect, test } from 'vitest'
import { startStubServer } from '../../../bench/stub-server/start-stub-server.ts'
import { createRecording } from '../../../src/traffic/recording/create-recording.ts'
import { type Workplace, workplace } from '../../contract/support/program.ts'
import { aCall, aReplyOf, header } from '../../traffic/calls.ts'
import { runAndMeasure } from './max-memory.ts'

const connections = 32
/** A heap in which 10^6 calls have no room, were more than 64 bytes of each kept. In MB. */
const heap = ['--max-old-space-size=64', '--max-semi-space-size=1']

/** Writes a recording of finds with sessions, some of which leave their cursor open. */
async function recordFinds(place: Workplace, calls: number): Promise<string> {
  const file = path.join(place.folder, `${calls}.mprec`)
  const writer = await createRecording(file, header)
  for (let i = 0; i < calls; i++) {
    const command = Buffer.from(serialize({ find: 'documents', filter: { _id: i }, limit: 1 }))
    const of = i % connections
    const session = { number: of, transactionNumber: null, transaction: 'none' } as const
    const reply = aReplyOf({ documents: 1, cursor: i % 100 === 0 ? BigInt(i + 1) : 0n })
    writer.add({ ...aCall({ find: 1 }), command, connection: of, startUs: i * 100, session, reply })
    if (i % 1000 === 0) await writer.drained()
  }
  await writer.close(calls * 100)
  return file
}

test('a replay of 10^6 calls takes as much memory as one of 10^4', async () => {
  await using place = await workplace()
  await using stub = await startStubServer()
  const maxMB: number[] = []
  for (const calls of [10_000, 1_000_000]) {
    const file = await recordFinds(place, calls)
    const run = await runAndMeasure(place, ['replay', file, '--uri', stub.uri, '--speed', 'max', '--quiet'], heap)
    expect(run).toMatchObject({ code: 0 })
    maxMB.push(run.maxMB)
  }
  const [few = 0, many = 0] = maxMB
  // V8 collects buffers, which frames are read into, when 64 MB of them have come.
  expect(many).toBeLessThan(few + 80)
}, 600_000)
