import { z } from 'zod'
import { metricNames } from '../../resources/metrics.ts'
import { nullableSeries } from './latency.ts'

/** What a server was held to. Null: no limit. */
export const serverLimits = z.object({
  cpus: z.number().nullable(),
  memoryMB: z.number().nullable(),
  readIops: z.number().nullable(),
  writeIops: z.number().nullable(),
  readMBps: z.number().nullable(),
  writeMBps: z.number().nullable(),
})

/** What the links of a replica set came to, before its first row. */
export const achievedLinks = z.object({
  /** What a round trip through a proxy that adds nothing costs. Null: not measured. */
  ownCostMs: z.number().nullable(),
  pairs: z.array(
    z.object({
      /** "client" or "member0". */
      from: z.string(),
      to: z.string(),
      /** Round trip as it was asked for, and how much longer it might be by chance. */
      rttMs: z.number(),
      jitterMs: z.number(),
      /** False: nothing was added. */
      delayed: z.boolean(),
      /** Median of pings over the link, less that of pings past it. */
      achievedMs: z.number(),
    }),
  ),
})

/** Of a replica set, this is the primary as it was when the row began. */
export const serverInfo = z.object({
  version: z.string(),
  topology: z.string(),
  storageEngine: z.string().nullable(),
  cacheMB: z.number().nullable(),
  /** What it may use: of its host, or of its limits. */
  cores: z.number().nullable(),
  memoryMB: z.number().nullable(),
  /** Null: none of ours. */
  limits: serverLimits.nullable().default(null),
  /** Whether its data files went around the page cache, by our doing. */
  directIO: z.boolean().default(false),
  /** Null: nothing is delayed. */
  links: achievedLinks.nullable().default(null),
  os: z.string().nullable(),
  /** "existing" servers are told apart by their shape, never by their address. */
  startedByUs: z.boolean(),
})

export const memberResources = z.object({
  member: z.string(),
  role: z.enum(['primary', 'secondary', 'standalone', 'other']),
  /** Which command answered for this member, null when none did. */
  source: z.enum(['getDiagnosticData', 'serverStatus']).nullable(),
  /** What the counters rose by between the edges of the window, and gauges at its end. Null: not available here. */
  totals: z.partialRecord(z.enum(metricNames), z.number().nullable()),
  /** Why a metric is null. */
  unavailable: z.partialRecord(z.enum(metricNames), z.string()),
  /** One entry per second of the window. Counters as the rise in that second, gauges as read. */
  perSecond: z.partialRecord(z.enum(metricNames), nullableSeries),
  /** A counter fell or the process id changed: the server restarted inside the window, and totals would lie. */
  restarted: z.boolean(),
  sampler: z.object({ samples: z.int(), failed: z.int(), meanMs: z.number().nullable(), bytes: z.int() }),
})

/** What the collections of a row took on disk after its last phase: on the primary, or on the primaries of all shards together. */
export const storage = z.object({
  collections: z.array(
    z.object({
      collection: z.string(),
      /** BSON bytes of its documents, before compression. */
      documentBytes: z.number(),
      /** Size of its file. */
      dataBytes: z.number(),
      /** Size of the files of its indexes. */
      indexBytes: z.number(),
    }),
  ),
  /** Whether all that was written was in the files: a checkpoint went before. */
  afterCheckpoint: z.boolean(),
})

export type MemberResources = z.output<typeof memberResources>
export type Storage = z.output<typeof storage>
export type ServerLimits = z.output<typeof serverLimits>
export type ServerInfo = z.output<typeof serverInfo>
export type AchievedLinks = z.output<typeof achievedLinks>
