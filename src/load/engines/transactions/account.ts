import { type Clock } from '../../../core/clock.ts'
import { emptyReply, type Failure, type Outcome, type StepOutcome, type TransactionTally } from '../engine.ts'

const writeConflict = '112'

/** Account of a transaction so far: kept while it runs, so that one that is given up is counted too. */
export class TransactionAccount {
  attempts = 0
  commitRetries = 0
  /** Undefined: whatever happens, nothing of it is done. */
  #commitSentMs: number | undefined
  #conflicts = 0
  #firstTryMs: number | null = null
  #commitMs: number | null = null
  #steps: readonly StepOutcome[] | undefined
  readonly #clock: Clock
  readonly #startMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#startMs = clock.now()
  }

  /** Whether a commit is under way, or was the last step that is known. */
  get isCommitSent(): boolean {
    return this.#commitSentMs !== undefined
  }

  beginAttempt(): void {
    this.attempts += 1
    this.#commitSentMs = undefined
    this.#steps = undefined
  }

  /** The calls of the attempt have been made, as far as they got. */
  endSteps(outcome: Outcome): void {
    this.#steps = outcome.steps
    this.#noteConflict(outcome)
  }

  sendCommit(): void {
    this.#commitSentMs = this.#clock.now()
  }

  /** The server has nothing to commit. */
  loseAttempt(failure: Failure): void {
    this.#commitSentMs = undefined
    this.#noteConflict(failure)
  }

  endCommit(): void {
    const nowMs = this.#clock.now()
    this.#commitMs = nowMs - (this.#commitSentMs ?? nowMs)
    if (this.attempts === 1) this.#firstTryMs = nowMs - this.#startMs
  }

  /** How it ended. Only what was committed has been done. */
  settle(outcome: Outcome): Outcome {
    const reply = outcome.kind === 'ok' ? outcome.reply : emptyReply
    return { ...outcome, reply, steps: this.#steps, transaction: this.#tally() }
  }

  /** Settles with the outcome known at the deadline: without a commit it will never be done. */
  giveUp(late: Failure): Outcome {
    if (this.isCommitSent) return this.settle(late)
    return this.settle({ ...late, kind: 'failed', message: `${late.message}; no commit was under way` })
  }

  #noteConflict(outcome: Outcome): void {
    if ('code' in outcome && outcome.code === writeConflict) this.#conflicts += 1
  }

  #tally(): TransactionTally {
    return {
      attempts: this.attempts,
      conflicts: this.#conflicts,
      commitRetries: this.commitRetries,
      firstTryMs: this.#firstTryMs,
      commitMs: this.#commitMs,
    }
  }
}
