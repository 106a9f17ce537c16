import { calculateObjectSize, deserialize, Double } from 'bson'
import { type MetricName } from '../../results/server-metrics.ts'
import { type Fields, type Sample } from './sample.ts'

/** Traffic that sampling itself has added to the counters of a server. */
export type OwnTraffic = Readonly<Record<'networkBytesIn' | 'networkBytesOut' | 'commandOps', number>>

const noTraffic: OwnTraffic = { networkBytesIn: 0, networkBytesOut: 0, commandOps: 0 }

/** A command and its reply, as counted. */
type Counted = {
  readonly replyBytes: number
  /** Takes the traffic of sampling out of what the reply says. */
  readonly subtractFrom: (sample: Sample) => Sample
}

/** Counts the traffic of sampling one server. @returns what counts a command, in the order in which the server replies. */
export function countOwnTraffic(): (command: Fields, reply: Fields) => Counted {
  let total = noTraffic
  /** Traffic at each `serverStatus` since the server last updated its statistics. */
  let atStatus: { readonly atMs: number; readonly own: OwnTraffic }[] = []
  return (command, reply) => {
    const before = total
    const traffic = measureTraffic(command, reply)
    total = addTraffic(before, traffic)
    return {
      replyBytes: traffic.networkBytesOut,
      subtractFrom(sample) {
        const { source, atMs } = sample
        if (source === 'serverStatus') {
          atStatus.push({ atMs, own: before })
          // A server has counted the command that it replies to, but not yet the reply.
          return withoutTraffic(sample, addTraffic(before, { ...noTraffic, networkBytesIn: traffic.networkBytesIn }))
        }
        // These statistics are newer than the previous command, whose reply would have had them otherwise.
        atStatus = atStatus.filter((status) => status.atMs > atMs)
        return withoutTraffic(sample, atStatus[0]?.own ?? before)
      },
    }
  }
}

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

const addTraffic = (one: OwnTraffic, other: OwnTraffic): OwnTraffic => ({
  networkBytesIn: one.networkBytesIn + other.networkBytesIn,
  networkBytesOut: one.networkBytesOut + other.networkBytesOut,
  commandOps: one.commandOps + other.commandOps,
})

function withoutTraffic(sample: Sample, own: OwnTraffic): Sample {
  const values: Partial<Record<MetricName, number>> = { ...sample.values }
  for (const name of ['networkBytesIn', 'networkBytesOut', 'commandOps'] as const) {
    const value = values[name]
    if (value !== undefined) values[name] = value - own[name]
  }
  return { ...sample, values }
}
