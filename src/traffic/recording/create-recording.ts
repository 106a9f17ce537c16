import { type RecordedCall } from './recorded-call.ts'
import { type LeftOut, type RecordingEnd, type RecordingHeader } from './header.ts'

/** A recording that is written. */
export type RecordingWriter = {
  /** Takes a call, and never waits. Dropped and counted where the disk is too slow. The bytes must not change afterwards. */
  readonly add: (call: RecordedCall) => void
  /** No call that began before this, in µs, is still to come. */
  readonly reached: (startUs: number) => void
  /** Counts calls that are left out. */
  readonly leaveOut: (reason: string, calls?: number) => void
  /** Resolves when what was added is on its way to the disk: a source that can wait loses nothing. */
  readonly drained: () => Promise<void>
  /** Writes the end. @throws {Problem} "output-unwritable", "disk-full". */
  readonly close: (durationUs: number) => Promise<RecordingEnd>
}

/**
 * Creates the file, which only its owner may read.
 * @throws {Problem} "output-unwritable" when it exists or cannot be created.
 */
export declare function createRecording(file: string, header: RecordingHeader): Promise<RecordingWriter>
