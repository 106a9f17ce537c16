// Runs as a process of its own; see record-in-process.ts. Argument: the request, as JSON.
import { writeFileSync } from 'node:fs'
import { describeRecordingError, recordFile } from './record-file.ts'
import { mapLines, type ProcessMessage, type RecordMessage, type RecordRequest } from './recorded.ts'

const standardOutput = 1
/** Characters that are worth a write. */
const enough = 2 ** 20

let open = ''

/** Waits until they are read, as writes to pipes do. */
function post(message: ProcessMessage): void {
  open += `${JSON.stringify(message)}\n`
  if (typeof message === 'string' && open.length < enough) return
  writeFileSync(standardOutput, open)
  open = ''
}

function postRecorded(message: RecordMessage): void {
  if (message.kind === 'names') return post(message)
  const { recording } = message
  if (recording.kind === 'refused') return post({ ...message, counts: [] })
  const counts: number[] = []
  const test = mapLines(recording.test, (lines) => {
    for (const line of lines) post(line)
    counts.push(lines.length)
    return []
  })
  post({ kind: 'recording', recording: { kind: 'recorded', test }, counts })
}

try {
  recordFile(JSON.parse(process.argv[2] ?? '') as RecordRequest, postRecorded)
  post({ kind: 'end' })
} catch (error) {
  post({ kind: 'failed', reason: describeRecordingError(error) })
}
