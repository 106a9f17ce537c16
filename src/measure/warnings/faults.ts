import { type FaultResult } from '../../results/schema/faults.ts'
import { type Doubt } from './warning.ts'

const mostLateSeconds = 1

function howLate({ name, occurrences, notBegun }: FaultResult): string | undefined {
  if (occurrences.length + notBegun === 0) return `${name} was not due before the phase ended`
  const late = occurrences.map(({ plannedAtSeconds, beganAtSeconds }) => beganAtSeconds - plannedAtSeconds)
  const latest = Math.max(0, ...late)
  const words = [
    ...(latest > mostLateSeconds ? [`began up to ${latest.toFixed(1)} s late`] : []),
    ...(notBegun > 0 ? [`was due ${timesText(notBegun)} without beginning`] : []),
  ]
  return words.length === 0 ? undefined : `${name} ${words.join(' and ')}`
}

const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`)

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
    code: 'fault-late',
    finds({ faults: done }) {
      const late = done.flatMap((fault) => howLate(fault) ?? [])
      return late.length === 0 ? undefined : `Faults did not keep to their times: ${late.join('; ')}`
    },
    advice: 'Each waits until the one before is undone. Leave more time between them, or let the phase last longer.',
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
