import { type TransactionResult } from '../../results/schema/calls.ts'
import { type Latency } from '../../results/schema/latency.ts'
import { type Scope } from '../scope.ts'
import { ratio, sum } from '../statistics.ts'
import { defineColumns, latencyStatistic } from './column.ts'
import { countPerSecond } from './per-second.ts'
import { worst } from './throughput.ts'

type Count = 'attempts' | 'retries' | 'conflicts' | 'commitRetries' | 'commits' | 'aborted' | 'unknownCommits'
type Times = keyof TransactionResult['latency']
type Percentile = 'meanMs' | 'p50Ms' | 'p99Ms' | 'maxMs'

const ofTransactions = { source: 'client', of: ['phase', 'operation'] } as const

const count = (name: Count, title: string, meaning: string) => ({
  title,
  meaning,
  value: (scope: Scope): number | null => total(scope, name),
})

/** Columns for transactions. Other columns cover committed transactions as a whole, including retries and waiting. */
export const transactionColumns = defineColumns(ofTransactions, {
  committedPerSecond: {
    title: 'Committed (1/s)',
    meaning: 'Committed transactions, divided by the length of the timed window.',
    better: 'higher',
    value: (scope) => ratio(total(scope, 'commits'), scope.phase.wallSeconds),
    perSecond: (scope) => (transactionsIn(scope).length === 0 ? null : countPerSecond(onlyTransactions(scope), 'ok')),
  },
  commits: count('commits', 'Committed', 'Committed transactions.'),
  attempts: count('attempts', 'Attempts', 'Attempts of transactions, whatever their outcome.'),
  attemptsPerCommit: {
    title: 'Attempts per Commit',
    meaning: 'Attempts of transactions, divided by the committed ones.',
    digits: 2,
    better: 'lower',
    value: (scope) => ratio(total(scope, 'attempts'), total(scope, 'commits')),
  },
  retries: count('retries', 'Retries', 'Number of retries of whole transactions.'),
  commitRetries: count(
    'commitRetries',
    'Commit Retries',
    'Number of commits that were sent again because their outcome was unknown, without retries by the driver.',
  ),
  conflicts: count('conflicts', 'Conflicts', 'Attempts that ended with a write conflict (WriteConflict).'),
  aborts: count('aborted', 'Aborts', 'Transactions that were aborted on purpose. The warnings list the reasons.'),
  unknownCommits: {
    title: 'Unknown Commits',
    meaning: 'Transactions whose commit got no reply, and may have been applied; with several runs the maximum.',
    better: 'lower',
    ...worst((scope) => total(scope, 'unknownCommits')),
  },
  ...times('firstTry', 'First Try', 'Transactions that committed at the first attempt, including the commit'),
  ...times('commit', 'Commit', 'Successful commits, from first being sent until the reply'),
})

/** Four columns: mean, median, 99th percentile and maximum. */
function times<Name extends Exclude<Times, 'aborted'>>(name: Name, title: string, whose: string) {
  const column = (which: Percentile, label: string, meaning: string) =>
    ({
      title: `${label} ${title} (ms)`,
      meaning: `${whose}: ${meaning}.`,
      better: 'lower',
      ...latencyStatistic(which, (scope) => latencies(scope, name)),
    }) as const
  return {
    [`${name}MeanMs`]: column('meanMs', 'Average', 'the mean time'),
    [`${name}P50Ms`]: column('p50Ms', 'p50', 'the median time'),
    [`${name}P99Ms`]: column('p99Ms', 'p99', 'the 99th percentile of the time'),
    [`${name}MaxMs`]: column('maxMs', 'Max', 'the maximum time'),
  } as Readonly<Record<`${Name}${Capitalize<Percentile>}`, ReturnType<typeof column>>>
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

/** Null if there is no transaction. */
function total(scope: Scope, name: Count): number | null {
  const transactions = transactionsIn(scope)
  return transactions.length === 0 ? null : sum(transactions.map((one) => one[name]))
}
