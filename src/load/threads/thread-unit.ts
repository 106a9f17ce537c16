import { type Worker } from 'node:worker_threads'
import { createStallWatch, stalled } from '../../core/threads/guard/stall-watch.ts'
import { type LoadUnit, type UnitPart } from '../load-unit.ts'
import { type Answer, type Message, type Notice, type Request, unpackError } from './messages.ts'

type Pending = { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void }

const lookMs = 1_000

/** A unit of load that runs in a thread of its own. One request is under way at a time. */
export function startThreadUnit(worker: Worker): LoadUnit {
  let pending: Pending | undefined
  let failure: Error | undefined
  let takePart: ((part: UnitPart) => void) | undefined

  const fail = (error: Error): void => {
    failure ??= error
    pending?.reject(failure)
    pending = undefined
  }

  let beats = 0
  const watch = createStallWatch()
  const looking = setInterval(() => {
    // It is still being loaded.
    if (beats === 0) return
    const reason = watch({ beats, rssBytes: process.memoryUsage.rss() })
    if (reason === undefined) return
    fail(stalled('A thread of the client', reason))
    void worker.terminate()
  }, lookMs).unref()

  function take(message: Message): void {
    beats += 1
    switch (message.kind) {
      case 'beat':
        return
      case 'part':
        return takePart?.(message.part)
      case 'failed':
        return fail(unpackError(message.error))
      case 'answer':
        pending?.resolve(message)
        pending = undefined
    }
  }

  worker.on('message', (message: Message) => {
    try {
      take(message)
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    }
  })
  worker.on('error', fail)
  worker.on('exit', (code) => {
    clearInterval(looking)
    fail(new Error(`A thread ended with exit code ${code} before its work was done`))
  })

  const post = (message: Request | Notice): void => worker.postMessage(message, [])
  const ask = (request: Request): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure)
      pending = { resolve, reject }
      post(request)
    })

  return {
    shares: 1,
    leadMs: 20,
    connect: async (workers) => void (await ask({ kind: 'connect', workers })),
    async run(request, onPart) {
      takePart = onPart
      const { ran } = await ask({ kind: 'run', request })
      if (ran === undefined) throw new Error('A thread answered without the result of its run')
      return ran
    },
    stop: (reason) => post({ kind: 'stop', reason }),
    abandon: () => post({ kind: 'abandon' }),
    close: async () => void (await ask({ kind: 'close' })),
    end: async () => void (await worker.terminate()),
  }
}
