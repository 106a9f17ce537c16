import { openStreams } from '../../load/engines/driver/open-streams.ts'
import { StreamRecorder } from '../../load/measure/stream-recorder.ts'
import { type PhaseResult } from '../../results/schema.ts'
import { type OpenInstrument } from './instrument.ts'

type StreamFields = Pick<PhaseResult, 'streams'>

/** Opens the change streams of the phase and records what they see. */
export const streams: OpenInstrument<StreamFields> = async ({ phase, signal }, row) => {
  if (phase.streams.length === 0) return { contribute: async () => ({ streams: [] }) }
  const watched = phase.streams.map((plan) => ({ plan, recorder: new StreamRecorder() }))
  const listeners = watched.map(({ recorder }) => recorder)
  const { uri } = row.target
  const open = await openStreams({ ...row, signal, phase, driver: row.driver.module, uri, listeners })
  let results: PhaseResult['streams'] = []
  return {
    start: (windowStartMs) => listeners.forEach((recorder) => recorder.start(windowStartMs)),
    async close({ run }) {
      await open.catchUp()
      results = watched.map(({ plan, recorder }) => recorder.finish(plan, run.endMs))
    },
    contribute: async () => ({ streams: results }),
    release: open.close,
  }
}
