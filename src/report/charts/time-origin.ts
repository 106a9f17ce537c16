/** From where times count: from sending an operation, from its planned start, or in some lines from one and in some from the other. */
export type TimeOrigin = 'sending' | 'plan' | 'both'

/** The origin of the times of lines, each of which may count from the plan of an open loop. */
export function determineTimeOrigin(lines: readonly { readonly isFromPlan: boolean }[]): TimeOrigin {
  if (!lines.some(({ isFromPlan }) => isFromPlan)) return 'sending'
  return lines.every(({ isFromPlan }) => isFromPlan) ? 'plan' : 'both'
}

/** Names of such times, and what a caption says about them. Empty: they need no explanation. */
export const originTexts: Readonly<Record<TimeOrigin, { readonly name: string; readonly explanation: string }>> = {
  sending: { name: 'Latency', explanation: '' },
  plan: { name: 'Response time', explanation: 'times count from the planned start of each operation' },
  both: { name: 'Latency', explanation: 'times of open loops count from the planned start of each operation' },
}
