import { type Calls, type Scope } from '../scope.ts'
import { isNumber, ratio, sum } from '../statistics.ts'
import { defineColumns, ofClient } from './column.ts'
import { times } from './from-metrics.ts'
import { worst } from './throughput.ts'

type Count = 'matched' | 'modified' | 'upserted' | 'inserted' | 'deleted'

const count = (name: Count, title: string, meaning: string) => ({
  title,
  meaning,
  value: ({ operations }: Scope): number => sumCounts(operations, name),
})

/** Columns for written, changed, found and missing documents. */
export const documentColumns = defineColumns(ofClient, {
  inserted: count('inserted', 'Inserted', 'Documents whose insert was acknowledged; with "w": 0 those that were sent.'),
  matched: count('matched', 'Matched', 'Documents that updates matched, without upserted ones.'),
  modified: count('modified', 'Modified', 'Documents that updates modified.'),
  upserted: count('upserted', 'Upserted', 'Documents that updates inserted because they matched none.'),
  deleted: count('deleted', 'Deleted', 'Deleted documents.'),
  newPercent: {
    digits: 1,
    title: 'New Documents (%)',
    meaning: 'Inserted and upserted documents, in percent of their sum with the documents that updates matched.',
    value: ({ operations }) => {
      const made = sumCounts(operations, 'inserted') + sumCounts(operations, 'upserted')
      return times(ratio(made, made + sumCounts(operations, 'matched')), 100)
    },
  },
  found: {
    title: 'Found',
    meaning: 'Expected documents (expectDocuments) that reads returned.',
    value: (scope) => expectation(scope, 'found'),
  },
  missing: {
    better: 'lower',
    title: 'Missing',
    meaning: 'Expected documents (expectDocuments) that reads did not return; with several runs the maximum.',
    ...worst((scope) => expectation(scope, 'missing')),
  },
  foundPercent: {
    digits: 1,
    better: 'higher',
    title: 'Found (%)',
    meaning: 'Expected documents (expectDocuments) that reads returned, in percent.',
    value: (scope) => {
      const found = expectation(scope, 'found')
      const missing = expectation(scope, 'missing')
      return found === null || missing === null ? null : times(ratio(found, found + missing), 100)
    },
  },
  skipped: {
    title: 'Skipped',
    meaning: 'Number of times that a step was skipped because its "when" was false.',
    of: ['step'],
    value: ({ operations }) => sum(operations.flatMap((calls) => ('skipped' in calls ? calls.skipped : []))),
  },
})

function sumCounts(operations: readonly Calls[], name: Count): number {
  return sum(operations.map((calls) => calls[name]))
}

/** Null if no operation expected documents. */
function expectation({ operations }: Scope, name: 'found' | 'missing'): number | null {
  const known = operations.map((calls) => calls[name]).filter(isNumber)
  return known.length === 0 ? null : sum(known)
}
