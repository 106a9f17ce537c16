import { type Explain } from '../../results/schema/explain.ts'
import { type Scope } from '../scope.ts'
import { ratio } from '../statistics.ts'
import { defineColumns, ofCalls } from './column.ts'

const ofPlans = { source: 'explain', of: ofCalls } as const

/** Columns from `explain` of a few executions of an operation, run after the window. */
export const explainColumns = defineColumns(ofPlans, {
  plan: {
    title: 'Plan',
    meaning:
      'Winning plans of a few executions of the operation, explained after the timed window, from the index or collection up.',
    isText: true,
    overRuns: (scopes) => {
      const plans = new Set(scopes.flatMap(explainsIn).flatMap((explained) => explained.plans))
      return plans.size === 0 ? null : [...plans].join('; ')
    },
  },
  usesIndex: {
    title: 'Uses an Index',
    meaning:
      '1 if all explained executions use an index, also in nested pipelines, 0 if one of them scans a collection; with several runs the minimum. Empty if the server does not report what a nested pipeline reads.',
    overRuns: (scopes) => {
      const all = scopes.flatMap(explainsIn)
      const known = all.flatMap((explained) => explained.usesIndex ?? [])
      if (known.includes(false)) return 0
      return known.length === 0 || all.some(isUnknown) ? null : 1
    },
  },
  keysExamined: {
    better: 'lower',
    title: 'Keys examined (explain)',
    unit: 'keys/op',
    meaning: 'Index keys that the operation examines: the median of the explained executions.',
    value: (scope) => onlyExplain(scope)?.keysExamined ?? null,
  },
  docsExamined: {
    better: 'lower',
    title: 'Documents examined (explain)',
    unit: 'docs/op',
    meaning: 'Documents that the operation examines: the median of the explained executions.',
    value: (scope) => onlyExplain(scope)?.docsExamined ?? null,
  },
  docsReturned: {
    better: 'lower',
    title: 'Documents returned (explain)',
    unit: 'docs/op',
    meaning:
      'Documents that the operation returns: the median of the explained reads, run again. Empty for writes and counts.',
    value: (scope) => onlyExplain(scope)?.docsReturned ?? null,
  },
  bytesReturned: {
    better: 'lower',
    title: 'Bytes returned (explain)',
    unit: 'B/op',
    meaning:
      'BSON bytes of the documents or values that the operation returns: the median of the explained reads, run again. Empty for writes.',
    value: (scope) => onlyExplain(scope)?.bytesReturned ?? null,
  },
  commands: {
    better: 'lower',
    title: 'Commands (explain)',
    unit: 'commands/op',
    meaning:
      'Commands that the operation sends: the median of the explained reads, run again. A write with a plan is one.',
    value: (scope) => onlyExplain(scope)?.commands ?? null,
  },
  roundTrips: {
    better: 'lower',
    title: 'Round trips (explain)',
    unit: '1/op',
    meaning:
      'How often the operation waits for the server: the median of the explained reads, run again. A write with a plan does once.',
    value: (scope) => onlyExplain(scope)?.roundTrips ?? null,
  },
  recall: {
    title: 'Recall',
    meaning:
      'Share of the documents of `exact` that the operation returns: the mean of up to 100 operations, run again.',
    digits: 3,
    better: 'higher',
    value: (scope) => onlyExplain(scope)?.recall ?? null,
  },
  docsExaminedPerReturned: {
    title: 'Documents examined per returned (explain)',
    unit: '',
    meaning: 'Documents that the operation examines, divided by those that it returns; empty if it returns none.',
    digits: 1,
    better: 'lower',
    value: (scope) => {
      const explained = onlyExplain(scope)
      return ratio(explained?.docsExamined ?? null, explained?.docsReturned ?? null)
    },
  },
})

/** Whether it is not known if an index is used; where none can be, there is no reason. */
const isUnknown = ({ usesIndex, reason }: Explain): boolean => usesIndex === null && reason !== null

/** The plans of operations and of their steps. */
const explainsIn = ({ operations }: Scope): readonly Explain[] =>
  operations.flatMap((calls) => {
    const steps = 'steps' in calls ? calls.steps : []
    return [calls, ...steps].flatMap(({ explain }) => explain ?? [])
  })

/** The plan of a single operation. Null for several, whose figures cannot be combined. */
function onlyExplain({ operations: [only, ...others] }: Scope): Explain | null {
  return only === undefined || others.length > 0 ? null : only.explain
}
