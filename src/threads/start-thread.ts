import { createWorker } from '../create-worker.ts'
import { type CallBatch } from './call-batch.ts'
import { type Answer, type Message, type Request, type ThreadWork, unpackError } from './messages.ts'

/** The main thread's end of a thread that makes calls. */
export type ThreadHandle = {
  /** One request at a time. Rejects when the thread fails or ends. */
  readonly ask: (request: Request) => Promise<Answer>
  /** Ends it, whatever it does. */
  readonly end: () => Promise<void>
}

type Pending = { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void }

/** @param onCalls Takes calls that have ended. What it throws ends the request that is under way. */
export function startThread(work: ThreadWork, onCalls: (batch: CallBatch) => void): ThreadHandle {
  const worker = createWorker(import.meta.url, './thread-main', work)
  let pending: Pending | undefined
  let failure: Error | undefined

  const fail = (error: Error): void => {
    failure ??= error
    pending?.reject(failure)
    pending = undefined
  }

  function hear(message: Message): void {
    switch (message.kind) {
      case 'calls':
        return onCalls(message.batch)
      case 'failed':
        return fail(unpackError(message.error))
      case 'answer':
        pending?.resolve(message)
        pending = undefined
    }
  }

  worker.on('message', (message: Message) => {
    try {
      hear(message)
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    }
  })
  worker.on('error', fail)
  worker.on('exit', (code) => fail(new Error(`A thread ended with exit code ${code} before its work was done`)))

  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure)
        pending = { resolve, reject }
        worker.postMessage(request, [])
      }),
    end: async () => void (await worker.terminate()),
  }
}
