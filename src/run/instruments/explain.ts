import { type PhaseResult } from '../../results/schema.ts'
import { explainOperations } from '../explain-operations.ts'
import { type OpenInstrument } from './instrument.ts'

/** Asks the server how it makes the calls: after its counters have been read, and before anything else changes the data. */
export const explain: OpenInstrument<Pick<PhaseResult, 'operations'>> = async ({ phase, target, ...context }) => {
  const { database, driver, clock, signal, secrets } = context
  let explained: PhaseResult['operations'] | undefined
  return {
    async close({ run }) {
      const isWhole = run.endedBecause !== 'aborted' && run.endedBecause !== 'everything failed'
      if (!phase.measured || !isWhole) return
      const { uri } = target
      explained = await explainOperations(phase, run.operations, {
        driver: driver.module,
        uri,
        database,
        clock,
        signal,
        secrets,
      })
    },
    contribute: async (soFar) => ({ operations: explained ?? soFar.operations ?? [] }),
  }
}
