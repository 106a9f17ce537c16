import { z } from 'zod'
import { metricNames } from '../server-metrics.ts'
import { count, figure, flag, json, keyword, list, nullByDefault, orNull, part, record, text } from './fields.ts'
import { nullableSeries } from './latency.ts'

export const serverLimits = part('Resource limits of a server. Null: no limit.', {
  cpus: orNull(figure),
  cpuPeriodMs: nullByDefault(figure).describe(
    'Period in which the limit of the CPU holds. Null: no such limit, or an older result.',
  ),
  memoryMB: orNull(figure),
  readIops: orNull(figure),
  writeIops: orNull(figure),
  readMBps: orNull(figure),
  writeMBps: orNull(figure),
})

export const achievedLinks = part('Round-trip times of the links of a replica set, measured before its first row.', {
  ownCostMs: orNull(figure).describe('Cost of a round trip through a proxy without added delay. Null: not measured.'),
  pairs: list(
    z.object({
      from: text.describe('"client" or "member0".'),
      to: text,
      rttMs: figure.describe('Requested round-trip time.'),
      jitterMs: figure.describe('Maximum random addition to it.'),
      delayed: flag.describe('False: no delay was added.'),
      achievedMs: figure.describe('Median of pings over the link, minus the median of pings past it.'),
    }),
  ),
})

const clusterInfo = part('The parts of a sharded cluster.', {
  shards: list(z.object({ name: text, members: count })),
  routers: orNull(count).describe('Null: mongo-perf did not start it.'),
  configServers: orNull(count),
})

export const shardingResult = part(
  'How the collections of a row lay on the shards of a cluster after its last phase.',
  {
    balancing: orNull(flag).describe('Whether the balancer of the cluster moved chunks. Null: not known.'),
    collections: list(
      z.object({
        collection: text,
        key: orNull(record(text, json)).describe('Null: it is not sharded.'),
        shards: list(
          z.object({
            shard: text,
            documents: figure.describe('Without documents that other shards took over (from 6.0).'),
            bytes: figure.describe('BSON bytes of its documents, before compression.'),
            chunks: count,
          }),
        ),
      }),
    ),
    writes: record(text, orNull(figure)).describe(
      'Write commands of all measured phases on the primary of each shard. Null: not available.',
    ),
  },
)

export const serverInfo = part('A server; of a replica set, the member that was primary when the row began.', {
  version: text,
  topology: text,
  storageEngine: orNull(text),
  cacheMB: orNull(figure),
  cores: orNull(figure).describe('Cores that it may use: all of its host, unless limited or pinned.'),
  memoryMB: orNull(figure),
  limits: nullByDefault(serverLimits).describe('Null: not started by mongo-perf.'),
  pinnedCores: nullByDefault(z.object({ client: list(count), servers: list(count) })).describe(
    'Numbers of the cores that client and servers were pinned to. Null: they were not.',
  ),
  directIO: flag.default(false).describe('Whether mongo-perf made its data files bypass the page cache.'),
  setParameters: record(text, text)
    .optional()
    .describe(
      'Parameters that it was started with; "text" instead of a value that is not a number, because it may name a host. Absent: none, it does not report them, or an older result.',
    ),
  fileSystem: text
    .optional()
    .describe(
      'Kind of the file system of its data, as "xfs". Absent: mongo-perf did not start it, or the system does not report it.',
    ),
  links: nullByDefault(achievedLinks).describe('Null: no link is delayed.'),
  compressors: list(text)
    .optional()
    .describe('Compressors that the URI asks for, in the order of preference. Absent: none.'),
  cluster: nullByDefault(clusterInfo).describe('Null: no sharded cluster, or an older result.'),
  os: orNull(text),
  startedByUs: flag.describe('Whether mongo-perf started it. Results never hold the address of an existing server.'),
})

export const memberMetric = keyword(metricNames)

export const memberResources = part('Resource usage of one member during a phase.', {
  member: text,
  role: keyword(['primary', 'secondary', 'standalone', 'router', 'config', 'other']),
  source: orNull(keyword(['getDiagnosticData', 'serverStatus'])).describe(
    'The command that this member replied to; null if none.',
  ),
  totals: z
    .partialRecord(memberMetric, orNull(figure))
    .describe('Increase of counters during the window, and gauges at its end. Null: not available here.'),
  unavailable: z.partialRecord(memberMetric, text).describe('Why a metric is null.'),
  perSecond: z
    .partialRecord(memberMetric, nullableSeries)
    .describe('One entry per second of the window. Counters as the increase in that second, gauges as read.'),
  restarted: flag.describe(
    'True: a counter fell or the process id changed. The server restarted during the window, so that totals are unusable.',
  ),
  sampler: z.object({ samples: count, failed: count, meanMs: orNull(figure), bytes: count }),
})

export const storage = part(
  'Disk space of the collections of a row after its last phase: on the primary, or on the primaries of all shards together.',
  {
    collections: list(
      z.object({
        collection: text,
        documents: nullByDefault(figure).describe('Its documents; of a time series its measurements. Null: not known.'),
        buckets: nullByDefault(figure).describe('The documents into which a time series packs measurements.'),
        documentBytes: figure.describe('BSON bytes of its documents (a time series: buckets), before compression.'),
        dataBytes: figure.describe('Size of its data file.'),
        indexBytes: figure.describe('Total size of its index files.'),
      }),
    ),
    afterCheckpoint: flag.describe('Whether a checkpoint had written everything to the files.'),
  },
)

export type {
  AchievedLinks,
  MemberResources,
  ServerInfo,
  ServerLimits,
  ShardingResult,
  Storage,
} from '../result-types.ts'
