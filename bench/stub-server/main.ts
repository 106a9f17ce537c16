// Runs as a process of its own; see start-stub-server.ts.
import { type Socket, createServer } from 'node:net'
import { parseArgs } from 'node:util'
import { createMessageReader } from '../../src/protocol/wire/frame.ts'
import { fineDelay } from './fine-delay.ts'
import { type Release, commandsOfConnection, createDocument, createReplies, legacyIntroduction } from './replies.ts'
import { commandIn, countIn, isQuery, wantsReply } from './requests.ts'

const { values } = parseArgs({
  options: {
    'delay-ms': { type: 'string', default: '0' },
    'document-bytes': { type: 'string', default: '1024' },
    release: { type: 'string', default: '7.0' },
  },
})
const delayMs = Number(values['delay-ms'])
const afterDelay = fineDelay(delayMs)
const document = createDocument(Number(values['document-bytes']))
const release = values.release as Release

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('data', createReader(socket))
  // A client that goes away in the middle is no failure.
  socket.on('error', () => socket.destroy())
})

function createReader(socket: Socket): (piece: Buffer) => void {
  const replies = createReplies(document, release)
  return createMessageReader((bytes, start, end) => {
    const requestId = bytes.readInt32LE(start + 4)
    if (isQuery(bytes, start)) return answer(socket, legacyIntroduction(release), requestId)
    if (!wantsReply(bytes, start)) return
    const command = commandIn(bytes, start)
    const reply = replies(command, countIn(command, bytes, start, end))
    if (delayMs === 0 || commandsOfConnection.has(command)) answer(socket, reply, requestId)
    else afterDelay(() => answer(socket, reply, requestId))
  })
}

function answer(socket: Socket, reply: Buffer, requestId: number): void {
  reply.writeInt32LE(requestId, 8)
  socket.write(reply)
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`)
})

// It ends with the process that has started it, whatever that one's end is.
process.stdin.resume().on('close', () => process.exit())
