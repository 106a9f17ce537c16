import { type OperationResult } from '../../results/schema/calls.ts'

/**
 * Little's law for a closed loop: mean latency x throughput / workers, which is the share of the workers' time that they
 * spent waiting for an answer. About 1 when they did nothing else; below, the client held them up; above, the clock is wrong.
 * Null when nothing was called.
 */
export function littlesLaw({
  workers,
  wallSeconds,
  operations,
}: {
  readonly workers: number
  readonly wallSeconds: number
  readonly operations: readonly OperationResult[]
}): number | null {
  const latencies = operations.flatMap(({ latency, transaction }) => [
    latency.ok,
    latency.failed,
    latency.unknown,
    transaction?.latency.aborted ?? null,
  ])
  const busyMs = latencies.reduce((sum, latency) => sum + (latency ? latency.meanMs * latency.count : 0), 0)
  return wallSeconds > 0 && busyMs > 0 ? busyMs / 1000 / (wallSeconds * workers) : null
}
