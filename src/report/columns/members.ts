import { type Columns } from './column.ts'
import { count, maximum, meanMs, rate } from './from-metrics.ts'

const ofServer = { source: 'serverStatus', of: ['phase'] } as const

const readsCounted =
  'find, getMore, aggregate and the like. Other members count as clients: those that copy the oplog from this one (some 2 reads a second when nothing is written, else one for each batch), and a primary that mirrors reads to its secondaries (1 % of its own, unless the parameter mirrorReads says otherwise). Our own sampling is not counted'
const writesCounted =
  'insert, update, delete and findAndModify, a batch as one; what a secondary applies from the oplog is not counted'

/** What a member did for clients. Most telling in a table of members; elsewhere they show the member that takes the writes. */
export const memberColumns = {
  reads: {
    ...ofServer,
    title: 'Reads (server)',
    unit: '',
    meaning: `Read commands that the member answered (opLatencies): ${readsCounted}.`,
    digits: 0,
    ...count('readOps'),
  },
  readsPerSecond: {
    ...ofServer,
    title: 'Reads (1/s, server)',
    unit: '1/s',
    meaning: `Read commands that the member answered (opLatencies), divided by the length of the timed window: ${readsCounted}.`,
    digits: 0,
    ...rate(['readOps']),
  },
  readLatencyMs: {
    ...ofServer,
    title: 'Read Latency (ms, server)',
    unit: 'ms',
    meaning:
      'Time that the member spent in read commands (opLatencies) divided by their number, those of other members included; the network and the client are not in it.',
    digits: 2,
    ...meanMs(['readLatencyUs'], ['readOps']),
  },
  writes: {
    ...ofServer,
    title: 'Writes (server)',
    unit: '',
    meaning: `Write commands of clients that the member answered (opLatencies): ${writesCounted}.`,
    digits: 0,
    ...count('writeOps'),
  },
  writesPerSecond: {
    ...ofServer,
    title: 'Writes (1/s, server)',
    unit: '1/s',
    meaning: `Write commands of clients that the member answered (opLatencies), divided by the length of the timed window: ${writesCounted}.`,
    digits: 0,
    ...rate(['writeOps']),
  },
  writeLatencyMs: {
    ...ofServer,
    title: 'Write Latency (ms, server)',
    unit: 'ms',
    meaning:
      'Time that the member spent in write commands of clients (opLatencies) divided by their number; the wait for other members is in it, the network and the client are not.',
    digits: 2,
    ...meanMs(['writeLatencyUs'], ['writeOps']),
  },
  replicationLagMs: {
    ...ofServer,
    source: 'getDiagnosticData',
    title: 'Replication Lag (ms)',
    unit: 'ms',
    meaning:
      'How far the member had applied the oplog behind the primary when the timed window ended, as the primary knew it (up to a second earlier); empty for a primary. Where a row is no member, that of the member that lagged most.',
    digits: 0,
    ...maximum('replicationLagMs'),
  },
} as const satisfies Columns
