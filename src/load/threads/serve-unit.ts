import { parentPort } from 'node:worker_threads'
import { type LoadUnit } from '../load-unit.ts'
import { startThreadMeter } from '../measure/client-health.ts'
import { type Answer, type Message, type Notice, packError, type Request } from './messages.ts'

const beatMs = 1_000

/** Runs a unit of load in this thread, as the main thread asks. @param create Called once, at the first request. */
export function serveUnit(create: () => Promise<LoadUnit>): void {
  if (!parentPort) throw new Error('This file is run by a thread')
  const port = parentPort
  const post = (message: Message): void => port.postMessage(message, [])
  let unit: LoadUnit | undefined

  async function act(asked: LoadUnit, request: Request): Promise<Answer> {
    switch (request.kind) {
      case 'connect':
        await asked.connect(request.workers)
        return { kind: 'answer' }
      case 'run': {
        const readMeter = startThreadMeter(request.request.workers)
        const ran = await asked.run(request.request, (part) => post({ kind: 'part', part }))
        const health = readMeter()
        return { kind: 'answer', ran: ran.map((one) => Object.assign(one, { health })) }
      }
      case 'close':
        await asked.close()
        return { kind: 'answer' }
    }
  }

  async function answer(request: Request): Promise<Message> {
    try {
      unit ??= await create()
      return await act(unit, request)
    } catch (error) {
      return { kind: 'failed', error: packError(error) }
    }
  }

  post({ kind: 'beat' })
  setInterval(() => post({ kind: 'beat' }), beatMs).unref()

  port.on('message', (message: Request | Notice) => {
    if (message.kind === 'stop') unit?.stop(message.reason)
    else if (message.kind === 'abandon') unit?.abandon()
    else void answer(message).then(post)
  })
}
