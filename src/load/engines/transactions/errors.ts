import { toOutcome } from '../outcomes.ts'

/** Properties that the driver's errors share, as far as we look. */
type DriverError = {
  readonly name?: unknown
  readonly code?: unknown
  readonly hasErrorLabel?: (label: string) => boolean
  /** Error that a bulk write wraps. */
  readonly errorResponse?: unknown
}

/**
 * The connection was lost, or there was none. By name, for labels have a gap: of all calls in flight on a primary that dies,
 * only the first is rejected with one (driver 7.8).
 */
const network: ReadonlySet<unknown> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoServerSelectionError',
])

/** Write concerns that no waiting meets. */
const neverMet: ReadonlySet<unknown> = new Set([
  79, // UnknownReplWriteConcern
  100, // UnsatisfiableWriteConcern
])

const asError = (thrown: unknown): DriverError => (typeof thrown === 'object' && thrown !== null ? thrown : {})

const hasLabel = (error: DriverError, label: string): boolean => error.hasErrorLabel?.(label) === true

/** A bulk write wraps what went wrong. */
const isNetwork = ({ name, errorResponse }: DriverError): boolean =>
  network.has(name) || network.has(asError(errorResponse).name)

/** Whether an error before the commit leaves a transaction that may be begun again: nothing of it was done. */
export function isTransient(thrown: unknown): boolean {
  const error = asError(thrown)
  return (
    isNetwork(error) || [error, asError(error.errorResponse)].some((one) => hasLabel(one, 'TransientTransactionError'))
  )
}

/** Whether the server has replied to a commit that there is nothing to commit, and never will be. */
export function isNotCommitted(thrown: unknown): boolean {
  const error = asError(thrown)
  return hasLabel(error, 'TransientTransactionError') && !isNetwork(error)
}

/**
 * Whether the same commit may be sent again, after an error that does not say what became of it. By class and code too:
 * clients of ours retry nothing (`maxAdaptiveRetries: 0`), and then the driver gives a commit no label (7.8).
 */
export function mayCommitAgain(thrown: unknown): boolean {
  const error = asError(thrown)
  if (neverMet.has(error.code)) return false
  const labels = ['UnknownTransactionCommitResult', 'RetryableWriteError']
  return isNetwork(error) || labels.some((label) => hasLabel(error, label)) || toOutcome(thrown).kind === 'unknown'
}
