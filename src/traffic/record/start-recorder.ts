import { createRecording, type RecordingWriter, type WrittenRecording } from '../recording/create-recording.ts'
import { type CallSink, type OpenCall } from './conversation.ts'
import { numberFromZero } from './read-request.ts'

export type RecordingSummary = WrittenRecording & {
  readonly durationMs: number
  /** The content of a source of other things that was read ("200 packets, …"). */
  readonly found?: string
}

/** Creates a recording, and a sink for the calls that conversations find. @throws {Problem} as `createRecording`. */
export async function startRecorder(
  file: string,
  header: Parameters<typeof createRecording>[1],
): Promise<{ readonly sink: CallSink; readonly writer: RecordingWriter }> {
  const open = new Set<OpenCall>()
  const oldestOpenUs = (): number => {
    for (const { startUs } of open) return startUs
    return Infinity
  }
  const writer = await createRecording(file, header, oldestOpenUs)
  return { writer, sink: { add: writer.add, leaveOut: writer.leaveOut, sessions: numberFromZero(), open } }
}
