import { parentPort, workerData } from 'node:worker_threads'
import { reasonOf, recordFile } from './record-file.ts'
import { type RecordRequest, type ThreadMessage } from './recorded.ts'

const post = (message: ThreadMessage): void => parentPort?.postMessage(message, [])

try {
  recordFile(workerData as RecordRequest, post)
  post({ kind: 'end' })
} catch (error) {
  post({ kind: 'failed', reason: reasonOf(error) })
}
