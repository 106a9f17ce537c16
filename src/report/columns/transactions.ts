import { type TransactionResult } from '../../results/schema/calls.ts'
import { type Latency } from '../../results/schema/latency.ts'
import { summaryOf } from '../latency.ts'
import { type Scope } from '../scope.ts'
import { ratio, sum } from '../statistics.ts'
import { type Column, type Columns, type PerRun } from './column.ts'
import { countPerSecond } from './per-second.ts'
import { worst } from './throughput.ts'

type Count = 'attempts' | 'retries' | 'conflicts' | 'commitRetries' | 'commits' | 'aborted' | 'unknownCommits'
type Times = keyof TransactionResult['latency']
type Percentile = 'meanMs' | 'p50Ms' | 'p99Ms' | 'maxMs'

const ofTransactions = { source: 'client', of: ['phase', 'operation'] } as const

/** What transactions took. The other columns tell of those that were committed, as a whole: retries and waiting included. */
export const transactionColumns = {
  committedPerSecond: {
    ...ofTransactions,
    title: 'Committed (1/s)',
    unit: '1/s',
    meaning: 'Transactions that were committed, divided by the length of the timed window.',
    digits: 0,
    value: (scope) => ratio(total(scope, 'commits'), scope.phase.wallSeconds),
    perSecond: (scope) => (transactionsIn(scope).length === 0 ? null : countPerSecond(onlyTransactions(scope), 'ok')),
  },
  commits: count('commits', 'Committed', 'Transactions that were committed.'),
  attempts: count('attempts', 'Attempts', 'How often transactions were begun, whatever came of it.'),
  attemptsPerCommit: {
    ...ofTransactions,
    title: 'Attempts per Commit',
    unit: '',
    meaning: 'How often transactions were begun, divided by those that were committed.',
    digits: 2,
    value: (scope) => ratio(total(scope, 'attempts'), total(scope, 'commits')),
  },
  retries: count('retries', 'Retries', 'How often transactions were begun again as a whole.'),
  commitRetries: count(
    'commitRetries',
    'Commit Retries',
    'How often a commit was sent again because nobody knew what had become of it; those of the driver are not known.',
  ),
  conflicts: count(
    'conflicts',
    'Conflicts',
    'Attempts that ended because another transaction had written to the same document (WriteConflict).',
  ),
  aborts: count('aborted', 'Aborts', 'Transactions that were aborted on purpose. The notes tell the reasons.'),
  unknownCommits: {
    ...ofTransactions,
    title: 'Unknown Commits',
    unit: '',
    meaning:
      'Transactions whose commit was sent and never answered, and that may have been done; of several runs the one with the most.',
    digits: 0,
    ...worst((scope) => total(scope, 'unknownCommits')),
  },
  ...times('firstTry', 'First Try', 'Of transactions that were committed in their first attempt, commit included'),
  ...times('commit', 'Commit', 'Of commits that succeeded, from the first time each was sent to its answer'),
} as const satisfies Columns

function count(name: Count, title: string, meaning: string): Column & PerRun {
  return { ...ofTransactions, title, unit: '', meaning, digits: 0, value: (scope) => total(scope, name) }
}

/** Four columns: mean, median, 99th percentile and the longest. */
function times<Name extends Exclude<Times, 'aborted'>>(
  name: Name,
  title: string,
  whose: string,
): Readonly<Record<`${Name}${Capitalize<Percentile>}`, Column & PerRun>> {
  const column = (which: Percentile, word: string, meaning: string): Column & PerRun => ({
    ...ofTransactions,
    title: `${word} ${title} (ms)`,
    unit: 'ms',
    meaning: `${whose}: ${meaning}.`,
    digits: 2,
    value: (scope) => summaryOf(latencies(scope, name))?.[which] ?? null,
  })
  return {
    [`${name}MeanMs`]: column('meanMs', 'Average', 'the mean time'),
    [`${name}P50Ms`]: column('p50Ms', 'p50', 'half took no longer than this'),
    [`${name}P99Ms`]: column('p99Ms', 'p99', '99 % took no longer than this'),
    [`${name}MaxMs`]: column('maxMs', 'Max', 'the longest time'),
  } as Readonly<Record<`${Name}${Capitalize<Percentile>}`, Column & PerRun>>
}

function latencies(scope: Scope, name: Times): readonly Latency[] {
  return transactionsIn(scope).flatMap(({ latency }) => latency[name] ?? [])
}

function transactionsIn({ operations }: Scope): readonly TransactionResult[] {
  return operations.flatMap((calls) => ('transaction' in calls ? (calls.transaction ?? []) : []))
}

const onlyTransactions = (scope: Scope): Scope => ({
  ...scope,
  operations: scope.operations.filter((calls) => 'transaction' in calls && calls.transaction !== null),
})

/** Null where there is no transaction. */
function total(scope: Scope, name: Count): number | null {
  const transactions = transactionsIn(scope)
  return transactions.length === 0 ? null : sum(transactions.map((one) => one[name]))
}
