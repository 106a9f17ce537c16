import { type WarningRule, nameCommonError } from './warning.ts'

/** Warnings about phases that ended early. They also apply where nothing was called. */
export const endedEarly: readonly WarningRule[] = [
  {
    code: 'everything-failed',
    finds: (phase) =>
      phase.endedBecause === 'everything failed'
        ? `The phase ended early because operations no longer succeeded; most frequent error: ${nameCommonError(phase)}`
        : undefined,
    advice:
      'Fix the cause in the message, or list its code in "expectErrors" of the operation if it is part of the work. This row does not show how fast the server is.',
  },
  {
    code: 'aborted',
    finds: (phase) =>
      phase.endedBecause === 'aborted' ? 'The phase was aborted before it reached its end' : undefined,
    advice: 'Run it again: this row covers only a part of the work.',
  },
]
