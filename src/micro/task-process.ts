import { once } from 'node:events'
// Runs as a separate process per task, so that heap and compiled code of a task do not affect the next; see run-micro.ts.
// Argument: the folder for files, which all tasks share.
import { rmSync } from 'node:fs'
import { systemClock } from '../core/clock.ts'
import { generatedData } from './data/generated-data.ts'
import { givenData } from './data/given-data.ts'
import { measureOnServer } from './measure-on-server.ts'
import { type TaskAnswer, type TaskRequest } from './task.ts'
import { microTasks } from './tasks.ts'

// A Ctrl-C reaches the whole process group. The parent decides when this process ends, and kills it.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)

const [workFolder = ''] = process.argv.slice(2)

function endWithParent(): void {
  // The parent was killed (kill -9), so that this process has to remove the folder.
  rmSync(workFolder, { recursive: true, force: true })
  process.exit()
}
process.on('disconnect', endWithParent)
if (!process.connected) endWithParent()

const answer = (content: TaskAnswer): void => void process.send?.(content, () => process.exit())

// Node.js buffers a message that arrives before the listener is added.
const [request] = (await once(process, 'message')) as [TaskRequest]
try {
  answer(await measureTask(request))
} catch (error) {
  answer({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
}

async function measureTask({ task: name, limits, dataFolder, server }: TaskRequest): Promise<TaskAnswer> {
  const task = microTasks.find((one) => one.name === name)
  if (!task) throw new Error(`There is no task "${name}"`)
  const data = dataFolder === undefined ? generatedData(workFolder) : givenData(dataFolder)
  if (task.on === 'client') {
    const { measureInMemory } = await import('./measure-in-memory.ts')
    return measureInMemory(await task.prepare(data), limits, systemClock)
  }
  if (!server) throw new Error(`The task "${name}" needs a server`)
  return measureOnServer(task, server, { data, workFolder, limits, clock: systemClock })
}
