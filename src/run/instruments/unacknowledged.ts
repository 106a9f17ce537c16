import { type PhaseResult } from '../../results/schema.ts'
import { type OpenInstrument } from './instrument.ts'

/** Counts what arrives of the inserts that no server acknowledges. */
export const unacknowledged: OpenInstrument<Pick<PhaseResult, 'unacknowledged'>> = async ({ arrivals }) => {
  await arrivals?.start()
  let found: PhaseResult['unacknowledged'] = null
  return {
    async close({ run, closedMs }) {
      const sent = run.operations.reduce((sum, { inserted }) => sum + inserted, 0)
      found = (await arrivals?.finish(sent, closedMs)) ?? null
    },
    contribute: async () => ({ unacknowledged: found }),
  }
}
