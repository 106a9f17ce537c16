import { mostFrequentError } from './call-counts.ts'
import { type Doubt } from './warning.ts'

export const endedEarly: readonly Doubt[] = [
  {
    code: 'everything-failed',
    finds: (phase) =>
      phase.endedBecause === 'everything failed'
        ? `The phase ended early because nothing succeeded any more, most often because of ${mostFrequentError(phase)}`
        : undefined,
    advice: 'Mend what the message names. Nothing in this row says how fast the server is.',
  },
  {
    code: 'aborted',
    finds: (phase) =>
      phase.endedBecause === 'aborted' ? 'The phase was aborted before it reached its end' : undefined,
    advice: 'Run it again; this row covers only a part of the work.',
  },
]
