import { type Clock } from '../clock.ts'
import { type DriverModule } from '../engines/driver/create-client.ts'
import { openStreams, type PhaseStarts } from '../engines/driver/open-streams.ts'
import { StreamRecorder } from '../measure/stream-recorder.ts'
import { type PhasePlan } from '../plan/plan.ts'
import { type StreamResult } from '../results/schema/calls.ts'

/** The change streams of a phase, with what they have seen. */
export type MeasuredStreams = {
  /** Seconds are counted from here. */
  readonly start: (windowStartMs: number) => void
  /** Waits for the events of the window. Call once. */
  readonly finish: (windowEndMs: number) => Promise<StreamResult[]>
  readonly close: () => Promise<void>
}

export const noStreams: MeasuredStreams = { start: () => {}, finish: async () => [], close: async () => {} }

/** Opens the change streams of a phase and records what they see. */
export async function measureStreams(
  phase: PhasePlan,
  context: {
    readonly driver: DriverModule
    readonly uri: string
    readonly database: string
    readonly phaseStarts: PhaseStarts
    readonly clock: Clock
    readonly signal: AbortSignal
  },
): Promise<MeasuredStreams> {
  if (phase.streams.length === 0) return noStreams
  const streams = phase.streams.map((plan) => ({ plan, recorder: new StreamRecorder() }))
  const { catchUp, close } = await openStreams({
    ...context,
    phase,
    listeners: streams.map(({ recorder }) => recorder),
  })
  return {
    start: (windowStartMs) => streams.forEach(({ recorder }) => recorder.start(windowStartMs)),
    async finish(windowEndMs) {
      await catchUp()
      return streams.map(({ plan, recorder }) => recorder.finish(plan, windowEndMs))
    },
    close,
  }
}
