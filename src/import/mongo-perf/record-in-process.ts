import { createWorker } from '../../create-worker.ts'
import { type Recording, type RecordRequest, type ThreadMessage, wholeFile } from './recorded.ts'

/** Bounds of the thread that runs a file. */
export type ThreadLimits = { readonly memoryMB: number }

/** How much longer than a script may take the thread may be silent, in milliseconds: scripts end themselves. */
const graceMs = 10_000

/**
 * Records a file in a thread of its own, without the environment of this process, and ends the thread whatever the file does.
 * @returns what became of each test; of the whole file, where it ended before its tests were known.
 */
export async function recordInThread(request: RecordRequest, limits: ThreadLimits): Promise<readonly Recording[]> {
  const recordings: Recording[] = []
  let names: readonly string[] = []
  const ended = await readThread(request, limits, (message) => {
    if (message.kind === 'names') ({ names } = message)
    else recordings.push(message.recording)
  })
  if (ended === undefined) return recordings
  const missing = names.slice(recordings.length)
  return [
    ...recordings,
    ...(names.length === 0 ? [wholeFile] : missing).map((name) => ({ kind: 'refused', name, reason: ended }) as const),
  ]
}

type TestMessage = Exclude<ThreadMessage, { readonly kind: 'end' | 'failed' }>

/** @returns why the thread ended before the file had been recorded. Undefined: it was recorded. */
async function readThread(
  request: RecordRequest,
  { memoryMB }: ThreadLimits,
  onMessage: (message: TestMessage) => void,
): Promise<string | undefined> {
  const worker = createWorker(import.meta.url, './record-thread', request, {
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMB },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<string | undefined>((resolve) => {
      const awaitMessage = (): void => {
        clearTimeout(timer)
        timer = setTimeout(() => resolve('does not end in time'), request.seconds * 1000 + graceMs)
      }
      awaitMessage()
      worker.on('message', (message: ThreadMessage) => {
        awaitMessage()
        if (message.kind === 'end') resolve(undefined)
        else if (message.kind === 'failed') resolve(message.reason)
        else onMessage(message)
      })
      worker.on('error', (error: NodeJS.ErrnoException) => resolve(reasonOfThread(error, memoryMB)))
      worker.on('exit', () => resolve('ends its thread'))
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

const reasonOfThread = ({ code, message }: NodeJS.ErrnoException, memoryMB: number): string =>
  code === 'ERR_WORKER_OUT_OF_MEMORY' ? `needs more than ${memoryMB} MB of memory` : `throws ${message}`
