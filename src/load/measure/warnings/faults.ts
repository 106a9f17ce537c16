import { type FaultResult } from '../../../results/schema/faults.ts'
import { figure, list, type WarningRule, type Wording, wording } from './warning.ts'

const maxLateSeconds = 1

function howLate({ name, occurrences, notBegun }: FaultResult): string | Wording | undefined {
  if (occurrences.length + notBegun === 0) return `${name} was not due before the phase ended`
  const late = occurrences.map(({ plannedAtSeconds, beganAtSeconds }) => beganAtSeconds - plannedAtSeconds)
  const latest = Math.max(0, ...late)
  const delays = [
    ...(latest > maxLateSeconds ? [wording`began up to ${figure(latest, 's', 1)} late`] : []),
    ...(notBegun > 0 ? [`was due ${notBegun === 1 ? 'once' : `${notBegun} times`} without beginning`] : []),
  ]
  const what = list(delays, ' and ')
  return what && wording`${name} ${what}`
}

export const ofFaults: readonly WarningRule[] = [
  {
    code: 'fault-failed',
    finds({ faults: done }) {
      const wrong = done.flatMap(({ name, occurrences }) =>
        occurrences.flatMap(({ error }) => (error === null ? [] : `${name}: ${error}`)),
      )
      return wrong.length === 0 ? undefined : `A fault was not injected as specified: ${[...new Set(wrong)].join('; ')}`
    },
    advice: 'The row does not show the effect of this fault. Look at its times in the result.',
  },
  {
    code: 'fault-late',
    finds({ faults: done }) {
      const late = done.map(howLate).filter((delays) => delays !== undefined)
      const delays = list(late, '; ')
      return delays && wording`Faults did not keep to their times: ${delays}`
    },
    advice: 'Each waits until the previous one is undone. Leave more time between them, or make the phase longer.',
  },
  {
    code: 'test-commands',
    finds: ({ faults: done }) =>
      done.some(({ kind, occurrences }) => kind === 'failPoint' || occurrences.some((one) => one.kind === 'failPoint'))
        ? 'The servers ran with test commands enabled, for fail points'
        : undefined,
    advice: 'This row shows how errors are handled. Do not use it to judge performance.',
  },
]
