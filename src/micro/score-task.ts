import { percentilesOf } from './percentiles.ts'
import { type MicroTaskResult } from './results.ts'
import { type MicroTask } from './task.ts'
import { type TaskAnswer } from './task-messages.ts'

/** The reply of a task process, with its score. */
export function scoreTask(
  { name, title, group }: Pick<MicroTask, 'name' | 'title' | 'group'>,
  answer: TaskAnswer,
): MicroTaskResult {
  if (answer.kind === 'failed') return { name, title, group, status: 'failed', error: answer.reason }
  const { bytes, seconds } = answer
  const percentiles = percentilesOf(seconds)
  return {
    name,
    title,
    group,
    status: 'measured',
    bytes,
    seconds: [...seconds],
    percentiles,
    megabytesPerSecond: bytes / 1e6 / percentiles.p50,
  }
}
