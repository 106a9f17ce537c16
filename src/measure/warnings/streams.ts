import { type Doubt, list } from './warning.ts'

export const ofStreams: readonly Doubt[] = [
  {
    code: 'stream-errors',
    finds(phase) {
      const failed = phase.streams.filter(({ errors }) => errors.length > 0)
      const names = list(failed.map(({ name, errors: [first] }) => `${name} (${first?.name}: ${first?.message})`))
      return names && `A change stream did not see all events: ${names}`
    },
    advice: 'Its events and lags are those until then. Mend what the message names.',
  },
]
