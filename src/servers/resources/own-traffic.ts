import { calculateObjectSize, deserialize, Double } from 'bson'
import { type MetricName } from '../../results/server-metrics.ts'
import { type Fields, type Sample } from './sample.ts'

/** Traffic that sampling itself has added to the counters of a server. */
export type OwnTraffic = Readonly<Record<'networkBytesIn' | 'networkBytesOut' | 'commandOps', number>>

/** No traffic yet. */
export const noTraffic: OwnTraffic = { networkBytesIn: 0, networkBytesOut: 0, commandOps: 0 }

/** Header of a message, its flags, and the kind of its only section. */
const envelopeBytes = 16 + 4 + 1
/** Fields that the driver adds to every command. */
const added = { lsid: { id: new Uint8Array(16) }, $db: 'admin' }
/** Fields that it also adds for members of a set, besides the cluster time of the last reply. */
const addedInSet = { $readPreference: { mode: 'primaryPreferred' } }

/** Sizes of a command and its raw reply on the wire, without compression. */
export function measureTraffic(command: Fields, reply: Fields): OwnTraffic {
  const { $clusterTime: clusterTime } = reply
  // The driver sends it decoded and encoded again, which makes small numbers shorter.
  const inSet = clusterTime instanceof Uint8Array ? { ...addedInSet, $clusterTime: deserialize(clusterTime) } : {}
  const request = { ...command, ...added, ...inSet }
  return { networkBytesIn: messageBytes(request), networkBytesOut: messageBytes(asReceived(reply)), commandOps: 1 }
}

/** Top-level numbers of a reply are doubles and longs: they take eight bytes, whatever their value. */
const asReceived = (reply: Fields): Fields =>
  Object.fromEntries(
    Object.entries(reply).map(([name, value]) => [name, typeof value === 'number' ? new Double(value) : value]),
  )

/** Raw documents are counted as binary data, which has five more bytes: a length and a type. */
const rawOverheadBytes = 5

function messageBytes(document: Fields): number {
  const raw = Object.values(document).filter((value) => value instanceof Uint8Array).length
  return envelopeBytes + calculateObjectSize(document) - raw * rawOverheadBytes
}

/** The sum of two traffics. */
export const addTraffic = (one: OwnTraffic, other: OwnTraffic): OwnTraffic => ({
  networkBytesIn: one.networkBytesIn + other.networkBytesIn,
  networkBytesOut: one.networkBytesOut + other.networkBytesOut,
  commandOps: one.commandOps + other.commandOps,
})

export function withoutTraffic(sample: Sample, own: OwnTraffic): Sample {
  const values: Partial<Record<MetricName, number>> = { ...sample.values }
  for (const name of ['networkBytesIn', 'networkBytesOut', 'commandOps'] as const) {
    const value = values[name]
    if (value !== undefined) values[name] = value - own[name]
  }
  return { ...sample, values }
}
