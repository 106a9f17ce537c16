import { type Scope } from '../scope.ts'
import { isNumber, ratio, sum } from '../statistics.ts'
import { defineColumns, ofCalls, ofClient, type OverRuns, type Series } from './column.ts'
import { countPerSecond } from './per-second.ts'

const bytesPerMB = 1024 * 1024

export const throughputColumns = defineColumns(ofClient, {
  wallSeconds: {
    title: 'Time Taken (s)',
    meaning: 'Length of the timed window, from the first operation sent to the last reply.',
    digits: 1,
    better: 'lower',
    value: ({ phase }) => phase.wallSeconds,
  },
  wallMs: {
    title: 'Time Taken (ms)',
    meaning: 'Length of the timed window, from the first operation sent to the last reply.',
    digits: 0,
    better: 'lower',
    value: ({ phase }) => phase.wallSeconds * 1000,
  },
  operations: {
    title: 'Operations',
    meaning: 'Acknowledged operations; with "w": 0 those that were sent.',
    value: acknowledged,
    perSecond: (scope) => countPerSecond(scope, 'ok'),
  },
  documents: {
    title: 'Documents',
    meaning:
      'Documents that were acknowledged (written, changed, deleted) or read; with "w": 0 those that inserts sent. Empty for operations without documents, such as a count.',
    value: documents,
    perSecond: documentsPerSecond,
  },
  opsPerSecond: {
    title: 'Throughput (ops/s)',
    meaning: 'Acknowledged operations (with "w": 0 those sent) divided by the length of the timed window.',
    better: 'higher',
    value: (scope) => ratio(acknowledged(scope), scope.phase.wallSeconds),
    perSecond: (scope) => countPerSecond(scope, 'ok'),
  },
  docsPerSecond: {
    title: 'Speed (docs/s)',
    meaning: 'Documents acknowledged (with "w": 0 sent) or read, divided by the length of the timed window.',
    better: 'higher',
    value: (scope) => ratio(documents(scope), scope.phase.wallSeconds),
    perSecond: documentsPerSecond,
  },
  mbPerSecond: {
    title: 'Speed (MB/s)',
    meaning:
      'BSON bytes of the documents acknowledged (with "w": 0 sent) or read, divided by the length of the timed window.',
    digits: 2,
    better: 'higher',
    value: (scope) => ratio(megabytes(scope), scope.phase.wallSeconds),
  },
  dataLoadedMB: {
    title: 'Data Loaded (MB)',
    meaning: 'BSON bytes of the documents acknowledged (with "w": 0 sent) or read.',
    value: megabytes,
  },
  meanDocumentBytes: {
    title: 'Mean Document Size (B)',
    meaning: 'BSON bytes of the documents acknowledged or read, divided by their number.',
    value: (scope) => ratio(bytes(scope), documents(scope)),
  },
  errors: {
    title: 'Errors',
    meaning:
      'Operations that failed or whose outcome is unknown, and errors of change streams; with several runs the maximum.',
    better: 'lower',
    of: [...ofCalls, 'stream'],
    ...worst(({ operations, streams }) =>
      sum([
        ...operations.map(({ failed, unknown }) => failed + unknown),
        ...streams.flatMap(({ errors }) => errors.map(({ count }) => count)),
      ]),
    ),
  },
  failed: {
    title: 'Failed',
    meaning: 'Operations that the server or the driver rejected; with several runs the maximum.',
    better: 'lower',
    ...worst(({ operations }) => sum(operations.map(({ failed }) => failed))),
  },
  unknown: {
    title: 'Unknown Outcome',
    meaning:
      'Operations that timed out or lost their connection, and may have been applied; with several runs the maximum.',
    better: 'lower',
    ...worst(({ operations }) => sum(operations.map(({ unknown }) => unknown))),
  },
  expectedErrors: {
    title: 'Expected Errors',
    unit: '',
    meaning: 'Acknowledged operations that ended with an error that the spec expects (expectErrors).',
    source: 'client',
    digits: 0,
    of: ofCalls,
    value: ({ operations }) =>
      sum(operations.flatMap(({ expectedErrors }) => expectedErrors.map(({ count }) => count))),
  },
  mostFrequentError: {
    title: 'Most Frequent Error',
    meaning: 'Name of the most frequent error. Empty if all operations succeeded.',
    isText: true,
    overRuns: (scopes) => {
      const counts = new Map<string, number>()
      for (const { name, count } of scopes.flatMap(({ operations }) => operations.flatMap(({ errors }) => errors)))
        counts.set(name, (counts.get(name) ?? 0) + count)
      const [first] = [...counts].toSorted(([, a], [, b]) => b - a)
      return first?.[0] ?? null
    },
  },
})

function acknowledged({ operations }: Scope): number {
  return sum(operations.map(({ ok }) => ok))
}

function documents({ operations }: Scope): number | null {
  return sumOfKnown(operations.map((calls) => calls.documents))
}

function bytes({ operations }: Scope): number | null {
  return sumOfKnown(operations.map((calls) => calls.bytes))
}

/** Null if no operation has a value. */
function sumOfKnown(counts: readonly (number | null)[]): number | null {
  const known = counts.filter(isNumber)
  return known.length === 0 ? null : sum(known)
}

function documentsPerSecond(scope: Scope): Series | null {
  return documents(scope) === null ? null : countPerSecond(scope, 'documents')
}

function megabytes(scope: Scope): number | null {
  return ratio(bytes(scope), bytesPerMB)
}

/** The maximum of the runs, because a median would hide the errors of a single run. */
export function worst(value: (scope: Scope) => number | null): OverRuns {
  return {
    overRuns: (scopes) => {
      const values = scopes.map(value).filter(isNumber)
      return values.length === 0 ? null : Math.max(...values)
    },
  }
}
