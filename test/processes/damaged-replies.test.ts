import { expect, test } from 'vitest'
import { createDocument, createReplies, legacyIntroduction } from '../../bench/stub-server/replies.ts'
import { commandIn, isQuery } from '../../bench/stub-server/requests.ts'
import { createMessageReader, readRequestId } from '../../src/protocol/wire/frame.ts'
import { addressText } from '../../src/protocol/wire/settings.ts'
import { startSilentServer } from '../contract/protocol/wire/fake-server.ts'
import { workplace } from '../contract/support/program.ts'
import { fewReads } from '../contract/support/specs.ts'

/** A server of which the handshake is right; the length of every other reply is shorter than its own header. */
const startDamagedServer = (replyLength: number) =>
  startSilentServer((socket) => {
    const replies = createReplies(createDocument(100))
    const read = createMessageReader((bytes, start) => {
      const command = isQuery(bytes, start) ? 'hello' : commandIn(bytes, start)
      const isIntroduction = ['hello', 'ismaster'].includes(command)
      const reply = !isIntroduction
        ? Buffer.alloc(64)
        : isQuery(bytes, start)
          ? legacyIntroduction()
          : replies(command, 0)
      if (isIntroduction) reply.writeInt32LE(readRequestId(bytes.subarray(start)), 8)
      else reply.writeInt32LE(replyLength, 0)
      socket.write(reply)
    })
    socket.on('data', (piece: Buffer) => read(piece))
  })

test('a reply that makes the driver loop without end ends the run, with a reason', async () => {
  await using server = await startDamagedServer(8)
  await using place = await workplace()
  const uri = `mongodb://${addressText(server.settings.address)}/`
  const { code, stderr } = await place.start(['run', await place.spec(fewReads()), '--uri', uri]).ended
  expect(stderr.replaceAll(/\d+ (?=s,|MB)/g, 'N ')).toSay('run-loop-without-end', { measured: 'N' })
  expect(code).toBe(4)
})
