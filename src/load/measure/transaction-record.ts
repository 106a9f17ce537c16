import { type TransactionResult } from '../../results/schema/calls.ts'
import { type Outcome, type TransactionSettings } from '../engines/engine.ts'
import { type LatencyPart, LatencyRecord, mergeLatencies, toLatencies } from './latency.ts'

const times = ['firstTry', 'commit', 'aborted'] as const
const noCounts = { attempts: 0, retries: 0, conflicts: 0, commitRetries: 0, commits: 0, aborted: 0, unknownCommits: 0 }

/** Measurements of the transactions of one operation, in addition to those of every call. */
export type TransactionPart = {
  readonly counts: Readonly<typeof noCounts>
  /** How many were aborted on purpose, by reason. */
  readonly aborts: Readonly<Record<string, number>>
  readonly latency: Readonly<Record<(typeof times)[number], LatencyPart | undefined>>
}

export const noTransactions: TransactionPart = {
  counts: noCounts,
  aborts: {},
  latency: { firstTry: undefined, commit: undefined, aborted: undefined },
}

export const mergeTransactions = (parts: readonly TransactionPart[]): TransactionPart => ({
  counts: parts.map(({ counts }) => counts).reduce(addCounts, noCounts),
  aborts: sumByName(parts.map(({ aborts }) => aborts)),
  latency: {
    firstTry: mergeLatencies(parts.map(({ latency }) => latency.firstTry)),
    commit: mergeLatencies(parts.map(({ latency }) => latency.commit)),
    aborted: mergeLatencies(parts.map(({ latency }) => latency.aborted)),
  },
})

type Counts = TransactionPart['counts']

const addCounts = (one: Counts, other: Counts): Counts => ({
  attempts: one.attempts + other.attempts,
  retries: one.retries + other.retries,
  conflicts: one.conflicts + other.conflicts,
  commitRetries: one.commitRetries + other.commitRetries,
  commits: one.commits + other.commits,
  aborted: one.aborted + other.aborted,
  unknownCommits: one.unknownCommits + other.unknownCommits,
})

function sumByName(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sums = new Map<string, number>()
  for (const [name, count] of all.flatMap((counts) => Object.entries(counts)))
    sums.set(name, (sums.get(name) ?? 0) + count)
  return Object.fromEntries(sums)
}

/** Records transactions until they are taken. */
export class TransactionRecord {
  #counts = { ...noCounts }
  #aborts = new Map<string, number>()
  readonly #latency = { firstTry: new LatencyRecord(), commit: new LatencyRecord(), aborted: new LatencyRecord() }

  /** @param us From the call to its answer. */
  add(us: number, outcome: Outcome): void {
    if (outcome.kind === 'ok') this.#counts.commits += 1
    if (outcome.kind === 'unknown') this.#counts.unknownCommits += 1
    if (outcome.kind === 'aborted') this.#addAborted(us, outcome.reason)
    if (outcome.transaction === undefined) return
    const { attempts, conflicts, commitRetries, firstTryMs, commitMs } = outcome.transaction
    this.#counts.attempts += attempts
    this.#counts.retries += Math.max(0, attempts - 1)
    this.#counts.conflicts += conflicts
    this.#counts.commitRetries += commitRetries
    if (firstTryMs !== null) this.#latency.firstTry.add(Math.round(firstTryMs * 1000))
    if (commitMs !== null) this.#latency.commit.add(Math.round(commitMs * 1000))
  }

  take(): TransactionPart {
    const { firstTry, commit, aborted } = this.#latency
    const part = {
      counts: this.#counts,
      aborts: Object.fromEntries(this.#aborts),
      latency: { firstTry: firstTry.take(), commit: commit.take(), aborted: aborted.take() },
    }
    this.#counts = { ...noCounts }
    this.#aborts = new Map()
    return part
  }

  #addAborted(us: number, reason: string): void {
    this.#counts.aborted += 1
    this.#aborts.set(reason, (this.#aborts.get(reason) ?? 0) + 1)
    this.#latency.aborted.add(us)
  }
}

/** The result of the transactions of an operation, with their settings. */
export const transactionResult = (
  { runner, maxAttempts, readConcern, writeConcern, readPreference }: TransactionSettings,
  { counts, aborts, latency }: TransactionPart,
): TransactionResult => ({
  runner,
  maxAttempts,
  readConcern: { ...readConcern },
  writeConcern: { ...writeConcern },
  readPreference: { ...readPreference },
  ...counts,
  aborts: { ...aborts },
  latency: toLatencies(latency, times),
})
