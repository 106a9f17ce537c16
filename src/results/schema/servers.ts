import { z } from 'zod'
import { metricNames } from '../server-metrics.ts'
import { figure } from './figure.ts'
import { nullableSeries } from './latency.ts'

/** Resource limits of a server. Null: no limit. */
export const serverLimits = z.object({
  cpus: figure.nullable(),
  /** Period in which the limit of the CPU holds. Null: no such limit, or an older result. */
  cpuPeriodMs: figure.nullable().default(null),
  memoryMB: figure.nullable(),
  readIops: figure.nullable(),
  writeIops: figure.nullable(),
  readMBps: figure.nullable(),
  writeMBps: figure.nullable(),
})

/** Round-trip times of the links of a replica set, measured before its first row. */
export const achievedLinks = z.object({
  /** Cost of a round trip through a proxy without added delay. Null: not measured. */
  ownCostMs: figure.nullable(),
  pairs: z.array(
    z.object({
      /** "client" or "member0". */
      from: z.string(),
      to: z.string(),
      /** Requested round-trip time, and the maximum random addition to it. */
      rttMs: figure,
      jitterMs: figure,
      /** False: no delay was added. */
      delayed: z.boolean(),
      /** Median of pings over the link, minus that of pings past it. */
      achievedMs: figure,
    }),
  ),
})

/** The parts of a sharded cluster. */
const clusterInfo = z.object({
  shards: z.array(z.object({ name: z.string(), members: z.int() })),
  /** Null: mongo-perf did not start it. */
  routers: z.int().nullable(),
  configServers: z.int().nullable(),
})

/** How the collections of a row lay on the shards of a cluster after its last phase. */
export const shardingResult = z.object({
  /** Whether the balancer of the cluster moved chunks. Null: not known. */
  balancing: z.boolean().nullable(),
  collections: z.array(
    z.object({
      collection: z.string(),
      /** Null: it is not sharded. */
      key: z.record(z.string(), z.json()).nullable(),
      shards: z.array(
        z.object({
          shard: z.string(),
          /** Without those that other shards have taken over, where the server counts them (6.0). */
          documents: figure,
          /** BSON bytes of its documents, before compression. */
          bytes: figure,
          chunks: z.int(),
        }),
      ),
    }),
  ),
  /** Write commands of all measured phases on the primary of each shard. Null: not available. */
  writes: z.record(z.string(), figure.nullable()),
})

/** A server; of a replica set, the member that was primary when the row began. */
export const serverInfo = z.object({
  version: z.string(),
  topology: z.string(),
  storageEngine: z.string().nullable(),
  cacheMB: figure.nullable(),
  /** Cores that it may use: those of its host, or up to its limits and the cores that it is pinned to. */
  cores: figure.nullable(),
  memoryMB: figure.nullable(),
  /** Null: not started by mongo-perf. */
  limits: serverLimits.nullable().default(null),
  /** Numbers of the cores that client and servers were pinned to. Null: they were not. */
  pinnedCores: z
    .object({ client: z.array(z.int()), servers: z.array(z.int()) })
    .nullable()
    .default(null),
  /** Whether mongo-perf made its data files bypass the page cache. */
  directIO: z.boolean().default(false),
  /** Parameters that it was started with; "text" for a value that is no number, which may name a host. Absent: none, it does not report them, or an older result. */
  setParameters: z.record(z.string(), z.string()).optional(),
  /** Kind of the file system of its data, as "xfs". Absent: mongo-perf did not start it, or the system does not report it. */
  fileSystem: z.string().optional(),
  /** Null: no link is delayed. */
  links: achievedLinks.nullable().default(null),
  /** Compressors that the URI asks for, in the order of preference. Absent: none. */
  compressors: z.array(z.string()).optional(),
  /** Null: no sharded cluster, or an older result. */
  cluster: clusterInfo.nullable().default(null),
  os: z.string().nullable(),
  /** Whether mongo-perf started it. Results never hold the address of an existing server. */
  startedByUs: z.boolean(),
})

/** Resource usage of one member during a phase. */
export const memberResources = z.object({
  member: z.string(),
  role: z.enum(['primary', 'secondary', 'standalone', 'router', 'config', 'other']),
  /** The command that this member replied to; null if none. */
  source: z.enum(['getDiagnosticData', 'serverStatus']).nullable(),
  /** Increase of counters during the window, and gauges at its end. Null: not available here. */
  totals: z.partialRecord(z.enum(metricNames), figure.nullable()),
  /** Why a metric is null. */
  unavailable: z.partialRecord(z.enum(metricNames), z.string()),
  /** One entry per second of the window. Counters as the increase in that second, gauges as read. */
  perSecond: z.partialRecord(z.enum(metricNames), nullableSeries),
  /** True: a counter fell or the process id changed. The server restarted during the window, so that totals are unusable. */
  restarted: z.boolean(),
  sampler: z.object({ samples: z.int(), failed: z.int(), meanMs: figure.nullable(), bytes: z.int() }),
})

/** Disk space of the collections of a row after its last phase: on the primary, or on the primaries of all shards together. */
export const storage = z.object({
  collections: z.array(
    z.object({
      collection: z.string(),
      /** Its documents; of a time series its measurements. Null: not known. */
      documents: figure.nullable().default(null),
      /** The documents into which a time series packs its measurements. Null: it is none. */
      buckets: figure.nullable().default(null),
      /** BSON bytes of its documents, of a time series of its buckets, before compression. */
      documentBytes: figure,
      /** Size of its data file. */
      dataBytes: figure,
      /** Total size of its index files. */
      indexBytes: figure,
    }),
  ),
  /** Whether a checkpoint had written everything to the files. */
  afterCheckpoint: z.boolean(),
})

export type MemberResources = z.output<typeof memberResources>
export type ShardingResult = z.output<typeof shardingResult>
export type Storage = z.output<typeof storage>
export type ServerLimits = z.output<typeof serverLimits>
export type ServerInfo = z.output<typeof serverInfo>
export type AchievedLinks = z.output<typeof achievedLinks>
