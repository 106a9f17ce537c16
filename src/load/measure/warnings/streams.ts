import { type WarningRule, list, wording } from './warning.ts'

export const ofStreams: readonly WarningRule[] = [
  {
    code: 'stream-errors',
    finds(phase) {
      const failed = phase.streams.filter(({ errors }) => errors.length > 0)
      const names = list(failed.map(({ name, errors: [first] }) => `${name} (${first?.name}: ${first?.message})`))
      return names && wording`A change stream missed events: ${names}`
    },
    advice: 'Its events and lags cover only the time until then. Fix the cause in the message.',
  },
]
