import { type RecordedCall } from '../../../src/traffic/recording/recorded-call.ts'

/** A recording of these calls. */
export const aRecording = (calls: readonly RecordedCall[]) => ({
  async *calls() {
    for (const call of calls) yield call
  },
})
