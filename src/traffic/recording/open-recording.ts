import { type RecordedCall } from './recorded-call.ts'
import { type RecordingEnd, type RecordingHeader } from './header.ts'

/** A recording that is read. */
export type Recording = AsyncDisposable & {
  readonly header: RecordingHeader
  /**
   * Reads the calls, from the first on; may be called again. The bytes of a call stay as they are.
   * @throws {Problem} "recording-unreadable" with the offset of what cannot be read.
   */
  readonly calls: () => AsyncIterable<RecordedCall>
  /** Undefined before `calls` has come to an end. */
  readonly end: () => RecordingEnd | undefined
}

/** @throws {Problem} "recording-unreadable" when the file is missing, or is no recording. */
export declare function openRecording(file: string): Promise<Recording>
