import { type RecordedCall } from '../../../src/traffic/recording/recorded-call.ts'

/** A recording of these calls, in batches of three. */
export const aRecording = (calls: readonly RecordedCall[]) => ({
  async *batches() {
    for (let at = 0; at < calls.length; at += 3) yield calls.slice(at, at + 3)
  },
})
