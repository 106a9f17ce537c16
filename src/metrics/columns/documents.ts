import { type Calls, type Scope } from '../scope.ts'
import { isNumber, ratio, sum } from '../statistics.ts'
import { type Column, type Columns, ofCalls } from './column.ts'
import { times } from './from-metrics.ts'
import { worst } from './throughput.ts'

type Count = 'matched' | 'modified' | 'upserted' | 'inserted' | 'deleted'

const counted = { unit: '', source: 'client', digits: 0 } as const
const percent = { unit: '%', source: 'client', digits: 1 } as const

/** Columns for written, changed, found and missing documents. */
export const documentColumns = {
  inserted: count('inserted', 'Inserted', 'Documents whose insert was acknowledged; with "w": 0 those that were sent.'),
  matched: count('matched', 'Matched', 'Documents that updates matched, without upserted ones.'),
  modified: count('modified', 'Modified', 'Documents that updates modified.'),
  upserted: count('upserted', 'Upserted', 'Documents that updates inserted because they matched none.'),
  deleted: count('deleted', 'Deleted', 'Deleted documents.'),
  newPercent: {
    ...percent,
    title: 'New Documents (%)',
    meaning: 'Inserted and upserted documents, in percent of their sum with the documents that updates matched.',
    of: ofCalls,
    value: ({ operations }) => {
      const made = sumCounts(operations, 'inserted') + sumCounts(operations, 'upserted')
      return times(ratio(made, made + sumCounts(operations, 'matched')), 100)
    },
  },
  found: {
    ...counted,
    title: 'Found',
    meaning: 'Expected documents (expectDocuments) that reads returned.',
    of: ofCalls,
    value: (scope) => expectation(scope, 'found'),
  },
  missing: {
    ...counted,
    better: 'lower',
    title: 'Missing',
    meaning: 'Expected documents (expectDocuments) that reads did not return; with several runs the maximum.',
    of: ofCalls,
    ...worst((scope) => expectation(scope, 'missing')),
  },
  foundPercent: {
    ...percent,
    better: 'higher',
    title: 'Found (%)',
    meaning: 'Expected documents (expectDocuments) that reads returned, in percent.',
    of: ofCalls,
    value: (scope) => {
      const found = expectation(scope, 'found')
      const missing = expectation(scope, 'missing')
      return found === null || missing === null ? null : times(ratio(found, found + missing), 100)
    },
  },
  skipped: {
    ...counted,
    title: 'Skipped',
    meaning: 'Number of times that a step was skipped because its "when" was false.',
    of: ['step'],
    value: ({ operations }) => sum(operations.flatMap((calls) => ('skipped' in calls ? calls.skipped : []))),
  },
} as const satisfies Columns

function count(name: Count, title: string, meaning: string): Column & { readonly value: (scope: Scope) => number } {
  return { ...counted, title, meaning, of: ofCalls, value: ({ operations }) => sumCounts(operations, name) }
}

function sumCounts(operations: readonly Calls[], name: Count): number {
  return sum(operations.map((calls) => calls[name]))
}

/** Null if no operation expected documents. */
function expectation({ operations }: Scope, name: 'found' | 'missing'): number | null {
  const known = operations.map((calls) => calls[name]).filter(isNumber)
  return known.length === 0 ? null : sum(known)
}
