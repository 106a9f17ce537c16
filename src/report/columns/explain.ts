import { type Explain } from '../../results/schema/explain.ts'
import { type Scope } from '../scope.ts'
import { ratio } from '../statistics.ts'
import { type Columns, ofCalls } from './column.ts'

const ofPlans = { source: 'explain', of: ofCalls, digits: 0 } as const

/** How the server makes the calls of an operation, as it explains a few of them after the window. */
export const explainColumns = {
  plan: {
    ...ofPlans,
    title: 'Plan',
    unit: '',
    meaning:
      'Winning plans of a few calls of the operation, explained after the timed window, from the index or collection up.',
    isText: true,
    overRuns: (scopes) => {
      const plans = new Set(scopes.flatMap(explainsIn).flatMap((explained) => explained.plans))
      return plans.size === 0 ? null : [...plans].join('; ')
    },
  },
  usesIndex: {
    ...ofPlans,
    title: 'Uses an Index',
    unit: '',
    meaning:
      '1 where all calls that were explained use an index, 0 where one of them reads a whole collection; of several runs the worst.',
    overRuns: (scopes) => {
      const known = scopes.flatMap(explainsIn).flatMap((explained) => explained.usesIndex ?? [])
      return known.length === 0 ? null : Number(known.every((uses) => uses))
    },
  },
  keysExamined: {
    ...ofPlans,
    title: 'Keys examined (explain)',
    unit: 'keys/op',
    meaning: 'Index keys that a call of the operation looks at: the median of the calls that were explained.',
    value: (scope) => onlyExplain(scope)?.keysExamined ?? null,
  },
  docsExamined: {
    ...ofPlans,
    title: 'Documents examined (explain)',
    unit: 'docs/op',
    meaning: 'Documents that a call of the operation looks at: the median of the calls that were explained.',
    value: (scope) => onlyExplain(scope)?.docsExamined ?? null,
  },
  docsExaminedPerReturned: {
    ...ofPlans,
    title: 'Documents examined per returned (explain)',
    unit: '',
    meaning:
      'Documents that a call of the operation looks at, divided by those that it returns; empty where it returns none.',
    digits: 1,
    value: (scope) => {
      const explained = onlyExplain(scope)
      return ratio(explained?.docsExamined ?? null, explained?.docsReturned ?? null)
    },
  },
} as const satisfies Columns

/** Of an operation of several calls those of its steps. */
const explainsIn = ({ operations }: Scope): readonly Explain[] =>
  operations.flatMap((calls) => {
    const steps = 'steps' in calls ? calls.steps : []
    return [calls, ...steps].flatMap(({ explain }) => explain ?? [])
  })

/** What several look at cannot be put together without knowing how often each is called. */
function onlyExplain({ operations: [only, ...others] }: Scope): Explain | null {
  return only === undefined || others.length > 0 ? null : only.explain
}
