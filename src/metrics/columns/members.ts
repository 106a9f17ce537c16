import { type Columns } from './column.ts'
import { count, maximum, meanMs, rate } from './from-metrics.ts'

const ofServer = { source: 'serverStatus', of: ['phase'] } as const

const readsCounted =
  'find, getMore, aggregate and similar commands. Other members count as clients: those that copy the oplog from this one (about 2 reads per second when nothing is written, else one per batch), and a primary that mirrors reads to its secondaries (1 % of its reads by default, see the parameter mirrorReads). Samples of mongo-perf are not counted'
const writesCounted =
  'insert, update, delete and findAndModify, with a batch as one; writes that a secondary applies from the oplog are not counted'

/** Columns for the work of a member for clients: of the row's member in tables of members, else of the one that takes the writes. */
export const memberColumns = {
  reads: {
    ...ofServer,
    title: 'Reads (server)',
    unit: '',
    meaning: `Read commands that the member executed (opLatencies): ${readsCounted}.`,
    digits: 0,
    ...count('readOps'),
  },
  readsPerSecond: {
    ...ofServer,
    title: 'Reads (1/s, server)',
    unit: '1/s',
    meaning: `Read commands that the member executed (opLatencies), divided by the length of the timed window: ${readsCounted}.`,
    digits: 0,
    ...rate(['readOps']),
  },
  readLatencyMs: {
    ...ofServer,
    title: 'Read Latency (ms, server)',
    unit: 'ms',
    meaning:
      'Time that the member spent in read commands (opLatencies), including read commands of other members, divided by their number; without the network and the client.',
    digits: 2,
    better: 'lower',
    ...meanMs(['readLatencyUs'], ['readOps']),
  },
  writes: {
    ...ofServer,
    title: 'Writes (server)',
    unit: '',
    meaning: `Write commands of clients that the member executed (opLatencies): ${writesCounted}.`,
    digits: 0,
    ...count('writeOps'),
  },
  writesPerSecond: {
    ...ofServer,
    title: 'Writes (1/s, server)',
    unit: '1/s',
    meaning: `Write commands of clients that the member executed (opLatencies), divided by the length of the timed window: ${writesCounted}.`,
    digits: 0,
    ...rate(['writeOps']),
  },
  writeLatencyMs: {
    ...ofServer,
    title: 'Write Latency (ms, server)',
    unit: 'ms',
    meaning:
      'Time that the member spent in write commands of clients (opLatencies), including the wait for other members, divided by their number; without the network and the client.',
    digits: 2,
    better: 'lower',
    ...meanMs(['writeLatencyUs'], ['writeOps']),
  },
  replicationLagMs: {
    ...ofServer,
    source: 'getDiagnosticData',
    title: 'Replication Lag (ms)',
    unit: 'ms',
    meaning:
      'How far the member was behind the primary in applying the oplog at the end of the timed window, as the primary knew it (up to a second earlier); empty for a primary. In rows that are not members, the maximum of all members.',
    digits: 0,
    better: 'lower',
    ...maximum('replicationLagMs'),
  },
} as const satisfies Columns
