import { type MongoClient } from 'mongodb'

/** Traffic between clients and a server. */
export type Traffic = {
  readonly requests: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly connections: number
}

/** Returns what a server has counted since it started, and its PID. */
export async function serverCounters(client: MongoClient): Promise<Traffic & { readonly pid: number }> {
  const { pid, network, connections } = await client.db('admin').command({ serverStatus: 1 })
  return {
    pid: Number(pid),
    requests: Number(network.numRequests),
    bytesIn: Number(network.bytesIn),
    bytesOut: Number(network.bytesOut),
    connections: Number(connections.totalCreated),
  }
}

/** Returns the traffic between two looks at the counters. */
export const trafficBetween = (before: Traffic, after: Traffic): Traffic => ({
  requests: after.requests - before.requests,
  bytesIn: after.bytesIn - before.bytesIn,
  bytesOut: after.bytesOut - before.bytesOut,
  connections: after.connections - before.connections,
})
