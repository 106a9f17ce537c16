import { type Doubt } from './doubt.ts'

export const ofFaults: readonly Doubt[] = [
  {
    code: 'fault-failed',
    finds({ faults: done }) {
      const wrong = done.flatMap(({ name, occurrences }) =>
        occurrences.flatMap(({ error }) => (error === null ? [] : `${name}: ${error}`)),
      )
      return wrong.length === 0 ? undefined : `A fault was not done as the spec says: ${[...new Set(wrong)].join('; ')}`
    },
    advice: 'What the row says of the fault is not what it is called. Look at its times in the result.',
  },
  {
    code: 'test-commands',
    finds: ({ faults: done }) =>
      done.some(({ kind, occurrences }) => kind === 'failPoint' || occurrences.some((one) => one.kind === 'failPoint'))
        ? 'The servers ran with test commands switched on, for fail points'
        : undefined,
    advice: 'This row shows how errors are handled; it says nothing of performance.',
  },
]
