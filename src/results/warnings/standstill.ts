import { type PhaseResult } from '../schema.ts'

/** Share of a window, and seconds, from which on a standstill changes figures more than runs differ anyway. */
const minShare = 0.1
const minSeconds = 0.5

type Standstill = { readonly of: 'client' | 'server'; readonly seconds: number; readonly share: number }

/** Finds the longest standstill that matters: of the client, or, in a closed loop without faults, of the server or the network. */
export function findStandstill(phase: Omit<PhaseResult, 'warnings' | 'availability'>): Standstill | undefined {
  const { client, faults, load, operations, steadiness, wallSeconds } = phase
  const gap = load === 'closed' && faults.length === 0 ? (steadiness.longestGapSeconds ?? 0) : 0
  // Calls that always take so long are no standstill.
  const isUsual = operations.some(({ latency: { ok } }) => ok !== null && ok.p50Ms >= gap * 500)
  const ofClient = (client.eventLoopDelayMaxMs ?? 0) / 1000
  const seconds = Math.max(ofClient, isUsual ? 0 : gap)
  if (seconds < Math.max(minSeconds, minShare * wallSeconds)) return undefined
  return { of: ofClient >= seconds / 2 ? 'client' : 'server', seconds, share: Math.min(1, seconds / wallSeconds) }
}
