import { defineColumns } from './column.ts'
import { count, maximum, meanMs, rate } from './from-metrics.ts'

const ofServer = { source: 'serverStatus', of: ['phase'] } as const

const readsCounted =
  'find, getMore, aggregate and similar commands. Other members count as clients: those that copy the oplog from this one (about 2 reads per second when nothing is written, else one per batch), and a primary that mirrors reads to its secondaries (1 % of its reads by default, see the parameter mirrorReads). Samples of mongo-perf are not counted'
const writesCounted =
  'insert, update, delete and findAndModify, with a batch as one; writes that a secondary applies from the oplog are not counted'

/** Columns for the work of a member for clients: of the row's member in tables of members, else of the one that takes the writes. */
export const memberColumns = defineColumns(ofServer, {
  reads: {
    title: 'Reads (server)',
    unit: '',
    meaning: `Read commands that the member executed (opLatencies): ${readsCounted}.`,
    ...count('readOps'),
  },
  readsPerSecond: {
    title: 'Reads (1/s, server)',
    meaning: `Read commands that the member executed (opLatencies), divided by the length of the timed window: ${readsCounted}.`,
    ...rate(['readOps']),
  },
  readLatencyMs: {
    title: 'Read Latency (ms, server)',
    meaning:
      'Time that the member spent in read commands (opLatencies), including read commands of other members, divided by their number; without the network and the client.',
    better: 'lower',
    ...meanMs(['readLatencyUs'], ['readOps']),
  },
  writes: {
    title: 'Writes (server)',
    unit: '',
    meaning: `Write commands of clients that the member executed (opLatencies): ${writesCounted}.`,
    ...count('writeOps'),
  },
  writesPerSecond: {
    title: 'Writes (1/s, server)',
    meaning: `Write commands of clients that the member executed (opLatencies), divided by the length of the timed window: ${writesCounted}.`,
    ...rate(['writeOps']),
  },
  writeLatencyMs: {
    title: 'Write Latency (ms, server)',
    meaning:
      'Time that the member spent in write commands of clients (opLatencies), including the wait for other members, divided by their number; without the network and the client.',
    better: 'lower',
    ...meanMs(['writeLatencyUs'], ['writeOps']),
  },
  replicationLagMs: {
    source: 'getDiagnosticData',
    title: 'Replication Lag (ms)',
    meaning:
      'Delay of the member in applying the oplog at the end of the timed window, as the primary reported it (up to a second earlier); empty for a primary. Rows for the whole target show the maximum of all members.',
    digits: 0,
    better: 'lower',
    ...maximum('replicationLagMs'),
  },
})
