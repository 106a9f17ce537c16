import { createRecording, type RecordingWriter, type WrittenRecording } from '../recording/create-recording.ts'
import { type CallSink, type OpenCall } from './conversation.ts'
import { numberFromZero } from './read-request.ts'

/** A recording, and what finds the calls for it. */
export type Recorder = { readonly sink: CallSink; readonly writer: RecordingWriter }

/** A recording that has ended. */
export type RecordingSummary = WrittenRecording & { readonly connections: number; readonly durationMs: number }

/** Creates a recording of conversations. @throws {Problem} as `createRecording`. */
export async function startRecorder(file: string, header: Parameters<typeof createRecording>[1]): Promise<Recorder> {
  const open = new Set<OpenCall>()
  const oldestOpenUs = (): number => {
    for (const { startUs } of open) return startUs
    return Infinity
  }
  const writer = await createRecording(file, header, oldestOpenUs)
  return { writer, sink: { add: writer.add, leaveOut: writer.leaveOut, sessions: numberFromZero(), open } }
}
