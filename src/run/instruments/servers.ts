import { type PhaseResult } from '../../results/schema.ts'
import { type OpenInstrument } from './instrument.ts'

/** Reads the counters of the servers around the window. They may be known up to two seconds later. */
export const servers: OpenInstrument<Pick<PhaseResult, 'members'>> = async (_, { sampler }) => {
  const window = await sampler.openWindow()
  let members: Promise<PhaseResult['members']> = Promise.resolve([])
  return {
    async close() {
      members = (await window.close()).members
    },
    contribute: async () => ({ members: await members }),
  }
}
