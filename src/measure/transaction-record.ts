import { type Outcome, type TransactionSettings } from '../engines/engine.ts'
import { type TransactionResult } from '../results/schema/calls.ts'
import { addSample, emptySamples, type LatencySamples, toLatency } from './latency.ts'

type Times = 'firstTry' | 'commit' | 'aborted'

/** What the transactions of one operation took, beside what is counted of every call. */
export class TransactionRecord {
  readonly #settings: TransactionSettings
  readonly #counts = {
    attempts: 0,
    retries: 0,
    conflicts: 0,
    commitRetries: 0,
    commits: 0,
    aborted: 0,
    unknownCommits: 0,
  }
  readonly #aborts = new Map<string, number>()
  /** Built with the first sample. */
  readonly #latency: Partial<Record<Times, LatencySamples>> = {}

  constructor(settings: TransactionSettings) {
    this.#settings = settings
  }

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
    if (firstTryMs !== null) this.#time('firstTry', firstTryMs * 1000)
    if (commitMs !== null) this.#time('commit', commitMs * 1000)
  }

  result(): TransactionResult {
    const { runner, maxAttempts, readConcern, writeConcern, readPreference } = this.#settings
    const { firstTry, commit, aborted } = this.#latency
    return {
      runner,
      maxAttempts,
      readConcern: { ...readConcern },
      writeConcern: { ...writeConcern },
      readPreference: { ...readPreference },
      ...this.#counts,
      aborts: Object.fromEntries(this.#aborts),
      latency: {
        firstTry: firstTry ? toLatency(firstTry) : null,
        commit: commit ? toLatency(commit) : null,
        aborted: aborted ? toLatency(aborted) : null,
      },
    }
  }

  #addAborted(us: number, reason: string): void {
    this.#counts.aborted += 1
    this.#aborts.set(reason, (this.#aborts.get(reason) ?? 0) + 1)
    this.#time('aborted', us)
  }

  #time(what: Times, us: number): void {
    addSample((this.#latency[what] ??= emptySamples()), Math.round(us))
  }
}
