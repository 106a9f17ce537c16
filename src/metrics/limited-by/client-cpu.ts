import { inPercent, type LimitRule } from './rule.ts'

/** An event loop of the client that had no time left. */
export const clientCpu: LimitRule = {
  name: 'client CPU',
  remedy: 'a faster client machine, "engine": "wire" or more "threads": the server can do more',
  finds: ({ phase: { client } }) =>
    client.saturated
      ? { share: client.eventLoopUtilization, text: `event loop ${inPercent(client.eventLoopUtilization)} busy` }
      : null,
}
