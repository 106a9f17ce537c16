import { forkHelper } from '../servers/targets/server/helper-process.ts'
import { type TaskAnswer, type TaskRequest } from './task-messages.ts'

/**
 * Runs a task in its own process and resolves when the process has ended. An abort kills it.
 * @param workFolder Folder for the files of all tasks; the process removes it if its parent is gone.
 */
export function runTask(
  request: TaskRequest,
  workFolder: string,
  options: { readonly env: Readonly<Record<string, string | undefined>>; readonly signal: AbortSignal },
): Promise<TaskAnswer> {
  const child = forkHelper('micro/task-process', [workFolder], options)
  return new Promise((resolve) => {
    let answer: TaskAnswer | undefined
    child.on('message', (message: TaskAnswer) => (answer = message))
    child.on('error', ({ message }) => {
      answer ??= { kind: 'failed', reason: message }
      // Without a process there is no exit event.
      if (child.pid === undefined) resolve(answer)
    })
    child.on('exit', (code, signal) => {
      resolve(answer ?? { kind: 'failed', reason: `the process of the task ended without a reply (${signal ?? code})` })
    })
    child.send(request, () => undefined)
  })
}
