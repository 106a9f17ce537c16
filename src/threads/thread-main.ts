// Runs as a thread of its own; see start-thread.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { LoadThread } from './load-thread.ts'
import { type Message, packError, type Request, type ThreadWork } from './messages.ts'

if (!parentPort) throw new Error('This file is run by a thread')
const port = parentPort
const say = (message: Message, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, [...transfer])

let thread: LoadThread | undefined

async function answer(request: Request): Promise<Message> {
  try {
    thread ??= new LoadThread(workerData as ThreadWork, (batch) =>
      say({ kind: 'calls', batch }, [batch.numbers.buffer as ArrayBuffer]),
    )
    return await thread.answer(request)
  } catch (error) {
    return { kind: 'failed', error: packError(error) }
  }
}

port.on('message', (request: Request) => void answer(request).then((message) => say(message)))
